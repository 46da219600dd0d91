import { say } from '../../protocol/say.ts';
import { type ModelError, specOf, type Turn } from '../ports/model.ts';
import { describeBug, withRecoveryHint, withSimilarModels } from './describe-error.ts';
import { switchToChosenModel, switchToFallbackModel } from './fallback-model.ts';
import { Reply } from './reply.ts';
import { retryDelay } from './retry.ts';
import type { Run } from './run.ts';

export type ReplyOutcome =
  | { readonly end: 'completed'; readonly reply: Reply }
  | { readonly end: 'cancelled' }
  | { readonly end: 'failed' };

/**
 * Sends one request, and retries where that can help, until a reply is complete. Logs every failure before it
 * resolves.
 */
export async function streamReply(run: Run): Promise<ReplyOutcome> {
  for (let attempt = 1; ; attempt++) {
    const reply = await attemptReply(run);
    if (run.signal.aborted) {
      reply.end('cancelled');
      return { end: 'cancelled' };
    }
    if (reply.stop === 'refusal' || reply.error?.kind === 'refusal') {
      reply.end('refused');
      return await giveUp(run, REFUSED);
    } else if (reply.error) {
      reply.end('discarded');
      await run.writer.flush();
      const way = await wayOn(run, reply.error, attempt, reply.hadOutput);
      if (way === 'none') return await giveUp(run, await withSimilarModels(reply.error, run));
      if (way === 'other model') attempt = 0;
    } else {
      reply.end('completed');
      return { end: 'completed', reply };
    }
  }
}

const REFUSED: ModelError = {
  kind: 'refusal',
  message: say(
    'The model declined this request. Harness leaves this prompt out of the next requests. Rephrase it.',
  ),
  retryable: false,
};

/**
 * Milliseconds for which the loop reads events without a yield. Until it yields, the panel gets no update and
 * Harness cannot handle a click on Stop.
 */
const MAX_BUSY_MS = 16;

/** Sends one request once. The caller must end the reply. */
export async function attemptReply(run: Run): Promise<Reply> {
  const request = run.nextRequest();
  const prefix = run.keepPrefix?.(run);
  await run.writer.append(
    { type: 'status', state: 'thinking', message: say('Thinking') },
    {
      type: 'request_started',
      request,
      provider: run.provider.name,
      model: run.model,
      ...(prefix !== undefined && { prefix }),
    },
  );
  // Puts what the request is made from on disk before it is sent. If that fails, the writer has reported
  // it, and Harness sends the request anyway.
  await run.writer.sync().catch(() => undefined);
  const reply = new Reply(run.writer, request, run.uniqueCallId);
  try {
    const events = run.provider.streamTurn(await requestOf(run), run.signal);
    let rested = run.clock.monotonic();
    for await (const event of events) {
      if (run.signal.aborted) break;
      await reply.add(event);
      if (run.clock.monotonic() - rested < MAX_BUSY_MS) continue;
      await run.clock.yield();
      rested = run.clock.monotonic();
    }
  } catch (error) {
    reply.error = unexpected(run, error);
  }
  if (!run.signal.aborted && !reply.stop && !reply.error) reply.error = INCOMPLETE;
  return reply;
}

/** A stream must not throw. One that does is a bug in Harness, and it must not leave the reply open. */
function unexpected(run: Run, error: unknown): ModelError {
  run.logger.error(
    `The provider failed unexpectedly: ${error instanceof Error ? error.stack : String(error)}`,
  );
  return { kind: 'server', message: describeBug(error), retryable: false };
}

const INCOMPLETE: ModelError = {
  kind: 'stream_incomplete',
  message: say('The response ended before it was complete.'),
  retryable: true,
};

async function requestOf(run: Run): Promise<Turn> {
  return {
    model: run.model,
    system: run.system,
    messages: await run.images.load(run.transcript.messages()),
    tools: run.tools.map(specOf),
    maxTokens: run.maxTokens,
    effort: run.effort,
    session: run.session,
  };
}

/** Decides what to do after a failed attempt. To send again, resolves when it is time. */
async function wayOn(
  run: Run,
  error: ModelError,
  attempt: number,
  hadOutput: boolean,
): Promise<'again' | 'other model' | 'none'> {
  const delayMs = retryDelay(error, attempt, hadOutput, run.random);
  if (delayMs === undefined) return (await switchToFallbackModel(run, error)) ? 'other model' : 'none';
  await run.writer.append({ type: 'retry', attempt, delayMs, code: error.kind, message: error.message });
  await waitForRetry(run, delayMs);
  return !run.signal.aborted && (await switchToChosenModel(run)) ? 'other model' : 'again';
}

async function waitForRetry(run: Run, delayMs: number): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([
    run.clock.sleep(delayMs, AbortSignal.any([run.signal, waiting.signal])),
    run.retryNow(),
  ]);
  waiting.abort();
}

async function giveUp(run: Run, error: ModelError): Promise<ReplyOutcome> {
  if (run.signal.aborted) return { end: 'cancelled' };
  const { kind, retryable } = error;
  await run.writer.append({
    type: 'error',
    code: kind,
    message: withRecoveryHint(error, run.clock.now()),
    retryable,
  });
  return { end: 'failed' };
}
