// Every word that the panel shows or says, in one place.
import type { EndReason, RunState } from '../extension/protocol/events.ts';
import type { PermissionMode } from '../extension/protocol/messages.ts';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const runEnded: Record<EndReason, string> = {
  done: 'Done.',
  max_turns: 'Harness reached the limit of turns for one prompt.',
  cancelled: 'Stopped.',
  error: 'The run ended with an error.',
  budget: 'The budget is used up.',
};

const runStates: Record<RunState, string> = {
  idle: '',
  thinking: 'Thinking',
  running_tool: 'Running a tool',
  error: '',
};

const modes: Record<PermissionMode, string> = {
  ask: 'Ask',
  acceptEdits: 'Accept edits',
  plan: 'Plan only',
  bypass: 'Allow all',
};

export const strings = {
  product: 'Harness',
  conversation: 'Conversation',

  placeholder: 'Ask Harness',
  send: 'Send',
  stop: 'Stop',
  starting: 'Harness is starting. Your text stays here.',
  stillBusy: 'Harness is still at work. Your text stays here; Esc twice stops the run.',
  promptTooLong: 'This prompt is longer than 1,000,000 characters. Put it into a file and mention that.',
  pressEscapeAgain: 'Press Esc again to stop',
  runEnded,
  runStates,
  newContent: 'New content',

  emptySentence: 'Ask for a change or an answer. You see every step and decide what may run.',
  openFolder: 'Open a folder to let Harness work on its files.',
  needsKey: 'Set an API key to begin, or try Harness without one.',
  suggestions: 'Examples',
  setApiKey: 'Set API Key',
  tryDemo: 'Try the demo',
  selectModel: 'Select model',
  retry: 'Retry',
  continue: 'Continue',

  demo: 'Demo model - scripted, not a real AI',
  readOnly:
    'Another window is writing this session. Here it is shown as it was when it was opened, and can only be read.',
  newSession: 'New Session',
  untrusted: 'This workspace is not trusted: nothing is changed or run in it.',
  manageTrust: 'Manage Workspace Trust',

  thinking: 'Thinking…',
  thoughtFor: (seconds: number) => (seconds < 1 ? 'Thought briefly' : `Thought for ${seconds} s`),
  cannotShow: 'This part cannot be shown. The log says why.',
  cutOff: 'The answer was cut off here.',
  plan: 'Plan',
  planStatus: { pending: 'to do', in_progress: 'in progress', completed: 'done' },
  attachments: 'Attached',

  retryIn: (seconds: number) => (seconds > 0 ? `Trying again in ${seconds}\u00a0s.` : 'Trying again.'),
  retryNow: 'Retry now',
  switchModel: 'Switch model',

  toolStates: {
    pending: 'waiting',
    running: 'running',
    done: 'done',
    error: 'failed',
    denied: 'denied',
    skipped: 'skipped',
    cancelled: 'stopped',
  },
  allowed: {
    allow_once: 'allowed once',
    allow_session: 'allowed in this session',
    allow_always: 'always allowed',
    deny: 'denied',
  },
  deniedBy: { policy: 'denied by a rule', user: 'denied', mode: 'denied in this mode' },
  decidedBy: (rule: string) => `Decided by: ${rule}`,
  receiving: (bytes: number) =>
    `receiving ${bytes < 1_000 ? `${bytes} B` : `${Math.round(bytes / 1_000)} kB`}`,
  exitCode: (code: number) => `exit ${code}`,
  matches: (count: number) => (count === 0 ? 'no match' : plural(count, 'match', 'matches')),
  groups: {
    read: (count: number) => `read ${plural(count, 'file', 'files')}`,
    list_dir: (count: number) => `listed ${plural(count, 'folder', 'folders')}`,
    grep: (count: number) => plural(count, 'search', 'searches'),
  },
  failedOfGroup: (count: number) => `${count} failed`,
  input: 'Input',
  result: 'Result',
  moreLines: (count: number) => `... (${count} more lines)`,
  showAll: 'Show all',
  diff: 'Diff',
  changes: (added: number, removed: number) => `${plural(added, 'line', 'lines')} added, ${removed} removed`,

  waitingForApproval: 'Waiting for your approval',
  waitingToRetry: 'Waiting to try again',
  approvalNeeded: (title: string, risk: string) => `Approval needed, ${risk} risk: ${title}`,
  effect: 'What it would do',
  riskWord: (risk: string) => `${risk} risk`,
  covers: (what: string) => `Session and always cover: ${what}`,
  cannotRemember: 'This cannot be allowed in advance.',
  allowOnce: 'Allow once',
  allowSession: 'Allow in this session',
  allowAlways: 'Always allow',
  deny: 'Deny',

  mode: 'Permission mode',
  modes,
  model: (name: string) => `Model: ${name}. Select another`,
  tokens: (count: number) => (count < 1_000 ? String(count) : `${Math.round(count / 1_000)}k`),
  cost: (dollars: number) => `$${dollars.toFixed(dollars < 0.1 ? 3 : 2)}`,
  usage: 'Tokens of the last request, cost of this session',

  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied',
  copyCode: 'Copy code',
  image: 'image',

  help: 'Help',
  helpTitle: 'Keyboard',
  helpClose: 'Press any key to close',
  keys: [
    ['Enter', 'Send the prompt'],
    ['Shift+Enter, Ctrl+Enter', 'New line'],
    ['Up, Down', 'Earlier and later prompts'],
    ['Ctrl+U', 'Clear the input'],
    ['Page Up, Page Down', 'Scroll the conversation'],
    ['Esc, Esc', 'Stop the run'],
    ['F1 or ?', 'Open this help'],
    ['Esc', 'Close this help'],
  ],
} as const;
