import * as vscode from 'vscode';
import type { LogWindow } from '../../core/view/log-window.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { describeCost, describeEvent, describeTime, oneLine } from '../base/describe-event.ts';
import type { PanelView } from '../panel/panel.ts';
import { timelineOf } from '../panel/time-travel.ts';

/** The window that the timeline belongs to. */
interface TimelineWindow {
  /** The panel that the user most likely looks at. */
  readonly current: PanelView;
  /** Fires when `current` is another panel, shows other content, or moves to another point in time. */
  readonly onDidTurn: vscode.Event<void>;
}

/**
 * Runs `from` to `to`; one run; its entries `from` to `to`; one entry (`to` is exclusive). `seq` is the event
 * for commands on the node: for a run, its last one.
 */
type Node =
  | { readonly kind: 'runs'; readonly from: number; readonly to: number }
  | { readonly kind: 'run'; readonly run: number; readonly seq: number }
  | { readonly kind: 'entries'; readonly run: number; readonly from: number; readonly to: number }
  | {
      readonly kind: 'entry';
      readonly run: number;
      readonly index: number;
      readonly event: SessionEvent;
      readonly seq: number;
    };

/** Nodes per group in a longer list. VS Code requests the children of expanded nodes only. */
const GROUP = 100;
/** Milliseconds for which changes are collected before a redraw. */
const REDRAW = 250;

const { Collapsed, None } = { Collapsed: 1, None: 0 } satisfies Record<
  string,
  vscode.TreeItemCollapsibleState
>;

const icons: Partial<Record<SessionEvent['type'], string>> = {
  user: 'account',
  text: 'comment',
  reasoning: 'lightbulb',
  tool_call: 'tools',
  plan: 'checklist',
  files_changed: 'diff',
  compaction: 'fold',
  error: 'error',
  notice: 'info',
};

/** The tree of the events of a session, by run. */
export class TimelineView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #window: TimelineWindow;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #listening: vscode.Disposable;
  /** What VS Code last requested. It recognizes a run only by its node object, so each is stored. */
  #shown:
    | { readonly log: LogWindow; readonly events: number; readonly runs: number; readonly nodes: Node[] }
    | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Sets the context key in the `when` clause of the view in package.json. */
  static show(isShown: boolean): Thenable<unknown> {
    return vscode.commands.executeCommand('setContext', 'harness.timelineShown', isShown);
  }

  constructor(window: TimelineWindow) {
    this.#window = window;
    this.#view = vscode.window.createTreeView('harness.timeline', { treeDataProvider: this });
    this.#listening = vscode.Disposable.from(
      window.onDidTurn(() => this.#drawSoon()),
      this.#view.onDidChangeVisibility(() => this.#drawSoon()),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  getChildren(node?: Node): Node[] {
    const { runs } = timelineOf(this.#log);
    if (node === undefined) this.#shown = this.#nodesOf(this.#log);
    if (node === undefined)
      return (
        inGroups(runs.length, (from, to): Node => ({ kind: 'runs', from, to })) ??
        this.#runsIn(0, runs.length)
      );
    if (node.kind === 'runs') return this.#runsIn(node.from, node.to);
    if (node.kind === 'entry') return [];
    const { run } = node;
    const entries = this.#entriesOf(run);
    if (node.kind === 'entries') return entries.slice(node.from, node.to);
    return inGroups(entries.length, (from, to): Node => ({ kind: 'entries', run, from, to })) ?? entries;
  }

  getParent(node: Node): Node | undefined {
    const { runs } = timelineOf(this.#log);
    if (node.kind === 'runs') return undefined;
    const { run } = node;
    if (node.kind === 'run')
      return groupOf(run, runs.length, (from, to): Node => ({ kind: 'runs', from, to }));
    if (node.kind === 'entries') return this.#runNode(run);
    const count = this.#entriesOf(run).length;
    const group = groupOf(node.index, count, (from, to): Node => ({ kind: 'entries', run, from, to }));
    return group ?? this.#runNode(run);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const session = this.#window.current.sessions.shown.id;
    if (node.kind === 'entry') return this.#entryItem(node.event, session);
    if (node.kind === 'run') return this.#runItem(node.run, session);
    const item = new vscode.TreeItem(
      node.kind === 'runs'
        ? vscode.l10n.t('Prompts {0} to {1}', node.from + 1, node.to)
        : vscode.l10n.t('Steps {0} to {1}', node.from + 1, node.to),
      Collapsed,
    );
    item.id = `${session}/${node.kind}${node.kind === 'entries' ? node.run : ''}/${node.from}`;
    return item;
  }

  get #log(): LogWindow {
    return this.#window.current.sessions.shown.log;
  }

  #entriesOf(run: number): Node[] {
    const entries = timelineOf(this.#log).entriesOf(run, this.#log);
    return entries.map((event, index) => ({ kind: 'entry', run, index, event, seq: event.seq }));
  }

  #runsIn(from: number, to: number): Node[] {
    return Array.from({ length: to - from }, (_, index) => this.#runNode(from + index));
  }

  #runNode(run: number): Node {
    const log = this.#log;
    const known = this.#shown?.log === log ? this.#shown.nodes[run] : undefined;
    if (known) return known;
    const node: Node = {
      kind: 'run',
      run,
      get seq() {
        const next = timelineOf(log).runs[run + 1]?.at ?? log.events.length;
        return log.events[next - 1]?.seq ?? 0;
      },
    };
    if (this.#shown?.log === log) this.#shown.nodes[run] = node;
    return node;
  }

  #nodesOf(log: LogWindow) {
    const nodes = this.#shown?.log === log ? this.#shown.nodes : [];
    return { log, events: log.events.length, runs: timelineOf(log).runs.length, nodes };
  }

  #runItem(run: number, session: string): vscode.TreeItem {
    const { first, cost } = timelineOf(this.#log).runs[run] ?? {};
    const item = new vscode.TreeItem(
      first?.type === 'user' ? oneLine(first.content) : vscode.l10n.t('Continued'),
      Collapsed,
    );
    item.id = `${session}/run/${run}`;
    item.contextValue = 'run';
    item.iconPath = new vscode.ThemeIcon('account');
    item.description = [describeTime(first?.timestamp ?? 0), cost !== undefined && describeCost(cost)]
      .filter(Boolean)
      .join(' · ');
    return item;
  }

  #entryItem(event: SessionEvent, session: string): vscode.TreeItem {
    const item = new vscode.TreeItem(describeEvent(event, []), None);
    item.id = `${session}/event/${event.seq}`;
    item.iconPath = new vscode.ThemeIcon(icons[event.type] ?? 'circle');
    item.description = describeTime(event.timestamp);
    item.contextValue = event.type;
    const point = { session, seq: event.seq, preserveFocus: true };
    item.command = { command: 'harness.timeTravel', title: '', arguments: [point] };
    return item;
  }

  #drawSoon(): void {
    if (this.#view.visible) this.#timer ??= setTimeout(() => void this.#draw(), REDRAW);
  }

  async #draw(): Promise<void> {
    this.#timer = undefined;
    const log = this.#log;
    this.#view.message = log.events.length === 0 ? vscode.l10n.t('No session has started yet.') : '';
    this.#redraw(log);
    const node = this.#nodeAt(this.#window.current.travel.past?.seq);
    // The tree may have changed meanwhile and no longer contain the node.
    if (node && this.#view.visible) await this.#view.reveal(node).then(undefined, () => undefined);
  }

  /** Redraws only the last run if no run was added. */
  #redraw(log: LogWindow): void {
    const before = this.#shown;
    if (before?.log === log && before.events === log.events.length) return;
    this.#shown = this.#nodesOf(log);
    const isSameRuns = before?.log === log && before.runs === this.#shown.runs;
    this.#changed.fire(isSameRuns ? before.nodes[before.runs - 1] : undefined);
  }

  /** The entry at event `seq`, or the last one before it. */
  #nodeAt(seq: number | undefined): Node | undefined {
    if (seq === undefined) return undefined;
    const run = timelineOf(this.#log).runs.findLastIndex(({ first }) => first.seq <= seq);
    return this.#entriesOf(run).findLast((node) => node.kind === 'entry' && node.event.seq <= seq);
  }
}

/** Undefined if the list needs no groups. */
function inGroups(count: number, group: (from: number, to: number) => Node): Node[] | undefined {
  if (count <= GROUP) return undefined;
  const groups = Array.from({ length: Math.ceil(count / GROUP) });
  return groups.map((_, index) => group(index * GROUP, Math.min(count, (index + 1) * GROUP)));
}

/** The group that contains item `index`. */
function groupOf(index: number, count: number, group: (from: number, to: number) => Node): Node | undefined {
  return inGroups(count, group)?.[Math.floor(index / GROUP)];
}
