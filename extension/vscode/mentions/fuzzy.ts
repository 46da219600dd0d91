// How well a path fits what somebody types to find it.

/** Higher is better; undefined where it does not fit. Letters may be left out but not exchanged; case does not matter. */
export function fuzzyScore(query: string, path: string): number | undefined {
  const wanted = query.toLowerCase();
  const whole = path.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/', whole.length - 2) + 1);
  const shortness = -path.length / 10;
  const inName = name.indexOf(wanted);
  if (inName === 0) return 1_000 + shortness;
  if (inName > 0) return (isWordStart(name, inName) ? 800 : 700) + shortness;
  const inPath = whole.indexOf(wanted);
  if (inPath >= 0) return (isWordStart(whole, inPath) ? 500 : 400) + shortness;
  const spread = spreadOf(wanted, name);
  if (spread !== undefined) return 300 - spread + shortness;
  const wide = spreadOf(wanted, whole);
  return wide === undefined ? undefined : 200 - wide + shortness;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** Characters between the first and the last that fit, which are not wanted; undefined where some are missing. */
function spreadOf(wanted: string, text: string): number | undefined {
  let at = -1;
  let first = -1;
  for (const character of wanted) {
    at = text.indexOf(character, at + 1);
    if (at < 0) return undefined;
    if (first < 0) first = at;
  }
  return at - first + 1 - wanted.length;
}
