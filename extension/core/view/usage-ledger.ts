import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import type { Ledger, ModelLedger } from '../../protocol/ledger.ts';

/**
 * The usage of a session from its log's `events`. For a fork, it excludes the events copied from the other
 * session.
 */
export function ledgerOf(events: readonly SessionEvent[]): Ledger {
  const start = events.find((event) => event.type === 'session_started');
  const forkedAt = start?.forkedFrom?.seq;
  if (forkedAt === undefined) return sumOf(events);
  return { ...sumOf(events.filter(({ seq }) => seq >= forkedAt)), isFork: true };
}

function sumOf(events: readonly SessionEvent[]): Ledger {
  const models = new Map<string, ModelLedger>();
  const ledger = { prompts: 0, milliseconds: 0 };
  let asked: ModelLedger | undefined;
  let isReported = false;
  let startedAt: number | undefined;
  for (const event of events) {
    if (event.type === 'user') ledger.prompts += 1;
    else if (event.type === 'turn_started') startedAt = event.timestamp;
    else if (event.type === 'turn_ended') {
      ledger.milliseconds += Math.max(0, event.timestamp - (startedAt ?? event.timestamp));
    } else if (event.type === 'request_started') {
      asked = entryOf(models, event);
      asked.requests += 1;
      isReported = false;
    } else if (event.type === 'usage' && asked) {
      addUsage(asked, event);
      isReported = true;
    } else if (event.type === 'request_ended' && asked && !isReported) addUnreported(asked, event);
  }
  return { ...ledger, models: [...models.values()] };
}

function entryOf(
  models: Map<string, ModelLedger>,
  { provider, model }: EventOf<'request_started'>,
): ModelLedger {
  const key = `${provider}/${model}`;
  const entry = models.get(key) ?? { provider, model, requests: 0, ...nothing };
  models.set(key, entry);
  return entry;
}

const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0 };

/** Only a reply that counts has surely used tokens. */
function addUnreported(entry: ModelLedger, { outcome }: EventOf<'request_ended'>): void {
  if (outcome !== 'completed' && outcome !== 'cancelled') return;
  entry.unreported = (entry.unreported ?? 0) + 1;
  delete entry.cost;
}

/** The cost is unknown if any part of it is unknown. */
function addUsage(entry: ModelLedger, usage: EventOf<'usage'>): void {
  entry.inputTokens += usage.inputTokens;
  entry.outputTokens += usage.outputTokens;
  entry.cacheReadTokens += usage.cacheReadTokens;
  entry.cacheWriteTokens += usage.cacheWriteTokens;
  if (usage.estimated) entry.estimated = true;
  if (usage.cost === undefined) delete entry.cost;
  else if (entry.cost !== undefined) entry.cost += usage.cost;
}
