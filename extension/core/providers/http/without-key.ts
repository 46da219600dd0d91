/** What the keys of Anthropic, of OpenAI and its like, of Groq, of Google and of xAI look like. */
const KEY = /sk-ant-[\w-]+|\b(sk-[\w-]{16,}|gsk_\w{16,}|AIza[\w-]{30,}|xai-\w{16,})/g;

/** A shorter one, as local servers take, is no secret but may be a word. */
const MIN_LENGTH = 8;

/** Takes the key out of a text that may quote it, plain or encoded. */
export function withoutKey(text: string, apiKey: string): string {
  const forms = apiKey.length < MIN_LENGTH ? [] : [apiKey, encodeURIComponent(apiKey), base64(apiKey)];
  return forms.reduce((left, form) => left.replaceAll(form, '…'), text).replace(KEY, '…');
}

/** Without padding, as part of a longer text it has none. */
function base64(key: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(key))).replace(/=+$/, '');
}
