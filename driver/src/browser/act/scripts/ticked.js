// Whether a check box, radio button or switch is on: `true`, `false`, `mixed`; null for what is none.
function() {
  const at = element(this);
  const control = at.localName === 'label' ? at.control : at;
  if (control?.localName === 'input' && ['checkbox', 'radio'].includes(control.type)) {
    return {state: control.indeterminate ? 'mixed' : String(control.checked), radio: control.type === 'radio'};
  }
  const role = (at.getAttribute('role') || '').split(' ')[0];
  const ticks = ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'];
  const state = at.getAttribute('aria-checked') ?? (role === 'switch' ? at.getAttribute('aria-pressed') : null);
  if (state !== null || ticks.includes(role)) return {state: state ?? 'false', radio: /radio$/.test(role)};
  return {state: null, radio: false};
}
