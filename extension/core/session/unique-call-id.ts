/** `id`, or one like it that is not taken: some models repeat themselves, and a history with that is refused. */
export function uniqueCallId(id: string, taken: ReadonlySet<string>): string {
  const wanted = id || 'call';
  let unique = wanted;
  for (let n = 2; taken.has(unique); n++) unique = `${wanted}_${n}`;
  return unique;
}
