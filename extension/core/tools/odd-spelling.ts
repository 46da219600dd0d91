// Spellings of a path that mean something else than they seem to. They are refused, so that what is shown, what is
// checked and what is touched are one path.

const URI = /^[a-z][a-z0-9+.-]+:\/\//i;

/** Why this spelling is refused, or undefined. */
export function oddSpelling(path: string, windows: boolean): string | undefined {
  if (path === '') return 'path is empty: give the path of a file or directory';
  if (path.includes('\0')) return 'path contains a NUL character';
  if (URI.test(path)) return `path is a URI: ${path}; give a plain path`;
  if (/^~([\\/]|$)/.test(path)) return `~ is not expanded: ${path}; give an absolute path`;
  return windows && oddOnWindows(path) ? `path is spelt in a way that is not accepted: ${path}` : undefined;
}

/** Devices, `\\server\share`, alternate streams, trailing dots and blanks, short names, reserved names. */
function oddOnWindows(path: string): boolean {
  if (/^[\\/]{2}|^[\\/]\?\?/.test(path)) return true;
  return path
    .replace(/^[a-z]:/i, '')
    .split(/[\\/]/)
    .some((segment) => segment !== '.' && segment !== '..' && isOddSegment(segment));
}

function isOddSegment(segment: string): boolean {
  return (
    /[:<>"|?*]/.test(segment) ||
    /[. ]$/.test(segment) ||
    /^[^.]{1,6}~\d+(\.[^.]{0,3})?$/.test(segment) ||
    /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(segment)
  );
}
