// Takes the place of two parts of the SDK in the built provider (see esbuild.mjs).

/** The classes of errors by their codes: `sdk-error.ts` reads status and body, which every error of the SDK has. */
export const ERROR_CODE_CLASSES: ReadonlyMap<string, unknown> = new Map();

/** What a list of models is asked with has no lists and no objects in it. */
export function stringifyQuery(query: Readonly<Record<string, string | number>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return String(search);
}
