// Reads the user's settings. A repository can bring its own workspace settings. Harness therefore reads a
// setting only from the user's settings if it spends money, names an address or a program, or allows
// something without asking.
import '../../core/base/zod-messages.ts';
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { EFFORTS } from '../../core/ports/model.ts';
import { aliasesSchema, endpointsSchema, problemsIn } from '../../core/providers/user-endpoints.ts';
import { TRACE_LEVELS } from '../../core/trace/trace-provider.ts';
import { type PanelState, permissionMode } from '../../protocol/messages.ts';
import { localize } from './localize.ts';

const SECTION = 'harness';

interface Setting<Schema extends z.ZodMiniType> {
  readonly schema: Schema;
  readonly fallback: z.output<Schema>;
  /** A trusted workspace may set it. */
  readonly shared?: true;
}

const positive = z.int().check(z.positive());
const notNegative = z.int().check(z.nonnegative());

/** All settings with package.json's defaults (a test compares the two). */
const settings = {
  model: define({
    schema: z.string().check(z.trim(), z.minLength(1)),
    fallback: 'anthropic/claude-sonnet-5-5',
    shared: true,
  }),
  fallbackModel: define({ schema: z.string().check(z.trim()), fallback: '' }),
  'models.aliases': define({ schema: aliasesSchema, fallback: {} }),
  reasoningEffort: define({ schema: z.enum(['', ...EFFORTS]), fallback: '' }),
  maxTokens: define({ schema: positive, fallback: 32_000, shared: true }),
  maxTurns: define({ schema: positive, fallback: 100 }),
  maxToolCallsPerTurn: define({ schema: positive, fallback: 40 }),
  systemPrompt: define({ schema: z.string(), fallback: '' }),
  'anthropic.baseUrl': define({ schema: address(), fallback: '' }),
  'codex.baseUrl': define({ schema: address(), fallback: '' }),
  'openai.baseUrl': define({ schema: address(), fallback: '' }),
  'ollama.baseUrl': define({ schema: address(), fallback: '' }),
  'lmstudio.baseUrl': define({ schema: address(), fallback: '' }),
  'openaiCompatible.endpoints': define({ schema: endpointsSchema, fallback: [] }),
  'permissions.mode': define({ schema: z.enum(permissionMode.options), fallback: 'ask' }),
  'context.openFile': define({ schema: z.boolean(), fallback: true }),
  'editing.preview': define({ schema: z.boolean(), fallback: true }),
  'terminal.timeoutSeconds': define({ schema: positive.check(z.maximum(3600)), fallback: 120 }),
  'review.codeLens': define({ schema: z.boolean(), fallback: true }),
  'undo.scanEntries': define({ schema: positive, fallback: 60_000 }),
  'undo.scanMegabytes': define({ schema: positive, fallback: 300 }),
  storagePath: define({ schema: folder(), fallback: '' }),
  'retention.days': define({ schema: notNegative, fallback: 0 }),
  'storage.maxMegabytes': define({ schema: notNegative, fallback: 2_000 }),
  trace: define({ schema: z.enum(TRACE_LEVELS), fallback: 'off' }),
  recording: define({ schema: z.boolean(), fallback: false }),
};

type Settings = typeof settings;
export type SettingName = keyof Settings;
/** A setting with the address of a provider. */
export type AddressSetting = Extract<SettingName, `${string}.baseUrl`>;
export type SettingValue<Name extends SettingName> = z.output<Settings[Name]['schema']>;

export const settingNames = Object.keys(settings) as readonly SettingName[];

/** The current value; the default if the user's value is invalid. */
export function readSetting<Name extends SettingName>(name: Name): SettingValue<Name> {
  const { schema, fallback } = settings[name];
  const parsed = schema.safeParse(rawValue(name));
  // Both values come from the same entry of the table, but the compiler does not track the type through the
  // index.
  return (parsed.success ? parsed.data : fallback) as SettingValue<Name>;
}

export interface SettingProblem {
  readonly name: SettingName;
  readonly value: unknown;
  /** A sentence. */
  readonly message: string;
}

/** The user's invalid values. */
export function settingProblems(): SettingProblem[] {
  return settingNames.flatMap((name) => {
    const value = rawValue(name);
    const { error } = settings[name].schema.safeParse(value);
    const reasons = error && problemsIn(error, localize);
    const message = vscode.l10n.t(
      'The setting {0} is invalid: {1}. Harness uses the default.',
      `${SECTION}.${name}`,
      reasons ?? '',
    );
    return error ? [{ name, value, message }] : [];
  });
}

export function writeUserSetting<Name extends SettingName>(
  name: Name,
  value: SettingValue<Name>,
): Thenable<void> {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  return configuration.update(name, value, targetOf(name, configuration));
}

/** The target that contains the effective value, so that the workspace's value does not hide a new choice. */
function targetOf(
  name: SettingName,
  configuration: vscode.WorkspaceConfiguration,
): vscode.ConfigurationTarget {
  const values =
    settings[name].shared && vscode.workspace.isTrusted ? configuration.inspect(name) : undefined;
  if (values?.workspaceFolderValue !== undefined) return vscode.ConfigurationTarget.WorkspaceFolder;
  if (values?.workspaceValue !== undefined) return vscode.ConfigurationTarget.Workspace;
  return vscode.ConfigurationTarget.Global;
}

export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(SECTION)) listener();
  });
}

function rawValue(name: SettingName): unknown {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  if (settings[name].shared && vscode.workspace.isTrusted) return configuration.get(name);
  const values = configuration.inspect<unknown>(name);
  return values?.globalValue ?? values?.defaultValue;
}

/** Empty, or an http(s) address. */
function address() {
  return z.union([
    z.literal(''),
    z.url({ protocol: /^https?$/, error: vscode.l10n.t('it must start with http:// or https://') }),
  ]);
}

/** Empty, or the absolute path of a folder. */
function folder() {
  const message = vscode.l10n.t('it must be an absolute path');
  return z.string().check(
    z.trim(),
    z.refine((path) => path === '' || isAbsolute(path), message),
  );
}

function define<Schema extends z.ZodMiniType>(setting: Setting<Schema>): Setting<Schema> {
  return setting;
}

/** Sets for which actions Harness asks the user. */
export async function selectMode(mode: PanelState['mode']): Promise<void> {
  if (mode === 'bypass' && !(await confirmBypass())) return;
  await writeUserSetting('permissions.mode', mode);
}

async function confirmBypass(): Promise<boolean> {
  const proceed = vscode.l10n.t('Bypass Approvals');
  const question = vscode.l10n.t('Let Harness change files and run commands without asking?');
  const detail = vscode.l10n.t(
    'Harness still logs every step. Use this only in disposable environments, such as containers.',
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, proceed)) === proceed;
}
