/** Loopback, and the networks that no one routes (RFC 1918, RFC 6762). */
const LOCAL =
  /^(localhost|\[::1\]|(127|10)(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|.*\.local)$/;

/** A server of the user's own, which may take minutes to load a model and minutes again to read a prompt. */
export function isLocalAddress(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && LOCAL.test(new URL(baseUrl).hostname);
}
