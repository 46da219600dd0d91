// The composition root of the command line: builds the adapters and passes them to the core.
import { basename } from 'node:path';
import { createContextSource } from '../core/context/context-source.ts';
import { createConfig, DEFAULT_MODEL, SHIPPED } from '../core/loop/config.ts';
import { type RunSettings, toRunSettings } from '../core/loop/run-settings.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { ProviderEntry } from '../core/providers/catalog.ts';
import { createProvider, environmentKey, environmentUrl } from '../core/providers/create-provider.ts';
import { Router } from '../core/providers/router.ts';
import { SecretFilter } from '../core/secrets/secret-filter.ts';
import type { SessionPorts } from '../core/session/session-ports.ts';
import { allTools } from '../core/tools/all-tools.ts';
import { AttachmentFiles } from '../node/composer/attachment-files.ts';
import { fetchWithProbes } from '../node/fetch.ts';
import { guardedFiles } from '../node/fs/guarded-files.ts';
import { nodeFileTree } from '../node/fs/node-file-tree.ts';
import { findGit, gitStatusWith } from '../node/git/git-status.ts';
import { NodeBackground } from '../node/processes/node-background.ts';
import { NodeShell } from '../node/processes/node-shell.ts';
import { longSecretsOf } from '../node/processes/process-environment.ts';
import { NodeWorkspaceScan } from '../node/scan/node-workspace-scan.ts';
import { createFileSearch } from '../node/search/file-search.ts';
import { findRipgrep } from '../node/search/ripgrep-path.ts';
import { createSearch } from '../node/search/ripgrep-search.ts';
import { JsonlSessionStore } from '../node/sessions/jsonl-session-store.ts';
import { outputFilesIn } from '../node/sessions/output-files.ts';
import { openHarnessHome } from '../node/settings/harness-home.ts';
import { JsonlAuditLog, JsonPolicyStore } from '../node/settings/policy-files.ts';
import { readUserConfig } from '../node/settings/user-config.ts';
import { systemClock } from '../node/system-clock.ts';
import { NodeWorkspace } from '../node/workspace.ts';
import type { PermissionMode } from '../protocol/messages.ts';
import type { ExecOptions } from './arguments.ts';
import { directory } from './arguments.ts';
import { report } from './printable.ts';
import { terminalApprover } from './terminal-approver.ts';

const logger: Logger = { warn: (message) => report(message), error: (message) => report(message) };

export interface Composition {
  readonly ports: SessionPorts;
  readonly cwd: string;
  /** The folder of the trace files. */
  readonly traces: string;
  sessions(logDir?: string): JsonlSessionStore;
  /** Releases what the workspace scan stores outside the workspace. */
  close(): Promise<void>;
}

/**
 * `own`: paths that Harness itself writes. Harness attributes no change there to a command. Rejects with
 * `UsageError` if `cwd` is not a directory.
 */
export async function compose(
  cwd: string,
  mode: PermissionMode,
  own: readonly string[] = [],
): Promise<Composition> {
  const folder = await directory(cwd);
  const places = await openHarnessHome();
  const ripgrepPath = await findRipgrep(undefined, [folder]);
  const workspace = new NodeWorkspace(
    [{ name: basename(folder), path: folder }],
    createSearch({ ripgrepPath }),
    createFileSearch(ripgrepPath),
  );
  // A program that makes one run has no later prompt at which a command could be read or stopped.
  const background = new NodeBackground({ endsOnLeave: true });
  const surroundings = {
    workspace,
    shell: new NodeShell({ background }),
    clock: systemClock,
    mode: () => mode,
    home: places.home,
    platform: process.platform,
    git: gitStatusWith(() => findGit([folder])),
  };
  const scan = new NodeWorkspaceScan({ roots: () => [folder], home: places.home, own });
  const audit = new JsonlAuditLog(places.audit);
  const ports: SessionPorts = {
    ...surroundings,
    approver: terminalApprover(),
    policies: new JsonPolicyStore(places.policies, logger),
    audit,
    logger,
    tools: allTools,
    background,
    outputs: outputFilesIn(places.sessions),
    files: guardedFiles(nodeFileTree, () => [folder]),
    scan,
    context: createContextSource(surroundings),
    attachments: new AttachmentFiles(places.sessions),
    secrets: new SecretFilter(longSecretsOf(process.env)),
    random: Math.random,
  };
  return {
    ports,
    cwd: folder,
    traces: places.traces,
    sessions: (logDir) => new JsonlSessionStore(logDir ?? places.sessions, systemClock),
    close: async () => {
      await scan.close();
      await audit.close();
    },
  };
}

/**
 * Resolves with the model settings of a run. Rejects with `SetupError`, or if the user's config.json is
 * invalid.
 */
export async function runSettings(options: ExecOptions, ports: SessionPorts): Promise<RunSettings> {
  const { router, fallbackModel, timeoutMs } = await ownModels();
  const settingsOf = async (model: string, baseUrl?: string) => {
    const config = createConfig(
      {
        ...accessOf(router.resolve(model).entry, baseUrl),
        model,
        effort: options.effort,
        maxTokens: options['max-tokens'] ?? SHIPPED.maxTokens,
        maxTurns: options['max-turns'] ?? SHIPPED.maxTurns,
        systemPrompt: options.system,
        timeoutMs,
      },
      router,
    );
    const provider = await createProvider(config.provider, {
      ...config,
      clock: ports.clock,
      fetch: fetchWithProbes,
    });
    return toRunSettings(config, provider);
  };
  return {
    ...(await settingsOf(options.model ?? DEFAULT_MODEL, options['base-url'])),
    ...(fallbackModel && { fallback: () => settingsOf(fallbackModel) }),
  };
}

/** What the user's config.json sets: a router over all providers and names, and the limits of a run. */
export async function ownModels(): Promise<{
  readonly router: Router;
  readonly fallbackModel?: string | undefined;
  /** For one command. */
  readonly timeoutMs?: number | undefined;
}> {
  const { config } = await openHarnessHome();
  const {
    endpoints,
    aliases,
    fallbackModel,
    'terminal.timeoutSeconds': seconds,
  } = await readUserConfig(config);
  const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
  return { router: new Router({ endpoints, aliases }), fallbackModel, timeoutMs };
}

/**
 * Returns the key of a provider from the environment, and its address: `baseUrl`, or the one of the
 * environment.
 */
export function accessOf(
  provider: ProviderEntry,
  baseUrl?: string,
): { readonly apiKey: string; readonly baseUrl: string } {
  return {
    apiKey: environmentKey(provider, process.env) ?? '',
    baseUrl: baseUrl ?? environmentUrl(provider, process.env),
  };
}
