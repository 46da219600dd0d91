// Replaces the conversation with a summary that the model writes.

import type { EndReason, EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { fillTemplate } from '../context/system-prompt.ts';
import instructions from '../context/templates/compaction.md' with { type: 'text' };
import { conversationText } from '../log/conversation-text.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { Run } from './run.ts';
import { streamReply } from './stream-reply.ts';

/**
 * Asks the model for a summary of the transcript. Logs it as a `compaction` of everything up to event
 * `through`. If that fails, the log says why, and the conversation stays as it is.
 */
export async function compact(run: Run, through: number): Promise<EndReason> {
  await run.writer.append({
    type: 'status',
    state: 'thinking',
    message: say('Compacting the conversation'),
  });
  const listener = new SummaryRecorder(run.writer);
  const outcome = await streamReply({ ...run, ...request(run), writer: listener });
  if (outcome.end !== 'completed') return outcome.end === 'failed' ? 'error' : 'cancelled';
  const summary = listener.summary.trim();
  if (summary === '' || outcome.reply.stop === 'length') return fail(run);
  await run.writer.append({ type: 'compaction', summary, through });
  return 'done';
}

/**
 * Sends the conversation as one text. As messages, it would need its tools and its system prompt to be valid.
 */
function request({ transcript }: Run): Pick<Run, 'system' | 'tools' | 'transcript'> {
  const text = conversationText(transcript.messages());
  const messages = [{ role: 'user', content: [{ type: 'text', text }] }] as const;
  return { system: fillTemplate(instructions), tools: [], transcript: { messages: () => messages } };
}

async function fail(run: Run): Promise<EndReason> {
  await run.writer.append(
    notCompacted(say('The model returned an incomplete summary. Try again, or select another model.')),
  );
  return 'error';
}

function notCompacted(why: string, code = 'compaction'): EventDraft {
  return {
    type: 'error',
    code,
    message: say('The conversation was not compacted and continues unchanged. {0.}', why),
    retryable: false,
  };
}

/** Keeps the reply's blocks out of the log and collects its text for the summary. */
class SummaryRecorder implements Pick<LogWriter, 'stage' | 'flush' | 'append' | 'sync' | 'delta'> {
  summary = '';
  readonly #writer: Run['writer'];

  constructor(writer: Run['writer']) {
    this.#writer = writer;
  }

  stage(...drafts: readonly EventDraft[]): void {
    this.#writer.stage(...drafts.flatMap((draft) => this.#take(draft)));
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  async append(...drafts: readonly EventDraft[]): Promise<void> {
    this.stage(...drafts);
    await this.flush();
  }

  sync(): Promise<void> {
    return this.#writer.sync();
  }

  delta(): void {}

  #take(draft: EventDraft): readonly EventDraft[] {
    switch (draft.type) {
      case 'text':
        this.summary += draft.content;
        return [];
      case 'request_started':
        this.summary = '';
        return [draft];
      case 'request_ended':
        // A `refused` outcome would take back the newest prompt.
        return [draft.outcome === 'refused' ? { ...draft, outcome: 'discarded' } : draft];
      case 'error':
        return [
          draft.code === 'refusal'
            ? notCompacted(REFUSED, draft.code)
            : notCompacted(draft.message, draft.code),
        ];
      case 'usage':
      case 'retry':
        return [draft];
      default:
        return [];
    }
  }
}

const REFUSED = say('The model declined to summarize the conversation. Select another model.');
