// What must hold of the files of a session whatever has happened: old bytes or new ones, those that the log says, and a way back.
import { lstat, readFile, readlink } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { expect } from 'vitest';
import { versionOf } from '../../../extension/core/base/content-hash.ts';
import { FileHistory } from '../../../extension/core/checkpoints/file-history.ts';
import type { Session } from '../../../extension/core/session/session.ts';
import { BlobFiles } from '../../../extension/node/blobs/blob-files.ts';
import { ifPresent } from '../../../extension/node/fs/file-errors.ts';
import type { FileChange, SessionEvent } from '../../../extension/protocol/events.ts';
import { places } from './session.ts';
import { COMMAND_FILE, CONTENTS, FILES, LINK_TARGET, MOVED, SCRIPT_MODE } from './work.ts';

interface Place {
  readonly folder: string;
  readonly why: string;
  /** The disk that is tried keeps no links and no modes. */
  readonly mayMiss?: boolean | undefined;
}

/** Each file has old bytes or new ones, and, while the log can be relied on, those that it says. */
export async function expectWhole(
  { folder, why, isDamaged, mayMiss }: Place & { readonly isDamaged?: boolean | undefined },
  events: readonly SessionEvent[],
): Promise<void> {
  const { root, canary } = places(folder);
  const history = FileHistory.of(events);
  const unknown = untold(events, root);
  for (const [name, contents] of Object.entries(CONTENTS)) {
    const path = join(root, name);
    const content = await ifPresent(readFile(path, 'utf8'));
    expect(contents, `${name} is whole: ${why}`).toContain(content);
    const known = history.stateAt(path, Number.POSITIVE_INFINITY);
    if (!known || isDamaged || unknown.has(path)) continue;
    const hash = content === undefined ? undefined : versionOf(Buffer.from(content));
    expect(known.kind === 'file' ? known.hash || hash : undefined, `${name} is as the log says: ${why}`).toBe(
      hash,
    );
  }
  expect(await readFile(canary, 'utf8'), why).toBe('canary\n');
  for (const names of MOVED) await expectSomewhere(names, { folder, why }, events);
  if (!mayMiss) await expectLinkSomewhere({ folder, why }, events);
}

/** A moved file is at one of its places, or a restore removed it and keeps its bytes, so that Redo brings it back. */
async function expectSomewhere(
  names: readonly string[],
  { folder, why }: Place,
  events: readonly SessionEvent[],
): Promise<void> {
  const { root, sessions } = places(folder);
  if ((await presentOf(root, names)).length > 0) return;
  const removal = removalOf(names, root, events);
  const kept = removal?.before.kind === 'file' ? removal.before.hash : '';
  expect(kept, `it is somewhere, or a restore removed it: ${why}`).not.toBe('');
  const blobs = new BlobFiles(join(sessions, events[0]?.session ?? '', 'blobs'));
  const text = new TextDecoder().decode(await blobs.get(kept));
  expect(
    names.flatMap((name) => CONTENTS[name] ?? []),
    `what was removed is kept: ${why}`,
  ).toContain(text);
}

/** The same for the link, whose target is in the log. */
async function expectLinkSomewhere({ folder, why }: Place, events: readonly SessionEvent[]): Promise<void> {
  const { root } = places(folder);
  const present = (await linksIn(root)).filter((target) => target !== undefined);
  const removed = removalOf(LINKS, root, events)?.before;
  const targets = present.length === 0 && removed?.kind === 'link' ? [removed.target] : present;
  expect(targets, `the link is somewhere, or a restore removed it: ${why}`).toContain(LINK_TARGET);
}

/** The last change by which a restore removed one of these files. */
function removalOf(
  names: readonly string[],
  root: string,
  events: readonly SessionEvent[],
): FileChange | undefined {
  const paths = names.map((name) => join(root, name));
  return events
    .flatMap((event) => (event.type === 'files_changed' && event.by === 'restore' ? event.changes : []))
    .findLast(({ path, after }) => paths.includes(path) && after.kind === 'absent');
}

async function presentOf(root: string, names: readonly string[]): Promise<readonly string[]> {
  const present: string[] = [];
  for (const name of names) if (await ifPresent(lstat(join(root, name)))) present.push(name);
  return present;
}

const LINKS = ['link', 'sub/link'];

/** Where the link leads, at its two places. */
async function linksIn(root: string): Promise<readonly (string | undefined)[]> {
  return Promise.all(LINKS.map((name) => ifPresent(readlink(join(root, name)))));
}

/** What it is that the log says it does not know; what commands have changed is their own file alone. */
function untold(events: readonly SessionEvent[], root: string): ReadonlySet<string> {
  const commands = new Set<string>();
  const touched = new Map<string, readonly string[]>();
  const paths: string[] = [];
  for (const event of events) {
    if (event.type === 'tool_call' && event.name === 'bash') commands.add(event.id);
    else if (event.type === 'checkpoint') touched.set(event.id, pathsOf(event.files));
    else if (event.type === 'files_changed') {
      const isCommand = commands.has(event.id);
      const own = isCommand ? [join(root, COMMAND_FILE)] : (touched.get(event.id) ?? []);
      if (event.uncovered !== undefined) paths.push(...own);
      else if (isCommand)
        paths.push(...pathsOf(event.changes.filter(isUnkept)).filter((path) => own.includes(path)));
    }
  }
  return new Set(paths);
}

const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);

function isUnkept({ before, after }: FileChange): boolean {
  return [before, after].some((state) => state.kind === 'file' && state.unkept);
}

/** All that the session has ever changed can be taken back, to the last byte. */
export async function expectUndoable(session: Session, { folder, why, mayMiss }: Place): Promise<void> {
  const { root } = places(folder);
  const unknown = untold(session.events, root);
  const plan = await session.planRestore(1);
  const files = await session.restore({ to: 1, plan, choices: new Map() });
  // A folder that holds such a file stays with it.
  const holdsUnknown = (path: string) => [...unknown].some((each) => `${each}${sep}`.startsWith(path + sep));
  const others = files.filter(({ outcome, path }) => outcome !== 'identical' && !holdsUnknown(path));
  expect(
    others.map(({ path, ...rest }) => ({ name: basename(path), ...rest })),
    `is undone: ${why}`,
  ).toEqual([]);
  for (const name of Object.keys(CONTENTS)) {
    if (unknown.has(join(root, name))) continue;
    const content = await ifPresent(readFile(join(root, name), 'utf8'));
    expect(content, `${name} is as it was in the beginning: ${why}`).toBe(FILES[name]);
  }
  if (mayMiss || holdsUnknown(root)) return;
  const { mode } = await lstat(join(root, 'run.sh'));
  expect(mode & 0o777, `the script can be run: ${why}`).toBe(SCRIPT_MODE);
  expect(await linksIn(root), `the link is where it was: ${why}`).toEqual([LINK_TARGET, undefined]);
}
