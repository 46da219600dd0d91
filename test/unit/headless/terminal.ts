import { PassThrough } from 'node:stream';

/** One end of a terminal: what a person would type goes in, what they would see comes out. */
export function screen(isTTY = true) {
  let shown = '';
  const stream = Object.assign(new PassThrough(), { isTTY });
  stream.on('data', (chunk) => {
    shown += String(chunk);
  });
  return { stream, shown: () => shown };
}

export function keyboard(isTTY = true) {
  return Object.assign(new PassThrough(), { isTTY });
}
