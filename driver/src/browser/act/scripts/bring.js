// Scrolls the element to a place where nothing may cover it.
function(block) { element(this).scrollIntoView({block, inline: 'nearest', behavior: 'instant'}); }
