// Marks what the field holds, so that typing replaces it; or puts the caret behind it.
function(all) {
  if (isTextField(this)) {
    if (all) return this.select();
    const end = this.value.length;
    // Some types have no caret that scripts may set: they begin at the end.
    try { this.setSelectionRange(end, end); } catch { }
    return;
  }
  const range = document.createRange();
  range.selectNodeContents(this);
  if (!all) range.collapse(false);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}
