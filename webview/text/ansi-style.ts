// Text styles of a terminal: "select graphic rendition" of ECMA-48, in a theme's sixteen colors.

/**
 * The active codes, one of each kind, as in `1;31`. Each of the 256 or 24-bit colors becomes the nearest of
 * sixteen.
 */
export type Style = string;

export const PLAIN: Style = '';

/** The kinds of color, by the codes that define a color. */
const INK = 38;
const FILL = 48;
const INVERSE = 7;
/** Bold, dim, italic, underlined, inverse, strikethrough: each is a kind of its own. */
const attributes: readonly number[] = [1, 2, 3, 4, INVERSE, 9];

/** The kinds that a code ends. */
const ends: Readonly<Record<number, readonly number[]>> = {
  22: [1, 2],
  23: [3],
  24: [4],
  27: [INVERSE],
  29: [9],
  39: [INK],
  49: [FILL],
};

/** `style` after `CSI parameters m`. Ignores unknown codes. */
export function restyle(style: Style, parameters: string): Style {
  if (!/^[\d;:]*$/.test(parameters)) return style;
  const given = codesOf(withoutColons(parameters));
  let codes = codesOf(style).filter((code) => code > 0);
  for (let code = given.shift(); code !== undefined; code = given.shift()) {
    codes = changed(codes, code === INK || code === FILL ? mixed(code, given) : code);
  }
  return codes.join(';');
}

/** `38:2::R:G:B` is the same as `38;2;R;G;B`. */
function withoutColons(parameters: string): string {
  return parameters.replace(/8:2:\d*:(?=\d+:\d+:\d)/g, '8;2;').replaceAll(':', ';');
}

function codesOf(parameters: string): number[] {
  return parameters.split(';').map(Number);
}

function changed(codes: readonly number[], code: number): number[] {
  if (code === 0) return [];
  const kind = kindOf(code);
  const ended = kind === undefined ? (ends[code] ?? []) : [kind];
  const others = codes.filter((other) => !ended.includes(kindOf(other) ?? 0));
  return kind === undefined ? others : [...others, code];
}

function kindOf(code: number): number | undefined {
  if ((code >= 30 && code < 38) || (code >= 90 && code < 98)) return INK;
  if ((code >= 40 && code < 48) || (code >= 100 && code < 108)) return FILL;
  return attributes.includes(code) ? code : undefined;
}

/**
 * Removes a color's parameters from the front of `given` and returns the code of the nearest of the sixteen.
 */
function mixed(kind: number, given: number[]): number {
  const mode = given.shift();
  const color = mode === 2 ? nearest(given.splice(0, 3)) : mode === 5 ? ofPalette(given.shift() ?? 0) : -1;
  if (color < 0) return color;
  return color < 8 ? kind - 8 + color : kind + 52 + color - 8;
}

/** The palette of 256: sixteen colors, a cube of 6 × 6 × 6, and 24 grays. */
function ofPalette(index: number): number {
  if (index < 16) return index;
  if (index >= 232) return nearest([0, 0, 0].map(() => 8 + 10 * (index - 232)));
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  return nearest([36, 6, 1].map((weight) => level(Math.floor((index - 16) / weight) % 6)));
}

/**
 * By hue, so that colors with different meanings stay different; by brightness if the color has hardly any
 * hue.
 */
function nearest([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) return most < 64 ? 0 : most < 160 ? 8 : most < 224 ? 7 : 15;
  const middle = (most + least) / 2;
  const hue = [red, green, blue].reduce((sum, part, bit) => sum + (part > middle ? 1 << bit : 0), 0);
  return most < 200 ? hue : hue + 8;
}

/**
 * The classes of a text: `sgr-` and a code, the color's first. With `sgr-fill` the color is the background.
 * The text on it keeps the page's own color, which is readable on each.
 */
export function classesOf(style: Style): string {
  const codes = codesOf(style);
  const [ink, fill] = [INK, FILL].map((kind) => codes.find((code) => kindOf(code) === kind));
  const isInverse = codes.includes(INVERSE);
  const ground = isInverse ? ink : fill && fill - 10;
  const looks = codes.filter((code) => code !== INVERSE && attributes.includes(code));
  if (ground) return names([ground, 'fill', ...looks]);
  return names([isInverse ? INVERSE : (ink ?? 0), ...looks].filter(Boolean));
}

function names(codes: readonly (number | string)[]): string {
  return codes.map((code) => `sgr-${code}`).join(' ');
}
