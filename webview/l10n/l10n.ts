import * as z from 'zod/mini';

/** In which numbers are written, too. */
const language = globalThis.document?.documentElement.lang || 'en';

/** English sentences and what they are in the user's language. */
const bundle = readBundle();

/** The bundle of VS Code's display language, which the host puts into the page; empty for English. */
function readBundle(): Readonly<Record<string, string>> {
  const source = globalThis.document?.getElementById('l10n')?.textContent ?? '';
  if (source === '') return {};
  return z.record(z.string(), z.string()).safeParse(JSON.parse(source)).data ?? {};
}

/** A number as the user's language writes it. */
export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return value.toLocaleString(language, options);
}

/** `message` in the user's language, English where that has no word for it; `{0}`, `{1}` … stand for `values`. */
export function t(message: string, ...values: readonly (string | number)[]): string {
  return (bundle[message] ?? message).replace(/\{(\d+)\}/g, (_, index) =>
    String(values[Number(index)] ?? ''),
  );
}
