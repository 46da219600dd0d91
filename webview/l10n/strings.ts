// All texts that the panel shows or announces.
import type { EndReason, Risk, RunState } from '../../extension/protocol/events.ts';
import type { PermissionMode } from '../../extension/protocol/messages.ts';
import { number, t } from './l10n.ts';

/** `one` and `many` contain the number as {0}. */
const plural = (count: number, one: string, many: string): string =>
  t(count === 1 ? one : many, number(count));

/** Digits after the decimal point. */
const digits = (count: number) => ({ minimumFractionDigits: count, maximumFractionDigits: count });

const runEnded: Record<EndReason, string> = {
  done: t('Done.'),
  max_turns: t('Harness reached the maximum number of requests for one prompt.'),
  cancelled: t('Stopped.'),
  error: t('The run ended with an error.'),
  budget: t('The budget is used up.'),
};

const runStates: Record<RunState, string> = {
  idle: '',
  thinking: t('Thinking'),
  running_tool: t('Running a tool'),
  error: '',
};

const risks: Record<Risk, string> = {
  safe: t('safe'),
  medium: t('medium risk'),
  high: t('high risk'),
};

const modes: Record<PermissionMode, string> = {
  ask: t('Ask'),
  acceptEdits: t('Accept Edits'),
  plan: t('Plan'),
  bypass: t('Bypass Approvals'),
};

export const strings = {
  product: t('Harness'),
  conversation: t('Conversation'),

  placeholder: t('Ask Harness'),
  send: t('Send'),
  withKeys: (label: string, keys: string) => t('{0} ({1})', label, keys),
  sendKeys: t('Enter'),
  stop: t('Stop'),
  starting: t('Starting… Your prompt will be sent when Harness is ready.'),
  cannotForkNow: t(
    'A run is still active. To rerun an earlier prompt, wait until the run ends, or stop it. Your text is kept.',
  ),
  queueKeys: t('Queue (Enter), send now (Alt+Enter)'),
  queue: t('Queued prompts'),
  queuedCount: (count: number) => plural(count, '{0} prompt is queued', '{0} prompts are queued'),
  queueStates: { waiting: t('Queued'), steering: t('Sends at next step'), held: t('On hold') },
  shareFile: (place: string) => t('Share {0} with the prompt', place),
  fileShared: (place: string) => t('{0} goes with your prompt. Click to leave it out.', place),
  fileLeftOut: t('The open file does not go with your prompt. Click to share it.'),
  neverShare: t('Never Share'),
  neverShareHint: t('Turns off the setting “harness.context.openFile”'),
  background: t('Background commands'),
  backgroundCount: (count: number) =>
    count === 0
      ? t('No command runs in the background')
      : plural(count, '{0} command runs in the background', '{0} commands run in the background'),
  runsInBackground: (id: string) => t('Runs in the background as {0}', id),
  runsUntilReload: t('Runs in the background until the window reloads'),
  runInBackground: t('Run in Background'),
  show: t('Show'),
  keep: t('Keep'),
  keepHint: t('Keep running after the session ends'),
  labelOf: (label: string, subject: string) => t('{0}: {1}', label, subject),
  sendNow: t('Send Now'),
  edit: t('Edit'),
  remove: t('Remove'),
  editPrompt: t('Edit this prompt and rerun from here'),
  editingPrompt: t('Editing an earlier prompt. Sending it starts a new session from that point.'),
  cancelEditing: t('Cancel (Esc)'),
  promptTooLong: t(
    'This prompt is longer than 1,000,000 characters. Save it in a file, then mention that file.',
  ),
  commands: {
    new: t('Start a new session'),
    clear: t('Start a new session (same as /new)'),
    compact: t('Summarize the conversation to free up context'),
    model: t('Select a model'),
    undo: t('Undo the changes of the last prompt'),
    redo: t('Redo the undone changes'),
    export: t('Export the conversation as Markdown'),
    help: t('Show all keyboard shortcuts'),
    permissions: t('Show what you always allow'),
    context: t('Show the context sent to the model'),
    cost: t('Show tokens and cost of this session'),
  },
  commandList: t('Commands'),
  mentionList: t('Mentions'),
  historyList: t('Earlier prompts'),
  historySearch: t('Search earlier prompts'),
  nothingFound: t('No matching results'),
  noSuchCommand: (command: string) =>
    t('Command {0} does not exist. Press Enter again to send it as text.', command),
  commandTakesNothing: (command: string) =>
    t('{0} does not accept this argument. Press Enter again to send your prompt as text.', command),
  insist: (reason: string) => t('{0} Press Enter again to send it anyway.', reason),
  mention: t('Mention a file, symbol or other context'),
  attach: t('Attach files or images'),
  attachHint: t('Attach files or images. You can also paste images, or hold Shift and drop files here.'),
  removeAttachment: (title: string) => t('Remove {0}', title),
  neitherImageNorText: (name: string, kilobytes: number) =>
    t(
      'Could not attach {0}: it must be an image (PNG, JPEG, GIF, WebP) or text up to {1} kB. To mention a workspace file, type @, or hold Shift and drop it here from the Explorer.',
      name,
      kilobytes,
    ),
  imageTooLarge: (title: string) =>
    t('{0} is larger than 5 MB. Make it smaller, then attach it again.', title),
  tooManyImages: (most: number) => t('A prompt can contain up to {0} images.', most),
  removeImages: (count: number, most: number) =>
    t('A prompt can contain up to {0} images, and this one has {1}. Remove some of them.', most, count),
  modelWithoutImages: (model: string) =>
    t('{0} does not accept images. Select another model, or remove the image.', model),
  imageUnreadable: (name: string) => t('Could not read {0}.', name),
  imagesPending: t('An image is still being added.'),
  size: (bytes: number) =>
    bytes < 1_000_000
      ? t('{0} kB', Math.max(1, Math.round(bytes / 1_000)))
      : t('{0} MB', number(bytes / 1_000_000, digits(1))),
  imageNumber: (number: number) => t('Image {0}', number),
  openImage: t('Open image'),
  context: t('Context'),

  pressEscapeAgain: t('Press Esc again to stop'),
  runEnded,
  runStates,
  newContent: t('New content'),

  emptySentence: t('Ask for a change or an answer. You see every step and decide what may run.'),
  openFolder: t('Open a folder to let Harness work on its files.'),
  needsKey: t('Set an API key to get started, or try the demo without one.'),
  suggestions: t('Examples'),
  setApiKey: t('Set API Key'),
  tryDemo: t('Try the Demo'),
  selectModel: t('Select Model'),
  retry: t('Retry'),
  continue: t('Continue'),

  demo: t('Demo model - scripted, not a real AI'),
  readOnly: t('This session is open in another window. Follow along here, or fork it to continue.'),
  newer: t('A newer version of Harness wrote this session. Update Harness to continue it.'),
  replayed: t('Replaying a recorded session. Nothing is sent or changed.'),
  forkSession: t('Fork from Here'),
  untrusted: t('This workspace is not trusted. Harness does not change or run anything in it.'),
  manageTrust: t('Manage Workspace Trust'),

  thinking: t('Thinking…'),
  thoughtFor: (seconds: number) => (seconds < 1 ? t('Thought briefly') : t('Thought for {0} s', seconds)),
  thinkingTokens: (count: number) => plural(count, '{0} token', '{0} tokens'),
  cannotShow: t('Could not show this part. See the Harness output channel.'),
  cutOff: t('The response was cut off here.'),
  compacted: t('Harness summarized the conversation up to here.'),
  summary: t('Summary'),
  plan: t('Plan'),
  planStatus: { pending: t('to do'), in_progress: t('in progress'), completed: t('done') },
  attachments: t('Attachments'),

  retryIn: (seconds: number) =>
    seconds > 0 ? t('Trying again in {0}\u00a0s.', seconds) : t('Trying again.'),
  retryNow: t('Retry Now'),
  switchModel: t('Switch Model'),

  toolStates: {
    pending: t('waiting'),
    running: t('running'),
    done: t('done'),
    error: t('failed'),
    denied: t('denied'),
    skipped: t('skipped'),
    cancelled: t('stopped'),
  },
  allowed: {
    allow_once: t('allowed once'),
    allow_session: t('allowed in this session'),
    allow_always: t('always allowed'),
    deny: t('denied'),
  },
  deniedBy: { policy: t('denied by a rule'), user: t('denied'), mode: t('denied in this mode') },
  decidedBy: (rule: string) => t('Reason: {0}', rule),
  receiving: (bytes: number) =>
    t('receiving {0}', bytes < 1_000 ? t('{0} B', bytes) : t('{0} kB', Math.round(bytes / 1_000))),
  exitCode: (code: number) => t('exit {0}', code),
  /** `files` is 0 if the count makes no sense. */
  matches: (count: number, files: number) =>
    count === 0
      ? t('no matches')
      : plural(count, '{0} match', '{0} matches') +
        (files > 0 ? plural(files, ' in {0} file', ' in {0} files') : ''),
  entries: (count: number) => (count === 0 ? t('empty') : plural(count, '{0} entry', '{0} entries')),
  problems: (count: number) =>
    count === 0 ? t('no problems') : plural(count, '{0} problem', '{0} problems'),
  newProblems: (count: number) => plural(count, '{0} new problem', '{0} new problems'),
  notChecked: t('not checked'),
  places: (count: number) => (count === 0 ? t('nothing found') : plural(count, '{0} place', '{0} places')),
  symbols: (count: number) => (count === 0 ? t('nothing found') : plural(count, '{0} symbol', '{0} symbols')),
  renamedFiles: (count: number) => plural(count, '{0} file changed', '{0} files changed'),
  files: (count: number) => (count === 0 ? t('no files') : plural(count, '{0} file', '{0} files')),
  searched: (pattern: string, path: string) => (path === '' ? pattern : t('{0} in {1}', pattern, path)),
  seconds: (seconds: number) => t('{0} s', seconds),
  duration: (seconds: number) =>
    seconds < 60
      ? t('{0} s', number(seconds, digits(1)))
      : t('{0} min {1} s', Math.floor(seconds / 60), Math.floor(seconds % 60)),
  groups: {
    read: (count: number) => plural(count, 'read {0} file', 'read {0} files'),
    list_dir: (count: number) => plural(count, 'listed {0} folder', 'listed {0} folders'),
    grep: (count: number) => plural(count, '{0} search', '{0} searches'),
    find_files: (count: number) => plural(count, '{0} file search', '{0} file searches'),
  },
  doneOfGroup: (done: number, all: number) => t('{0} of {1}', done, all),
  failedOfGroup: (count: number) => t('{0} failed', count),
  skippedOfGroup: (count: number) => t('{0} skipped', count),
  stoppedOfGroup: (count: number) => t('{0} stopped', count),
  input: t('Input'),
  result: t('Result'),
  output: t('Output'),
  change: t('Change'),
  linesOf: (first: number, last: number) =>
    first === last ? t('line {0}', first) : t('lines {0}-{1}', first, last),
  atTheEnd: t('at the end'),
  afterLine: (line: number) => (line === 0 ? t('at the top') : t('after line {0}', line)),
  moreLines: (count: number) => t('… ({0} more lines)', count),
  moreCharacters: (count: number) => t('… ({0} more characters)', count),
  showAll: t('Show All'),
  codeBlock: (lines: number) => plural(lines, 'Code block, {0} line', 'Code block, {0} lines'),
  tableRows: (rows: number) => plural(rows, 'Table, {0} row', 'Table, {0} rows'),
  diff: t('Diff'),
  changes: (added: number, removed: number) =>
    plural(added, '{0} line added', '{0} lines added') + t(', {0} removed', removed),

  waitingForApproval: t('Waiting for your approval'),
  waitingToRetry: t('Waiting to try again'),
  moreApprovals: (count: number) => plural(count, '{0} more approval pending', '{0} more approvals pending'),
  approvalNeeded: (title: string, risk: Risk) => t('Approval needed, {0}: {1}', risks[risk], title),
  questionAsked: (question: string) => t('Harness asks: {0}', question),
  suggestedAnswers: t('Suggested answers'),
  yourAnswer: t('Your answer'),
  sendAnswer: t('Answer'),
  skipQuestion: t('Do not answer'),
  waitingForAnswer: t('Waiting for your answer'),
  effect: t('Proposed action'),
  riskWord: (risk: Risk) => risks[risk],
  covers: (what: string) => t('“Allow in this session” and “Always allow” apply to: {0}', what),
  cannotRemember: t('Harness always asks for this.'),
  allowOnce: t('Allow once'),
  allowSession: t('Allow in this session'),
  allowAlways: t('Always allow'),
  deny: t('Deny'),
  denyReason: t('Reason to deny (optional)'),

  mode: t('Permission mode'),
  modes,
  model: (name: string) => t('Model: {0}. Select another', name),
  tokens: (count: number) => (count < 1_000 ? String(count) : t('{0}k', Math.round(count / 1_000))),
  cost: (dollars: number) =>
    number(dollars, {
      ...digits(dollars < 0.1 ? 3 : 2),
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
    }),
  usage: t('Tokens of the last request, cost of this session'),
  costTitle: t('Cost'),
  costOfFork: t('Does not include the session that this one was forked from.'),
  prompts: t('Prompts'),
  runTime: t('Running time'),
  requests: t('Requests'),
  inputTokens: t('Input tokens'),
  cacheReadTokens: t('of which read from cache'),
  cacheWriteTokens: t('of which written to cache'),
  outputTokens: t('Output tokens'),
  unknownCost: t('unknown'),
  atLeast: (count: number) => t('at least {0}', number(count)),
  about: (count: number) => t('about {0}', number(count)),

  past: t('Earlier point in time'),
  pastEvent: t('Event'),
  pastActions: [
    ['harness.backToNow', t('Back to Now')],
    ['harness.forkSession', t('Fork from Here')],
    ['harness.showFilesThen', t('Show Files')],
    ['harness.showContext', t('Show Context')],
  ],

  find: t('Find'),
  matchCase: t('Match Case'),
  wholeWord: t('Match Whole Word'),
  regularExpression: t('Use Regular Expression'),
  previousMatch: t('Previous Match'),
  nextMatch: t('Next Match'),
  close: t('Close'),
  findKeys: { previous: t('Shift+F3'), next: t('F3'), close: t('Esc') },
  altKey: (key: string) => t('Alt+{0}', key),
  noResults: t('No results'),
  invalidExpression: t('Invalid regular expression'),
  slowExpression: t('This expression takes too long'),
  /** `index` is 0 before the user goes to a match. `isMore`: the search is still running. */
  matchOf: (index: number, total: number, isMore: boolean) =>
    isMore ? t('{0} of {1}…', index || '?', total) : t('{0} of {1}', index || '?', total),
  partNames: {
    user: t('You'),
    text: t('Response'),
    reasoning: t('Thinking'),
    tool: t('Tool'),
    plan: t('Plan'),
    error: t('Error'),
    notice: t('Notice'),
  },

  copy: t('Copy'),
  copied: t('Copied'),
  notCopied: t('Copy failed'),
  copyCode: t('Copy Code'),
  image: t('image'),

  help: t('Help'),
  helpTitle: t('Keyboard shortcuts'),
  helpClose: t('Press any key to close'),
  keys: [
    [t('Enter'), t('Send the prompt, or queue it during a run')],
    [t('Alt+Enter'), t('Send without waiting; the agent sees it at its next step')],
    [t('Shift+Enter, Ctrl+Enter'), t('Insert a new line')],
    [t('Up, Down'), t('Recall earlier and later prompts')],
    [t('Ctrl+R'), t('Search earlier prompts')],
    [t('Ctrl+U'), t('Clear the input')],
    ['@', t('Mention a file, symbol or other context')],
    ['/', t('Commands')],
    [t('Page Up, Page Down'), t('Scroll the conversation')],
    [t('Ctrl+F'), t('Find in the conversation')],
    [t('F3, Shift+F3'), t('Go to the next or previous match')],
    [t('Alt+Up, Alt+Down'), t('Go to your previous or next prompt')],
    [t('Alt+J, Alt+K'), t('Go to the next or previous part')],
    [t('Ctrl+C'), t('Copy the focused part')],
    [t('Esc, Esc'), t('Stop the run')],
    [t('F1 or ?'), t('Open this help')],
    [t('Esc'), t('Close this help')],
  ],
} as const;
