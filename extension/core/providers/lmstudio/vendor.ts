import { say } from '../../../protocol/say.ts';
import { hostOf, quote } from '../http/error-sentence.ts';
import type { Vendor } from '../http/vendor.ts';

/** As Node and as Electron say it. */
const REFUSED = /ECONNREFUSED|ERR_CONNECTION_REFUSED/;

export const LM_STUDIO: Vendor = {
  name: 'LM Studio',
  api: 'LM Studio API',
  baseUrl: 'http://127.0.0.1:1234/v1',
  setting: 'harness.lmstudio.baseUrl',
  needsKey: false,
  sentences: {
    network: ({ baseUrl, text = '', vendor }) =>
      REFUSED.test(text)
        ? say(
            'LM Studio is not running at {0}. Start its server there (“lms server start”, or the page “Developer”), or set its address in “{1}”.',
            hostOf(baseUrl),
            vendor.setting,
          )
        : say(
            'The connection to LM Studio at {0} failed{1}. See there whether the model still runs.',
            hostOf(baseUrl),
            quote(text),
          ),
    not_found: ({ model, text }) =>
      say(
        'LM Studio cannot use the model “{0}”{1}. Load it there, or choose another one with “Harness: Select Model”.',
        model,
        quote(text),
      ),
    empty_response: ({ model }) =>
      say(
        'The answer of “{0}” was empty. The conversation may be longer than the context with which LM Studio has loaded it: load it with a larger one.',
        model,
      ),
  },
};
