// The loop: request, tools, request … until the model asks for no more.

import type { EndReason } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { LoopDetector } from './loop-detector.ts';
import type { Reply } from './reply.ts';
import type { Run } from './run.ts';
import { streamReply } from './stream-reply.ts';
import { callTools } from './tool-calls.ts';

/**
 * After this many replies in a row that were cut off inside a call, Harness informs the user instead of the
 * model.
 */
const MAX_CUTS = 3;

/** With this many requests left, the model learns of the limit. */
const LAST_TURNS = 10;

/** Works on what the transcript ends with. Resolves with the reason for `turn_ended`. */
export async function runPrompt(run: Run): Promise<EndReason> {
  const repeats = new LoopDetector();
  let cuts = 0;
  let turns = 0;
  let isWarned = false;
  while (turns++ < run.maxTurns) {
    const outcome = await streamReply(run);
    if (outcome.end !== 'completed') return outcome.end === 'failed' ? 'error' : 'cancelled';
    const { reply } = outcome;
    const cut = reply.stop === 'length' ? reply.cutCall : undefined;
    cuts = cut ? cuts + 1 : 0;
    const isStuck = await answerCalls(run, reply, repeats);
    if (run.signal.aborted) return 'cancelled';
    if (isStuck) return 'error';
    if (reply.stop === 'context_exceeded') return contextFull(run);
    if (cuts >= MAX_CUTS) return cutShort(run);
    if (cut) await reportCut(run, cut);
    else if (isLast(reply) && !(reply.stop !== 'length' && run.steering.isWaiting)) return finish(run, reply);
    if (isPaused(reply)) continue;
    // A message from the user during the run counts as a prompt and gets a prompt's number of turns.
    if (await run.steering.deliver(run.writer)) {
      turns = 0;
      isWarned = false;
    }
    if (!isWarned) isWarned = await warnOfLimit(run, run.maxTurns - turns);
  }
  return 'max_turns';
}

/** Says to the model, before its last requests, how many are left. Resolves with whether it did. */
async function warnOfLimit({ maxTurns, writer }: Run, left: number): Promise<boolean> {
  if (left < 1 || left > LAST_TURNS || maxTurns <= LAST_TURNS) return false;
  await writer.append({
    type: 'notice',
    message: say('Requests left for this prompt: {0}.', left),
    toModel: `Requests left for this prompt: ${left} of ${maxTurns}. Finish what you can, and leave the work in a state that holds.`,
  });
  return true;
}

/**
 * Runs the calls of a reply. Resolves with true if the model repeats a failing call and the run must stop.
 */
async function answerCalls(run: Run, { calls }: Reply, repeats: LoopDetector): Promise<boolean> {
  const results = await callTools(run, calls);
  for (const [index, call] of calls.entries()) {
    const result = results[index];
    if (result) repeats.add(call, result);
  }
  return !run.signal.aborted && (await repeats.stop(run));
}

/** The model asks for no more. */
function isLast(reply: Reply): boolean {
  return reply.calls.length === 0 && reply.stop !== 'pause';
}

/** The next reply continues this one, so the loop must not insert a message between them. */
function isPaused(reply: Reply): boolean {
  return reply.calls.length === 0 && reply.stop === 'pause';
}

async function finish(run: Run, reply: Reply): Promise<EndReason> {
  if (reply.stop === 'length') return cutShort(run);
  if (!reply.hasText) await run.writer.append({ type: 'notice', message: NO_ANSWER });
  return 'done';
}

const NO_ANSWER = say('The model returned an empty response. Try again, rephrase, or select another model.');

async function contextFull(run: Run): Promise<EndReason> {
  const message = say(
    'The conversation has filled the model’s context window. Use “Harness: Compact Conversation”, start a new session, or choose a model with a larger context window.',
  );
  await run.writer.append({ type: 'error', code: 'context_overflow', message, retryable: false });
  return 'error';
}

async function cutShort(run: Run): Promise<EndReason> {
  const message = say(
    'The response was cut off at the limit of {0} tokens. Increase “harness.maxTokens”, or let the model continue.',
    run.maxTokens,
  );
  await run.writer.append({ type: 'error', code: 'max_tokens', message, retryable: true });
  return 'error';
}

async function reportCut(run: Run, tool: string): Promise<void> {
  await run.writer.append({
    type: 'notice',
    message: say('The response was cut off inside a call to {0}. The call was not run.', tool),
    toModel: `Your reply was cut off at the limit of ${run.maxTokens} tokens inside a call to ${tool}. Nothing of that call was run. Do it in smaller pieces.`,
  });
}
