import type { Vendor } from '../wire/vendor.ts';

/** The name of this provider, also in the opaque pieces that it made. */
export const CODEX_NAME = 'codex';

export const OPENAI: Vendor = {
  name: 'OpenAI',
  api: 'OpenAI API',
  baseUrl: 'https://api.openai.com/v1',
  setting: 'harness.codex.baseUrl',
  needsKey: true,
  // https://github.com/openai/codex/issues/8128: it comes and goes with the same request.
  kinds: [[/invalid_encrypted_content/, 'server']],
};
