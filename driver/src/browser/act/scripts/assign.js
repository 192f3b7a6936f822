// Sets the value of a field that typing can't fill, as a person's choice would. A value that the field does not take
// would empty it, so that it is tried on another first.
function(text) {
  const probe = document.createElement('input');
  probe.type = this.type;
  for (const name of ['min', 'max', 'step']) if (this.hasAttribute(name)) probe.setAttribute(name, this.getAttribute(name));
  probe.value = text;
  const fits = text === '' || ({
    color: () => CSS.supports('color', text),
    range: () => text.trim() !== '' && Number.isFinite(Number(text)),
  }[this.type] || (() => probe.value !== ''))();
  if (!fits) return {taken: false, value: this.value, wanted: ''};
  this.value = text;
  this.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  this.dispatchEvent(new Event('change', {bubbles: true}));
  return {taken: true, value: this.value, wanted: probe.value};
}
