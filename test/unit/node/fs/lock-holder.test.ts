import { hostname } from 'node:os';
import { expect, test, vi } from 'vitest';
import {
  isAlive,
  type LockHolder,
  SILENT_MS,
  thisHolder,
} from '../../../../extension/node/fs/lock-holder.ts';

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  const readFile = async (path: string, ...more: []) =>
    path === '/etc/machine-id' ? '' : fs.readFile(path, ...more);
  return { ...fs, readFile };
});

test('where no machine has an id, one of the same name is another one, and its lock goes by the heartbeat', async () => {
  const holder: LockHolder = { ...(await thisHolder('x')), host: hostname(), boot: 'another' };
  expect(holder.machine).toBe('');
  expect(await isAlive(holder, Date.now())).toBe(true);
  expect(await isAlive(holder, Date.now() - SILENT_MS - 1_000)).toBe(false);
});
