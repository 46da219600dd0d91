// The streams of the fixtures, and one with characters of several bytes, as bytes to be split and cut.
import type { ModelEvent } from '../../../../extension/core/ports/model.ts';
import {
  completeBlocks,
  renderReply,
  type ScriptedReply,
} from '../../../../scripts/lib/claude/anthropic-script.ts';
import type { Exchange } from '../../../../scripts/lib/wire/wire-server.ts';
import { answering, bytesOf } from '../../../support/wire/fixtures.ts';
import { ask, fixtures, MODEL } from './support.ts';

export interface TriedStream {
  readonly id: string;
  readonly exchange: Exchange;
  readonly bytes: Uint8Array;
}

const MULTIBYTE: ScriptedReply = {
  blocks: [
    { type: 'thinking', thinking: 'déjà vu 考え' },
    { type: 'text', text: 'Grüße, 世界 👩‍👩‍👧 \u0000 "quoted" \\' },
    { type: 'tool_use', name: 'write', input: { path: 'ü/日本.ts', content: '😀\r\n' } },
  ],
  chunkSize: 5,
};

function multibyte(): Exchange {
  const chunks = renderReply(MULTIBYTE, completeBlocks(MULTIBYTE, ''), MODEL);
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, chunks, close: 'end' };
}

const whole = fixtures.filter(
  ({ chunks, close, status }) => chunks.length > 1 && close === 'end' && status === 200,
);

export const streams: readonly TriedStream[] = [
  ...whole.map((given) => ({ id: given.id, exchange: given })),
  { id: 'multibyte', exchange: multibyte() },
].map((stream) => ({ ...stream, bytes: Buffer.concat(bytesOf(stream.exchange)) }));

export function reply({ exchange }: TriedStream, ...chunks: readonly Uint8Array[]): Promise<ModelEvent[]> {
  return ask({ fetch: answering(exchange, chunks) });
}

/** Where a stream differs from the first one; what comes before need not be tried with each of them. */
export function firstOfItsOwn(bytes: Uint8Array): number {
  const first = streams[0]?.bytes ?? bytes;
  return bytes === first ? 0 : bytes.findIndex((byte, at) => byte !== first[at]);
}
