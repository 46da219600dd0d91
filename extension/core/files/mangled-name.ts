/** A name on the disk that is not UTF-8 is read as one with this character in it, and nothing is found by that. */
export function isMangled(name: string): boolean {
  return name.includes('\ufffd');
}
