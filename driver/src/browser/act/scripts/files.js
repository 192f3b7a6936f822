// The file field that the element is, or that it stands for.
function() {
  const isField = node => node?.localName === 'input' && node.type === 'file';
  const at = element(this);
  if (isField(at)) return at;
  const label = at.closest('label');
  if (isField(label?.control)) return label.control;
  const inside = at.querySelectorAll('input[type=file]');
  return inside.length === 1 ? inside[0] : null;
}
