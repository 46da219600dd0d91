import { say } from '../../../protocol/say.ts';
import { hostOf, quote } from '../wire/error-message.ts';
import type { Vendor } from '../wire/vendor.ts';

/** The name of this provider, also in its opaque blocks. */
export const OLLAMA_NAME = 'ollama';

export const OLLAMA: Vendor = {
  name: 'Ollama',
  api: 'Ollama server',
  baseUrl: 'http://127.0.0.1:11434',
  setting: 'harness.ollama.baseUrl',
  needsKey: false,
  sentences: {
    network: ({ text = '', baseUrl }) =>
      /ECONNREFUSED|ERR_CONNECTION_REFUSED/.test(text)
        ? say(
            'Ollama is not running at {0}. Start it (“ollama serve”), or enter its address in the setting “{1}”.',
            hostOf(baseUrl),
            OLLAMA.setting,
          )
        : undefined,
    not_found: ({ text = '', model }) =>
      /model/i.test(text)
        ? say(
            'Ollama has no model “{0}”. Get it with “ollama pull {1}”, or choose another one with “Harness: Select Model”.',
            model,
            model,
          )
        : undefined,
    server: ({ text, isNoReply }) =>
      isNoReply
        ? undefined
        : say(
            'Ollama had an internal error{0}. See its log for details. A smaller model may fit in memory.',
            quote(text),
          ),
  },
};
