import type { BlobStore } from '../../ports/blob-store.ts';
import type { EditorEdits } from '../../ports/editor-edits.ts';
import type { FileTree } from '../../ports/file-tree.ts';
import type { LanguageServers } from '../../ports/language-servers.ts';
import type {
  ScannedChange,
  ScannedChanges,
  ScannedEntry,
  WorkspaceScan,
} from '../../ports/workspace-scan.ts';
import type { PortInterceptor } from '../port-interceptor.ts';
import { neverCalled } from '../port-interceptor.ts';

/** Intercepts a blob store. The recording does not store the bytes that the session puts there. */
export function boundBlobs(blobs: BlobStore, exchange: PortInterceptor): BlobStore {
  return {
    put: (bytes, like) => exchange.call('blobs.put', [bytes.length], () => blobs.put(bytes, like)),
    get: (hash) => exchange.call('blobs.get', [hash], () => blobs.get(hash)),
    has: (hash) => exchange.call('blobs.has', [hash], () => blobs.has(hash)),
  };
}

/** Intercepts a file tree. */
export function boundFiles(files: FileTree, exchange: PortInterceptor): FileTree {
  return {
    look: (path) => exchange.call('files.look', [path], () => files.look(path)),
    names: (path) => exchange.call('files.names', [path], () => files.names(path)),
    read: (path, maxBytes) => exchange.call('files.read', [path, maxBytes], () => files.read(path, maxBytes)),
    write: (path, bytes, mode, replaced) =>
      exchange.call('files.write', [path, bytes, mode], () => files.write(path, bytes, mode, replaced)),
    link: (path, target, replaced) =>
      exchange.call('files.link', [path, target], () => files.link(path, target, replaced)),
    makeDirectory: (path, mode) =>
      exchange.call('files.makeDirectory', [path, mode], () => files.makeDirectory(path, mode)),
    setMode: (path, mode) => exchange.call('files.setMode', [path, mode], () => files.setMode(path, mode)),
    tidy: (path) => exchange.call('files.tidy', [path], () => files.tidy(path)),
    remove: (path, replaced) => exchange.call('files.remove', [path], () => files.remove(path, replaced)),
  };
}

/** Intercepts the edits of editors. */
export function boundEditors(editors: EditorEdits, exchange: PortInterceptor): EditorEdits {
  return {
    watch: (paths) => {
      const end = editors.watch(paths);
      return () => exchange.call('editors.edited', [[...paths]], end);
    },
  };
}

/** Intercepts language servers. */
export function boundServers(servers: LanguageServers, exchange: PortInterceptor): LanguageServers {
  return {
    problems: (path) => exchange.call('servers.problems', [path], () => servers.problems(path)),
    watch: (paths) => {
      const end = servers.watch(paths);
      return (signal) => exchange.call('servers.watched', [paths], () => end(signal));
    },
    places: (kind, path, at, signal) =>
      exchange.call('servers.places', [kind, path, at], () => servers.places(kind, path, at, signal)),
    hover: (path, at, signal) =>
      exchange.call('servers.hover', [path, at], () => servers.hover(path, at, signal)),
    symbols: (path, signal) => exchange.call('servers.symbols', [path], () => servers.symbols(path, signal)),
    rename: (path, at, newName, signal) =>
      exchange.call('servers.rename', [path, at, newName], () => servers.rename(path, at, newName, signal)),
  };
}

/** Intercepts a workspace scan. */
export function boundScan(scan: WorkspaceScan, exchange: PortInterceptor): WorkspaceScan {
  return {
    absorb: (paths) => exchange.call('scan.absorb', [paths], () => scan.absorb(paths)),
    begin: async (command, signal) => {
      const begun = await exchange.call('scan.begin', [], () => scan.begin(command, signal), {
        coding: {
          toPlain: () => undefined,
          fromPlain: () => ({ end: neverCalled, soFar: neverCalled, leave: neverCalled }),
        },
      });
      return {
        end: () => boundReport('scan.end', () => begun.end(), exchange),
        soFar: () => boundReport('scan.soFar', () => begun.soFar(), exchange),
        leave: () => exchange.call('scan.leave', [], () => begun.leave()),
      };
    },
    resume: async (command) => {
      const found = await exchange.call(
        'scan.resume',
        [`${command.session} ${command.call}`],
        () => scan.resume(command),
        {
          coding: {
            toPlain: (changes) => changes && plainChanges(changes),
            // Written by `toPlain`.
            fromPlain: (plain) => (plain ? withContents(plain as ScannedChanges) : undefined),
          },
        },
      );
      return found && boundChanges(found, exchange);
    },
  };
}

async function boundReport(
  name: 'scan.end' | 'scan.soFar',
  report: () => Promise<ScannedChanges>,
  exchange: PortInterceptor,
): Promise<ScannedChanges> {
  const found = await exchange.call(name, [], report, {
    // Written by `toPlain`.
    coding: { toPlain: plainChanges, fromPlain: (plain) => withContents(plain as ScannedChanges) },
  });
  return boundChanges(found, exchange);
}

function plainChanges(found: ScannedChanges) {
  return { ...found, changes: found.changes.map((change) => mapEntries(change, plain)) };
}

function boundChanges({ changes, uncovered }: ScannedChanges, exchange: PortInterceptor): ScannedChanges {
  const bound = (change: ScannedChange) =>
    mapEntries(change, (entry, side) => boundEntry(entry, [change.path, side], exchange));
  return { changes: changes.map(bound), uncovered };
}

function mapEntries<Entry>(
  { before, after, ...change }: ScannedChange,
  map: (entry: ScannedEntry, side: string) => Entry,
) {
  return { ...change, before: map(before, 'before'), after: map(after, 'after') };
}

/** The plain form says whether an entry has bytes or a hash. The session asks for them in separate calls. */
function plain({ bytes, hash, ...entry }: ScannedEntry) {
  return { ...entry, hasBytes: bytes !== undefined, ...(hash && { hasHash: true }) };
}

function withContents({ changes, ...found }: ScannedChanges): ScannedChanges {
  return {
    ...found,
    changes: changes.map((change) => mapEntries(change, entryWithContent)),
  };
}

function entryWithContent({
  hasBytes,
  hasHash,
  ...entry
}: ScannedEntry & { readonly hasBytes?: boolean; readonly hasHash?: boolean }): ScannedEntry {
  return { ...entry, ...(hasBytes && { bytes: neverCalled }), ...(hasHash && { hash: neverCalled }) };
}

function boundEntry(
  { bytes, hash, ...entry }: ScannedEntry,
  given: readonly string[],
  exchange: PortInterceptor,
): ScannedEntry {
  return {
    ...entry,
    ...(bytes && { bytes: () => exchange.call('scan.bytes', given, bytes) }),
    ...(hash && { hash: () => exchange.call('scan.hash', given, hash) }),
  };
}
