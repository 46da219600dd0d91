import { expect, it } from 'vitest';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { MemoryRecording } from '../../../../extension/core/recording/memory-recording.ts';
import { SessionRecording } from '../../../../extension/core/recording/record/session-recording.ts';
import { thisProduct } from '../../../../extension/core/recording/replay/this-product.ts';
import { SecretFilter } from '../../../../extension/core/secrets/secret-filter.ts';
import { maskPolicy } from '../../../../extension/core/secrets/streaming-filter.ts';

const BROKEN = 'cannot be masked';

/** A recording that cannot write this text down. */
function breakable() {
  const sink = new MemoryRecording();
  const hide = (text: string) => {
    if (text === BROKEN) throw new Error(text);
    return text;
  };
  const policy = { hide, keepsLength: true, known: () => 0, settledLength: (text: string) => text.length };
  const clock = new ManualClock();
  const options = { sink, clock, policy, errors: thisProduct.errors };
  return {
    sink,
    clock,
    recording: new SessionRecording(options, { past: 0, repairs: [], home: '/home', has: [] }),
  };
}

async function* pieces(...texts: string[]) {
  yield* texts;
}

it('gives the session what it has asked for, also where that cannot be written down', async () => {
  const { sink, recording } = breakable();
  expect(await recording.call('port', [], async () => 'one')).toBe('one');
  const both = ['two', BROKEN].map((value) => recording.call('port', [], async () => value));
  expect(await Promise.all(both)).toEqual(['two', BROKEN]);
  expect(await recording.call('port', [BROKEN], async () => 'three')).toBe('three');
  const streamed: string[] = [];
  for await (const piece of recording.stream('port', [], () => pieces('four', BROKEN))) streamed.push(piece);
  expect(streamed).toEqual(['four', BROKEN]);
  await expect(recording.call('port', [], () => Promise.reject(new Error(BROKEN)))).rejects.toThrow(BROKEN);
  expect(recording.read('reading', () => BROKEN)).toBe(BROKEN);
  recording.input('prompt', [BROKEN]);
  expect(String(sink.failure)).toContain(BROKEN);
  expect(sink.entries.filter(({ kind }) => kind === 'end')).toMatchObject([{ value: 'one' }]);
});

it('looks for secrets in a large file once, and again where more is hidden', async () => {
  const secrets = new SecretFilter();
  const looked: number[] = [];
  const policy = {
    ...maskPolicy(secrets),
    hide: (text: string) => {
      if (text.length > 1_000_000) looked.push(text.length);
      return secrets.mask(text);
    },
  };
  const sink = new MemoryRecording();
  const options = { sink, clock: new ManualClock(), policy, errors: thisProduct.errors };
  const recording = new SessionRecording(options, { past: 0, repairs: [], home: '/home', has: [] });
  const bytes = new TextEncoder().encode(`${'a line\n'.repeat(200_000)}told-later-4711`);
  const read = () => recording.call('workspace.read', [], async () => ({ bytes }));
  await read();
  await read();
  expect(looked).toHaveLength(1);
  secrets.know(['told-later-4711']);
  await read();
  await read();
  expect(looked).toHaveLength(2);
  const kept = sink.entries.flatMap((entry) => (entry.kind === 'end' ? JSON.stringify(entry.value) : []));
  expect(kept[1]).toBe(kept[0]);
  expect(kept[2]).not.toBe(kept[0]);
  expect(kept[3]).toBe(kept[2]);
});

it('fails a call whose pieces nobody can take, and goes on with the others', async () => {
  const { recording } = breakable();
  const onPiece = () => {
    throw new Error('no more');
  };
  const call = recording.call('port', [], async (tell) => tell('a piece'), { onPiece });
  await expect(call).rejects.toThrow('no more');
  expect(await recording.call('port', [], async () => 'one')).toBe('one');
});

it('tells when each thing happened, in milliseconds from the start', async () => {
  const { sink, clock, recording } = breakable();
  clock.advance(200);
  const onPiece = () => {};
  await recording.call(
    'port',
    [],
    async (tell) => {
      clock.advance(1_500);
      tell('a piece');
      await Promise.resolve();
    },
    { onPiece },
  );
  clock.advance(70_000);
  recording.input('prompt', []);
  expect(sink.entries.map(({ kind, at }) => [kind, at])).toEqual([
    ['open', 0],
    ['start', 200],
    ['piece', 1_700],
    ['end', 1_700],
    ['input', 71_700],
  ]);
});
