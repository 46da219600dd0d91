import { afterAll, afterEach, expect } from 'vitest';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import {
  type FakeAnthropic,
  type FakeOptions,
  playScript,
} from '../../../scripts/lib/claude/fake-anthropic.ts';

/** A Claude on 127.0.0.1 that says what each test tells it to say. */
export interface Claude extends FakeAnthropic {
  /** Its next replies, in this order. */
  says(...replies: readonly ScriptedReply[]): void;
}

/**
 * One Claude for a vitest file. A test fails that asks for more than it was told to say, that leaves something unsaid,
 * or whose requests the real API would refuse. Conversations are told apart by their first prompt, which must differ.
 */
export async function useClaude(options: FakeOptions = {}): Promise<Claude> {
  let replies: ScriptedReply[] = [];
  const speechless: ScriptedReply[] = [];
  const fake = await playScript(() => {
    const reply = replies.shift();
    if (reply === undefined) speechless.push(NOTHING_TO_SAY);
    return reply ?? NOTHING_TO_SAY;
  }, options);
  afterEach(() => {
    const unsaid = replies;
    replies = [];
    expect(fake.violations).toEqual([]);
    expect(unsaid, 'what was not asked for').toEqual([]);
    expect(speechless.splice(0), 'what nobody told it to say').toEqual([]);
  });
  afterAll(() => fake.close());
  return { ...fake, says: (...next) => void replies.push(...next) };
}

const NOTHING_TO_SAY: ScriptedReply = {
  status: 400,
  body: {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'the test has no reply for this request' },
  },
};

/** A reply that is only words. */
export function words(text: string): ScriptedReply {
  return { blocks: [{ type: 'text', text }] };
}

/** A reply that calls one tool. */
export function call(name: string, input: object, text?: string): ScriptedReply {
  const tool = { type: 'tool_use', name, input } as const;
  return { blocks: text === undefined ? [tool] : [{ type: 'text', text }, tool] };
}
