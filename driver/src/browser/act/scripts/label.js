// The label that stands for a control that is not drawn.
function() { return Array.from(this.labels || []).find(label => label.getClientRects().length) || null; }
