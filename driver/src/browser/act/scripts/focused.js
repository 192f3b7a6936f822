// Whether what is typed goes to the element.
function() {
  let active = document.activeElement;
  const root = this.getRootNode();
  if (root !== document) active = root.activeElement;
  return !!active && (holds(this, active) || (active.isContentEditable && holds(active, this)));
}
