import * as vscode from 'vscode';
import { decodeText } from '../../core/base/text/encoding.ts';
import type { PromptContext } from '../../core/ports/prompt-context.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import { type FixedMention, type Mention, mentionsIn, writeMention } from '../../protocol/mention-text.ts';
import { frameContext, type MentionSection } from './frame.ts';
import { gitChanges, gitProgram } from './git-changes.ts';
import { findMentioned, type Mentioned, selectedText } from './resolve-mention.ts';
import { holdsSecrets } from './secret-paths.ts';
import { symbolRange } from './symbols.ts';
import type { TerminalHistory } from './terminal-history.ts';

/** The most mentions that one prompt looks up. */
const MAX_MENTIONS = 20;
/** A longer file is only named, because the model can read the parts that it needs. */
const MAX_LINES = 200;
const MAX_BYTES = 20_000;
const MAX_ENTRIES = 200;

type FileMention = Extract<Mentioned, { kind: 'file' }>;
type Content = Omit<MentionSection, 'mention'> | undefined;

/** The content of a prompt's mentions in this window. */
export class MentionContext implements PromptContext {
  readonly #workspace: Workspace;
  readonly #terminals: TerminalHistory;

  constructor(workspace: Workspace, terminals: TerminalHistory) {
    this.#workspace = workspace;
    this.#terminals = terminals;
  }

  /**
   * The problem with a mention in `prompt` that the user should know before sending; undefined if there is
   * none.
   */
  async problemWith(prompt: string): Promise<string | undefined> {
    for (const mention of uniqueMentions(prompt)) {
      const problem = await this.#problemWith(await findMentioned(this.#workspace, mention));
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  async contextOf(prompt: string): Promise<string> {
    if (!vscode.workspace.isTrusted) return '';
    const sections = await Promise.all(uniqueMentions(prompt).map((mention) => this.#section(mention)));
    return frameContext(sections.filter((section) => section !== undefined));
  }

  async #problemWith(mentioned: Mentioned): Promise<string | undefined> {
    if (mentioned.kind === 'refused') return mentioned.reason;
    if (mentioned.kind === 'file' && mentioned.symbol !== undefined) {
      const range = await symbolRange(vscode.Uri.file(mentioned.path), mentioned.symbol);
      return range
        ? undefined
        : vscode.l10n.t('Symbol {0} was not found in {1}.', mentioned.symbol, relative(mentioned.path));
    }
    return mentioned.kind === 'fixed' ? this.#problemWithFixed(mentioned.name) : undefined;
  }

  async #problemWithFixed(name: FixedMention): Promise<string | undefined> {
    if (name === 'selection') return problemWithSelection();
    if (name === 'terminal' && this.#terminals.text === '')
      return vscode.l10n.t(
        'Harness has not seen any terminal output in this window. Run the command again in a terminal with shell integration, or paste its output.',
      );
    if (name === 'git' && !(await gitProgram())) return vscode.l10n.t('Git is not available in this window.');
    return undefined;
  }

  async #section(mention: Mention): Promise<MentionSection | undefined> {
    try {
      const content = await this.#content(await findMentioned(this.#workspace, mention));
      return content && { mention: writeMention(mention.name), ...content };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return { mention: writeMention(mention.name), title: 'not available', text };
    }
  }

  async #content(mentioned: Mentioned): Promise<Content> {
    switch (mentioned.kind) {
      case 'file':
        return this.#ofFile(mentioned);
      case 'folder':
        return { title: 'entries of the folder', text: await entriesOf(mentioned.path) };
      case 'fixed':
        return this.#ofFixed(mentioned.name);
      case 'refused':
      case 'word':
        return undefined;
    }
  }

  async #ofFile({ path, lines, symbol }: FileMention): Promise<Content> {
    if (symbol !== undefined) return ofSymbol(path, symbol);
    const stat = await this.#workspace.stat(path);
    if (!lines && (stat?.size ?? 0) > MAX_BYTES) return undefined;
    const { bytes } = await this.#workspace.read(path, 50 * MAX_BYTES);
    const all = decodeText(bytes)?.text.split(/\r\n|\r|\n/);
    if (!all || (!lines && all.length > MAX_LINES)) return undefined;
    const { first, last } = lines ?? { first: 1, last: all.length };
    return { title: `lines ${first}-${last}`, text: all.slice(first - 1, last).join('\n') };
  }

  async #ofFixed(name: FixedMention): Promise<Content> {
    switch (name) {
      case 'problems':
        return { title: 'errors and warnings of the editor', text: problemsText() || 'There are none.' };
      case 'selection':
        return ofSelection();
      case 'terminal':
        return this.#terminals.text === ''
          ? undefined
          : { title: 'the last commands of the terminal', text: this.#terminals.text };
      case 'git':
        return { title: 'changes since the last commit', text: await gitChanges() };
    }
  }
}

/** Each mention once. */
function uniqueMentions(prompt: string): readonly Mention[] {
  const byName = new Map(mentionsIn(prompt).map((mention) => [mention.name, mention]));
  return [...byName.values()].slice(0, MAX_MENTIONS);
}

function problemWithSelection(): string | undefined {
  const selected = selectedText();
  if (!selected) return vscode.l10n.t('Nothing is selected in the editor.');
  return holdsSecrets(selected.uri.path)
    ? vscode.l10n.t('The selected text may contain secrets, so Harness does not add it to the prompt.')
    : undefined;
}

function ofSelection(): Content {
  const selected = selectedText();
  if (!selected || problemWithSelection() !== undefined) return undefined;
  const { uri, range, text } = selected;
  const place = `${relative(uri.fsPath)}, lines ${range.start.line + 1}-${range.end.line + 1}`;
  return { title: `selected in ${place}`, text };
}

async function ofSymbol(path: string, symbol: string): Promise<Content> {
  const uri = vscode.Uri.file(path);
  const range = await symbolRange(uri, symbol);
  if (!range) return undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  const whole = new vscode.Range(range.start.line, 0, range.end.line, Number.MAX_SAFE_INTEGER);
  const title = `${relative(path)}, lines ${range.start.line + 1}-${range.end.line + 1}`;
  return { title, text: document.getText(document.validateRange(whole)) };
}

async function entriesOf(path: string): Promise<string> {
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.file(path));
  const names = entries.map(([name, type]) => (type & vscode.FileType.Directory ? `${name}/` : name)).sort();
  const more = names.length - MAX_ENTRIES;
  return [...names.slice(0, MAX_ENTRIES), ...(more > 0 ? [`(${more} more)`] : [])].join('\n');
}

function relative(path: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.file(path));
}

const MAX_PROBLEMS = 100;

/** Errors and warnings of the workspace's files. */
export function workspaceProblems(): { readonly uri: vscode.Uri; readonly diagnostic: vscode.Diagnostic }[] {
  return vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) =>
      vscode.workspace.getWorkspaceFolder(uri) && uri.scheme === 'file'
        ? diagnostics
            .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
            .map((diagnostic) => ({ uri, diagnostic }))
        : [],
    );
}

/** The errors and warnings, one per line, errors first; empty if there are none. */
export function problemsText(): string {
  const all = workspaceProblems();
  all.sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
  const lines = all.slice(0, MAX_PROBLEMS).map(({ uri, diagnostic: { range, severity, message } }) => {
    const place = `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`;
    return `${place} ${severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning'}: ${message.replace(/\s+/g, ' ')}`;
  });
  const more = all.length - lines.length;
  return [...lines, ...(more > 0 ? [`(${more} more)`] : [])].join('\n');
}
