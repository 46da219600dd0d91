/** Characters at the end of `text` that `literal` begins with, but not the whole of it; `mayBegin` where it may begin in `text`. */
export function overlap(
  text: string,
  literal: string,
  mayBegin: (text: string, at: number) => boolean = () => true,
): number {
  const first = literal.charAt(0);
  let at = text.indexOf(first, Math.max(0, text.length - literal.length + 1));
  while (at >= 0 && !(literal.startsWith(text.slice(at)) && mayBegin(text, at)))
    at = text.indexOf(first, at + 1);
  return at < 0 ? 0 : text.length - at;
}
