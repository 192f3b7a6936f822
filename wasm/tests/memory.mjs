// A build whose memory can grow to so many bytes and no more: its own bytes with a maximum written into them.

export function withMost(bytes, most) {
  const out = [...bytes.subarray(0, 8)];
  let at = 8;
  while (at < bytes.length) {
    const id = bytes[at];
    const [length, start] = number(bytes, at + 1);
    if (id === 5) {
      // One memory: its flags, its least pages.
      const [least] = number(bytes, start + 2);
      const body = [1, 1, ...digits(least), ...digits(most / 65536)];
      out.push(5, ...digits(body.length), ...body);
    } else {
      for (let copied = at; copied < start + length; copied += 1) out.push(bytes[copied]);
    }
    at = start + length;
  }
  return new Uint8Array(out);
}

function number(bytes, start) {
  let value = 0;
  let at = start;
  for (let shift = 0; ; shift += 7) {
    value += (bytes[at] & 127) * 2 ** shift;
    at += 1;
    if (bytes[at - 1] < 128) return [value, at];
  }
}

function digits(value) {
  const out = [];
  let rest = value;
  do {
    out.push((rest & 127) | (rest > 127 ? 128 : 0));
    rest >>= 7;
  } while (rest > 0);
  return out;
}
