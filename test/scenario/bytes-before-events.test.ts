// An event that names bytes is written when they are there: no moment to die lies between them.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blobHashesIn } from '../../extension/core/checkpoints/blob-names.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { verifySession } from '../../extension/node/transfer/verify-session.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { createLog, openWorkplace, places, prepare } from '../support/crash/session.ts';
import { doEverything } from '../support/crash/stages.ts';
import { failure, watchFiles } from '../support/files.ts';
import { makeGate } from '../support/gate.ts';
import { memoryDir } from '../support/memory-dir.ts';
import { recordedSession } from '../support/recorded.ts';
import { type Scenario, says, scenario } from '../support/scenario.ts';

function eventsOf(text: string): SessionEvent[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as SessionEvent]));
}

function requestsIn(events: readonly SessionEvent[]) {
  return events.filter((event) => event.type === 'request_started');
}

const isBlob = (path: string) => /[\\/]blobs[\\/]/.test(path);

/** From now on no bytes can be kept, until `mend` is called. */
function fillBlobs({ ports }: Scenario) {
  let isFull = true;
  const stop = watchFiles(ports.home, (operation, perform) => {
    if (isFull && operation.name === 'writeFile' && isBlob(operation.path))
      throw failure(operation.name, operation.path);
    return perform();
  });
  onTestFinished(stop);
  return () => {
    isFull = false;
  };
}

test('whatever a session does, the bytes that an event names are on the disk before it is written', async () => {
  const folder = await memoryDir();
  await prepare(folder);
  const workplace = await openWorkplace(folder);
  const { sessions } = places(folder);
  const named = new Set<string>();
  const missing: string[] = [];
  const stop = watchFiles(sessions, (operation, perform) => {
    if (operation.name === 'handle.write' && operation.path.endsWith('events.jsonl')) {
      const events = eventsOf(Buffer.from(operation.args[0] as Uint8Array).toString());
      const there = filesIn(join(dirname(operation.path), 'blobs'));
      for (const event of events)
        for (const hash of blobHashesIn([event])) {
          named.add(`${event.type} ${hash}`);
          if (!there.includes(hash)) missing.push(event.type);
        }
    }
    return perform();
  });
  onTestFinished(stop);
  const session = await recordedSession(await createLog(workplace, folder), workplace.ports, sessions);
  await doEverything(session, workplace, folder);
  await session.close();
  await workplace.close();
  const types = new Set([...named].map((name) => name.split(' ')[0]));
  expect([...types].sort()).toEqual(['checkpoint', 'files_changed', 'request_started']);
  expect(missing).toEqual([]);
});

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

test('a request waits for what it begins with', async () => {
  const { session, settings, ports } = await scenario();
  const held = makeGate();
  const begun = makeGate();
  const stop = watchFiles(ports.home, async (operation, perform) => {
    if (operation.name === 'writeFile' && isBlob(operation.path)) {
      begun.open();
      await held.opened;
    }
    return perform();
  });
  onTestFinished(stop);
  const path = join(ports.home, 'sessions', session.id, 'events.jsonl');
  const run = session.prompt('Go', settings(new ScriptedModel(says('Here.'))));
  await begun.opened;
  expect(requestsIn(eventsOf(await readFile(path, 'utf8')))).toEqual([]);
  held.open();
  expect(await run).toBe('done');
  expect(requestsIn(session.events)).toEqual([
    expect.objectContaining({ prefix: expect.stringMatching(/^[0-9a-f]{64}$/) }),
  ]);
});

test('what cannot be kept is not named, which is told once, and kept as soon as it can be', async () => {
  const place = await scenario();
  const { session, settings, ports } = place;
  const mend = fillBlobs(place);
  const answer = () => settings(new ScriptedModel(says('Here.')));
  expect(await session.prompt('First', answer())).toBe('done');
  expect(await session.prompt('Second', answer())).toBe('done');
  const told = session.events.filter((event) => event.type === 'notice');
  expect(told).toEqual([
    expect.objectContaining({ message: expect.stringContaining('the disk is full (ENOSPC') }),
  ]);
  mend();
  expect(await session.prompt('Third', answer())).toBe('done');
  const prefixes = requestsIn(session.events).map(({ prefix }) => typeof prefix);
  expect(prefixes).toEqual(['undefined', 'undefined', 'string']);
  await session.close();
  expect((await verifySession(join(ports.home, 'sessions'), session.id)).problems).toEqual([]);
});
