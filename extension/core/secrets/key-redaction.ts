/** Matches keys of Anthropic, OpenAI and compatible servers, Groq, Google and xAI. */
const KEY = /sk-ant-[\w-]+|\b(sk-[\w-]{16,}|gsk_\w{16,}|AIza[\w-]{30,}|xai-\w{16,})/g;

/** A shorter key may be a word. Local servers take such keys, and they are no secrets. */
const MIN_LENGTH = 8;

/** Removes a key from a text that may quote it, plain or encoded. */
export function withoutKey(text: string, apiKey: string): string {
  return withoutForms(text, formsOf(apiKey));
}

/** Removes `forms` from a text, and everything else that looks like a key. */
export function withoutForms(text: string, forms: readonly string[]): string {
  return forms.reduce((left, form) => left.replaceAll(form, '…'), text).replace(KEY, '…');
}

/**
 * The forms in which a text may quote a key: plain, its UTF-8 bytes, in an address, in JSON, in JSON within
 * JSON, and in Base64. In Base64, the key may be a part of something longer.
 */
export function formsOf(key: string): string[] {
  if (key.length < MIN_LENGTH) return [];
  const bytes = [...new TextEncoder().encode(key)];
  const encoded = [[], [0], [0, 0]].flatMap((before) => base64Forms(before, bytes));
  const plain = [key, String.fromCharCode(...bytes)];
  const inJson = [escapedInJson(key), escapedInJson(escapedInJson(key))];
  return [...new Set([...plain, encodeURIComponent(key), ...inJson, ...encoded])];
}

function escapedInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** `before` is the bytes before the key. Characters that share bits with neighboring bytes are left out. */
function base64Forms(before: readonly number[], key: readonly number[]): string[] {
  const text = btoa(String.fromCharCode(...before, ...key)).replace(/=+$/, '');
  const shared = [0, 2, 3][before.length] ?? 0;
  const inner = text.slice(shared, (before.length + key.length) % 3 === 0 ? undefined : -1);
  const forms = before.length === 0 ? [text, inner] : [inner];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
