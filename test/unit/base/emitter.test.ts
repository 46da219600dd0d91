import { expect, test, vi } from 'vitest';
import { Emitter } from '../../../extension/core/base/emitter.ts';

test('a listener that throws stops no other, and its error is uncaught', () => {
  const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {});
  const emitter = new Emitter<number>();
  const heard: number[] = [];
  emitter.event(() => {
    throw new Error('a bug');
  });
  emitter.event((value) => heard.push(value));
  emitter.fire(1);
  expect(heard).toEqual([1]);
  expect(later.mock.calls[0]?.[0]).toThrow('a bug');
  later.mockRestore();
});

test('each subscription ends on its own, also of one function, and all of them with the emitter', () => {
  const emitter = new Emitter<string>();
  const heard: string[] = [];
  const listener = (value: string) => heard.push(value);
  const first = emitter.event(listener);
  emitter.event(listener);
  emitter.fire('both');
  first.dispose();
  emitter.fire('one');
  emitter.dispose();
  emitter.fire('none');
  expect(heard).toEqual(['both', 'both', 'one']);
});
