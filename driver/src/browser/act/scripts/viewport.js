// The viewport that Chrome's coordinates of this session are in.
function() { return {width: innerWidth, height: innerHeight, x: scrollX, y: scrollY}; }
