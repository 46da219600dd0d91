import { say } from '../../protocol/say.ts';
import type { ModelError, Turn } from '../ports/model.ts';
import { Reply } from './reply.ts';
import { retryDelay } from './retry.ts';
import type { Run } from './run.ts';

export type ReplyOutcome =
  | { readonly end: 'completed'; readonly reply: Reply }
  | { readonly end: 'cancelled' }
  | { readonly end: 'failed' };

/** Sends one request, again where that can help, until a reply is complete. Every failure is in the log when it returns. */
export async function streamReply(run: Run): Promise<ReplyOutcome> {
  for (let attempt = 1; ; attempt++) {
    const reply = await attemptReply(run);
    if (run.signal.aborted) {
      await reply.end('cancelled');
      return { end: 'cancelled' };
    }
    if (reply.error) {
      await reply.end('discarded');
      if (!(await waitForRetry(run, reply.error, attempt, reply.hadOutput)))
        return await giveUp(run, reply.error);
    } else if (reply.stop === 'refusal') {
      await reply.end('refused');
      return await giveUp(run, REFUSED);
    } else {
      await reply.end('completed');
      return { end: 'completed', reply };
    }
  }
}

const REFUSED: ModelError = {
  kind: 'refusal',
  message: say(
    'The model declined this request. Your prompt is left out of what it sees next; put it in other words.',
  ),
  retryable: false,
};

/** Milliseconds for which what has arrived is read at a stretch: meanwhile the panel does not get it, and a click on Stop is not heard. */
const MAX_STRETCH_MS = 16;

async function attemptReply(run: Run): Promise<Reply> {
  const request = run.nextRequest();
  await run.recorder.append(
    { type: 'status', state: 'thinking', message: say('Thinking') },
    { type: 'request_started', request, provider: run.provider.name, model: run.model },
  );
  const reply = new Reply(run.recorder, request, run.uniqueCallId);
  try {
    const events = run.provider.streamTurn(await requestOf(run), run.signal);
    let rested = run.clock.monotonic();
    for await (const event of events) {
      if (run.signal.aborted) break;
      await reply.add(event);
      if (run.clock.monotonic() - rested < MAX_STRETCH_MS) continue;
      await run.clock.yield();
      rested = run.clock.monotonic();
    }
  } catch (error) {
    reply.error = unexpected(run, error);
  }
  if (!run.signal.aborted && !reply.stop && !reply.error) reply.error = INCOMPLETE;
  return reply;
}

/** A stream must not throw; one that does is a bug of ours, which must not leave the reply open. */
function unexpected(run: Run, error: unknown): ModelError {
  run.logger.error(
    `The provider failed unexpectedly: ${error instanceof Error ? error.stack : String(error)}`,
  );
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: 'server', message: say('Something in Harness failed: {0}', reason), retryable: false };
}

const INCOMPLETE: ModelError = {
  kind: 'stream_incomplete',
  message: say('The reply ended before it was complete.'),
  retryable: true,
};

async function requestOf(run: Run): Promise<Turn> {
  const tools = run.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    model: run.model,
    system: run.system,
    messages: await run.images.load(run.transcript.messages()),
    tools,
    maxTokens: run.maxTokens,
  };
}

/** True when it is time to send again; false when the error is to be shown instead. */
async function waitForRetry(
  run: Run,
  error: ModelError,
  attempt: number,
  hadOutput: boolean,
): Promise<boolean> {
  const delayMs = retryDelay(error, attempt, hadOutput, run.random);
  if (delayMs === undefined) return false;
  await run.recorder.append({ type: 'retry', attempt, delayMs, code: error.kind, message: error.message });
  const waiting = new AbortController();
  await Promise.race([
    run.clock.sleep(delayMs, AbortSignal.any([run.signal, waiting.signal])),
    run.retryNow(),
  ]);
  waiting.abort();
  return true;
}

async function giveUp(run: Run, error: ModelError): Promise<ReplyOutcome> {
  if (run.signal.aborted) return { end: 'cancelled' };
  const { kind, message, retryable } = error;
  await run.recorder.append({
    type: 'error',
    code: kind,
    message: withWait(message, error.retryAfterMs),
    retryable,
  });
  return { end: 'failed' };
}

function withWait(message: string, retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return message;
  const minutes = Math.ceil(retryAfterMs / 60_000);
  return minutes === 1
    ? say('{0.} The server asks to wait {1} minute.', message, minutes)
    : say('{0.} The server asks to wait {1} minutes.', message, minutes);
}
