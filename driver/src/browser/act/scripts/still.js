// Resolves to whether the box is where it was two frames ago. A frame that is not drawn has no frames to wait for.
async function() {
  const frame = () => new Promise(resolve => {
    const late = setTimeout(resolve, 100);
    requestAnimationFrame(() => { clearTimeout(late); resolve(); });
  });
  const at = element(this);
  const box = () => { const b = at.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].join(); };
  const before = box();
  await frame();
  await frame();
  return {still: box() === before, connected: this.isConnected, disabled: at.matches(':disabled')};
}
