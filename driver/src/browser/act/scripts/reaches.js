// Whether a press on what was hit is one on the element.
function(hit) { return {reaches: reaches(this, hit), named: named(hit)}; }
