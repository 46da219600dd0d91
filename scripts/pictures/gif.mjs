import { decode } from 'fast-png';
import gifenc from 'gifenc';

const { GIFEncoder, nearestColorIndex, quantize } = gifenc;
/** A GIF has 256 colors; one of them means “unchanged”. */
const colors = 255;
/** The palette uses the colors of one in this many frames. */
const sampling = 8;

/** @param {import('./pace.mjs').PacedFrame[]} frames of one size @returns {Uint8Array} a GIF that repeats forever */
export function encodeGif(frames) {
  const palette = paletteOf(frames);
  const indexOf = indexIn(palette);
  const gif = GIFEncoder();
  const options = { transparent: true, transparentIndex: palette.length, dispose: 1 };
  /** @type {Uint32Array | undefined} */
  let before;
  for (const { png, delay } of frames) {
    const image = decode(png);
    const pixels = new Uint32Array(rgba(image).buffer);
    const last = before;
    const indices = Uint8Array.from(pixels, (pixel, place) =>
      pixel === last?.[place] ? palette.length : indexOf(pixel),
    );
    const ownPalette = last ? undefined : [...palette, [0, 0, 0]];
    gif.writeFrame(indices, image.width, image.height, { ...options, delay, palette: ownPalette });
    before = pixels;
  }
  gif.finish();
  return gif.bytes();
}

/** @param {import('./pace.mjs').PacedFrame[]} frames */
function paletteOf(frames) {
  const samples = frames.filter((_, index) => index % sampling === 0 || index === frames.length - 1);
  return quantize(Buffer.concat(samples.map(({ png }) => rgba(decode(png)))), colors);
}

/**
 * Maps each color to the same index in all frames. Otherwise erased pixels would leave traces beside
 * unchanged ones.
 * @param {import('gifenc').Palette} palette
 * @returns {(pixel: number) => number}
 */
function indexIn(palette) {
  /** @type {Map<number, number>} */
  const known = new Map();
  return (pixel) => {
    const found = known.get(pixel);
    if (found !== undefined) return found;
    const index = nearestColorIndex(palette, [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]);
    known.set(pixel, index);
    return index;
  };
}

/** A screenshot may have no alpha channel. @param {import('fast-png').DecodedPng} png */
function rgba({ data, channels }) {
  const pixels = new Uint8Array((data.length / channels) * 4).fill(255);
  for (let from = 0, to = 0; from < data.length; from += channels, to += 4) {
    for (let channel = 0; channel < 3; channel += 1) pixels[to + channel] = data[from + channel] ?? 0;
  }
  return pixels;
}
