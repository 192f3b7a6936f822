// What the element is, by its own tag and type.
function() {
  const at = element(this);
  return {
    connected: this.isConnected,
    tag: at ? at.localName : '',
    kind: at && at.localName === 'input' ? at.type : '',
    disabled: !!at && at.matches(':disabled'),
    readOnly: !!at && isTextField(at) && at.readOnly,
    editable: !!at && at.isContentEditable,
    secret: !!at && isSecret(at),
    part: at && at.getRootNode().host?.localName === 'input' ? at.getRootNode().host.type : '',
    inMenu: !!at && at.localName === 'option' && !!at.closest('select'),
  };
}
