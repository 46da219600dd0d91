import { say } from '../../../protocol/say.ts';
import type { Vendor, WireOptions } from '../wire/vendor.ts';

export type AnthropicOptions = WireOptions;

export const ANTHROPIC: Vendor = {
  name: 'Anthropic',
  api: 'Claude API',
  baseUrl: 'https://api.anthropic.com',
  setting: 'harness.anthropic.baseUrl',
  needsKey: true,
  sentences: {
    overloaded: () => say('Claude is overloaded.'),
  },
};
