// Takes the place of the package `entities` in the built page (see esbuild.mjs): the browser knows every named character
// reference, and a table of them would be a twentieth of the bundle.
const decoder = document.createElement('textarea');

/** `reference`, such as `&copy;`, as its character; as it is where HTML knows no such name. */
export function decodeHTMLStrict(reference: string): string {
  // The content of a text area is text, whatever is in it.
  decoder.innerHTML = reference;
  return decoder.value;
}
