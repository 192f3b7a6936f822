// What the field holds now, and whether that is a secret: a page may make it one only when the field has the focus.
function() {
  const at = element(this);
  const list = at && at.closest('select');
  const chosen = () => Array.from(list.selectedOptions, option => line(option.label || option.text)).join(', ');
  return {connected: this.isConnected, secret: !!at && isSecret(list || at), text: list ? chosen() : contents(this) ?? null};
}
