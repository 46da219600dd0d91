import { versionOf } from '../../base/content-hash.ts';
import type { SessionLog } from '../../ports/session-store.ts';
import type { Shell } from '../../ports/shell.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { SessionPorts } from '../../session/session-ports.ts';
import type { Coding, PortInterceptor } from '../port-interceptor.ts';
import { boundBackground, boundOutputs } from './background.ts';
import { boundBlobs, boundEditors, boundFiles, boundScan, boundServers } from './files.ts';
import { interceptClock } from './wire.ts';

/** Intercepts all ports of a session. */
export function interceptPorts(ports: SessionPorts, exchange: PortInterceptor): SessionPorts {
  const { approver, policies, audit, mode, random, promptContext, context, attachments } = ports;
  const { files, scan, editors, languageServers, background, outputs } = ports;
  return {
    ...ports,
    tap: exchange,
    workspace: boundWorkspace(ports.workspace, exchange),
    shell: boundShell(ports.shell, exchange),
    clock: interceptClock(ports.clock, exchange),
    approver: {
      ask: (request, signal) => exchange.call('approver.ask', [request], () => approver.ask(request, signal)),
    },
    policies: {
      // Older recordings have the policies of all scopes, so the recorded arguments have no scope.
      load: (scope) => exchange.call('policies.load', [], () => policies.load(scope)),
      add: (policy) => exchange.call('policies.add', [policy], () => policies.add(policy)),
    },
    audit: {
      append: (entry) => exchange.call('audit.append', [entry], () => audit.append(entry)),
    },
    mode: () => exchange.read('mode', mode),
    random: () => exchange.read('random', random),
    ...(promptContext && {
      promptContext: {
        contextOf: (prompt) =>
          exchange.call('promptContext.of', [prompt], () => promptContext.contextOf(prompt)),
      },
    }),
    ...(context && {
      context: (touched, signal, wishes) =>
        exchange.call('context', [touched], () => context(touched, signal, wishes)),
    }),
    ...(attachments && {
      attachments: {
        read: (name) => exchange.call('attachments.read', [name], () => attachments.read(name)),
        keep: (bytes, title) =>
          exchange.call('attachments.keep', [bytes, title], () => attachments.keep(bytes, title)),
      },
    }),
    ...(files && { files: boundFiles(files, exchange) }),
    ...(scan && { scan: boundScan(scan, exchange) }),
    ...(editors && { editors: boundEditors(editors, exchange) }),
    ...(languageServers && { languageServers: boundServers(languageServers, exchange) }),
    ...(background && { background: boundBackground(background, exchange) }),
    ...(outputs && { outputs: boundOutputs(outputs, exchange) }),
  };
}

function boundShell(shell: Shell, exchange: PortInterceptor): Shell {
  return {
    get description() {
      return exchange.read('shell', () => shell.description);
    },
    run: (command, onOutput, signal, move) =>
      exchange.call(
        'shell.run',
        [command],
        (emit) => shell.run(command, (stream, text) => emit([stream, text]), signal, move),
        {
          onPiece: (piece) => {
            // The shell reported this pair above, or a replay returns the recorded one.
            const [stream, text] = piece as Parameters<typeof onOutput>;
            onOutput(stream, text);
          },
        },
      ),
  };
}

function boundWorkspace(workspace: Workspace, exchange: PortInterceptor): Workspace {
  return {
    get roots() {
      return exchange.read('roots', () => workspace.roots);
    },
    trusted: () => exchange.read('trusted', () => workspace.trusted()),
    stat: (path) => exchange.call('workspace.stat', [path], () => workspace.stat(path)),
    realpath: (path) => exchange.call('workspace.realpath', [path], () => workspace.realpath(path)),
    read: (path, maxBytes) =>
      exchange.call('workspace.read', [path, maxBytes], () => workspace.read(path, maxBytes)),
    stream: (path, signal) =>
      exchange.stream('workspace.stream', [path], () => workspace.stream(path, signal)),
    list: (path, signal) => exchange.call('workspace.list', [path], () => workspace.list(path, signal)),
    tree: (path, depth, signal) =>
      exchange.call('workspace.tree', [path, depth], () => workspace.tree(path, depth, signal)),
    search: (query, signal) =>
      exchange.call('workspace.search', [query], () => workspace.search(query, signal)),
    find: (query, signal) => exchange.call('workspace.find', [query], () => workspace.find(query, signal)),
    near: (path, root, signal) =>
      exchange.call('workspace.near', [path, root], () => workspace.near(path, root, signal)),
    apply: (change) =>
      exchange.call('workspace.apply', [change], () => workspace.apply(change), {
        coding: change.kind === 'write' ? versionCoding(change.bytes) : UNCODED,
      }),
  };
}

const UNCODED: Coding<string | undefined> = {
  toPlain: (version) => version,
  // `toPlain` returned the version unchanged.
  fromPlain: (version) => version as string | undefined,
};

/**
 * Codes the version of a file that Harness wrote unchanged as `AS_GIVEN`. A replay writes other bytes where
 * the recording masked a secret, so their version differs.
 */
function versionCoding(given: Uint8Array): Coding<string | undefined> {
  return {
    toPlain: (version) => (version === versionOf(given) ? AS_GIVEN : version),
    fromPlain: (version) => (version === AS_GIVEN ? versionOf(given) : UNCODED.fromPlain(version)),
  };
}

const AS_GIVEN = 'as given';

/** The recorded result of `append`. The events themselves are in the log. */
export interface Appended {
  /** The timestamp of each event, in milliseconds since the epoch. */
  readonly times: readonly number[];
  /** The number of events that the log added before the given drafts. */
  readonly more: number;
}

/** Intercepts a session log. */
export function interceptLog(log: SessionLog, exchange: PortInterceptor): SessionLog {
  return {
    id: log.id,
    past: log.past,
    repairs: log.repairs,
    blobs: boundBlobs(log.blobs, exchange),
    // Not recorded: the event that names the bytes shows the result.
    keep: (bytes) => log.keep(bytes),
    append: (drafts) =>
      exchange.call('log.append', [], () => log.append(drafts), {
        coding: {
          toPlain: (events): Appended => ({
            times: events.map(({ timestamp }) => timestamp),
            more: events.length - drafts.length,
          }),
          fromPlain: () => [],
        },
      }),
    load: (first, last) => log.load(first, last),
    sync: () => exchange.call('log.sync', [], () => log.sync()),
    get trouble() {
      return exchange.read('log.trouble', () => log.trouble);
    },
    atWork: () => log.atWork(),
    close: () => exchange.call('log.close', [], () => log.close()),
  };
}

const OPTIONAL = [
  'promptContext',
  'context',
  'attachments',
  'files',
  'scan',
  'editors',
  'languageServers',
  'background',
  'outputs',
] as const;

/** The names of the optional ports that the session has. */
export function optionalPorts(ports: SessionPorts): readonly string[] {
  return OPTIONAL.filter((name) => ports[name] !== undefined);
}
