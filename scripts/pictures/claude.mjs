// A scripted Claude on 127.0.0.1, because the pictures show the product, not a model.
import { playScript } from '../lib/claude/fake-anthropic.ts';

/** @typedef {import('../lib/claude/anthropic-script.ts').ScriptedReply} ScriptedReply */

/** @type {ScriptedReply} */
const nothingToSay = {
  status: 400,
  body: {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'The script has no reply for this request.' },
  },
};

export async function startClaude() {
  /** @type {ScriptedReply[]} */
  const replies = [];
  const fake = await playScript(() => replies.shift() ?? nothingToSay);
  return {
    url: fake.url,
    close: fake.close,
    /** Sets the next replies, in this order. @param {...ScriptedReply} next */
    says: (...next) => void replies.push(...next),
  };
}

/**
 * A text, then tool calls.
 * @param {string} text @param {...[name: string, input: object]} calls @returns {ScriptedReply}
 */
export function reply(text, ...calls) {
  const tools = calls.map(([name, input]) => ({ type: /** @type {const} */ ('tool_use'), name, input }));
  return { blocks: [{ type: 'text', text }, ...tools], chunkSize: 24 };
}

/** @param {string} thinking @param {ScriptedReply} reply @returns {ScriptedReply} */
export function afterThinking(thinking, { blocks = [], ...rest }) {
  return { ...rest, blocks: [{ type: 'thinking', thinking }, ...blocks] };
}
