import * as z from 'zod/mini';

/** The locale of numbers, too. */
const language = globalThis.document?.documentElement.lang || 'en';

/** Maps English sentences to the user's language. */
const bundle = readBundle();

/** The bundle of VS Code's display language, which the host puts into the page. Empty for English. */
function readBundle(): Readonly<Record<string, string>> {
  const source = globalThis.document?.getElementById('l10n')?.textContent ?? '';
  if (source === '') return {};
  return z.record(z.string(), z.string()).safeParse(JSON.parse(source)).data ?? {};
}

/** Formats a number for the user's locale. */
export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return value.toLocaleString(language, options);
}

/** Localizes `message`; English if the bundle does not have it. `values` replace `{0}`, `{1}` …. */
export function t(message: string, ...values: readonly (string | number)[]): string {
  return (bundle[message] ?? message).replace(/\{(\d+)\}/g, (_, index) =>
    String(values[Number(index)] ?? ''),
  );
}
