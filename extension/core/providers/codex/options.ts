import type { Vendor } from '../wire/vendor.ts';

/** The name of this provider, also in its opaque blocks. */
export const CODEX_NAME = 'codex';

export const OPENAI: Vendor = {
  name: 'OpenAI',
  api: 'OpenAI API',
  baseUrl: 'https://api.openai.com/v1',
  setting: 'harness.codex.baseUrl',
  needsKey: true,
  // This error comes and goes for the same request: https://github.com/openai/codex/issues/8128.
  kinds: [[/invalid_encrypted_content/, 'server']],
};
