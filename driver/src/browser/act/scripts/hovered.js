// Alone, the first of these matches links and nothing else where a page has no doctype.
function() { return element(this).matches(':hover:not(:not(*))'); }
