import type { TraceRecord } from '../ports/trace-sink.ts';

const MAX_LENGTH = 400;

/**
 * Formats a record as a line for the user. Empty for a record that another one repeats: a delta, or an event
 * before its translation.
 */
export function prettyRecord(record: TraceRecord): string {
  switch (record.type) {
    case 'turn_start': {
      const { model, messages, tools } = record.turn;
      return `▸ ${record.provider}/${model} · ${messages.length} messages · ${tools.length} tools`;
    }
    case 'request':
      return `  → ${record.request.method} ${record.request.url} ${short(record.request.body)}`;
    case 'response':
      return `  ← ${record.response.status}`;
    case 'wire':
      return `  ← ${short(record.text)}`;
    case 'raw_event':
      return '';
    case 'event':
      return record.kind.endsWith('_delta') ? '' : prettyEvent(record);
    case 'turn_end':
      return `■ ${record.outcome} · ${record.total_ms} ms${tokens(record.usage)}`;
    case 'cut':
      return '… the log has become too long';
  }
}

function prettyEvent(record: Extract<TraceRecord, { type: 'event' }>): string {
  const { ts: _, type: _type, kind, latency_ms, ...fields } = record;
  const words = typeof fields.text === 'string' ? fields.text : JSON.stringify(fields);
  return `  ${String(latency_ms).padStart(6)} ms  ${kind}  ${short(words)}`;
}

function tokens(usage: Extract<TraceRecord, { type: 'turn_end' }>['usage']): string {
  return usage ? ` · ${usage.inputTokens} tokens in, ${usage.outputTokens} out` : '';
}

/** Shortens a text to one line. */
function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_LENGTH ? line : `${[...line.slice(0, MAX_LENGTH)].slice(0, -1).join('')}…`;
}
