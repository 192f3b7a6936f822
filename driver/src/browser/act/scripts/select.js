// Chooses an option by its text, label or value.
function(wanted) {
  const list = this.localName === 'option' ? this.closest('select') : this;
  if (!list || list.localName !== 'select') return {isSelect: false};
  const options = Array.from(list.options);
  const says = option => line(option.label || option.text);
  const isDisabled = option => option.disabled || option.closest('optgroup')?.disabled === true;
  const listed = options.slice(0, 50).map(option => says(option) + (isDisabled(option) ? ' (disabled)' : ''));
  if (options.length > 50) listed.push(`+${options.length - 50} more`);
  const answer = {isSelect: true, options: listed, disabled: list.disabled, found: false, off: false, value: ''};
  if (list.disabled) return answer;
  const text = line(wanted);
  const fold = text => text.toLowerCase();
  const exact = options.filter(option => says(option) === text || option.value === wanted);
  const loose = options.filter(option => fold(says(option)) === fold(text));
  const matching = exact.length ? exact : loose.length === 1 ? loose : [];
  const option = matching.find(option => !isDisabled(option));
  answer.found = matching.length > 0;
  answer.off = answer.found && !option;
  if (!option) return answer;
  answer.already = option.selected && !list.multiple;
  if (!option.selected) {
    option.selected = true;
    list.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
    list.dispatchEvent(new Event('change', {bubbles: true}));
  }
  // What the page made of it.
  answer.value = Array.from(list.selectedOptions).map(says).join(', ');
  answer.chosen = option.selected;
  return answer;
}
