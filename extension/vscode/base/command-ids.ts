/** The commands on changes that await a review. */
const REVIEW_COMMANDS = [
  'harness.reviewChanges',
  'harness.openChange',
  'harness.acceptFile',
  'harness.rejectFile',
  'harness.acceptHunk',
  'harness.rejectHunk',
  'harness.acceptLine',
  'harness.rejectLine',
  'harness.acceptAll',
  'harness.rejectAll',
  'harness.nextChange',
  'harness.previousChange',
] as const;

export type ReviewCommand = (typeof REVIEW_COMMANDS)[number];

export function isReviewCommand(command: CommandId): command is ReviewCommand {
  return REVIEW_COMMANDS.some((other) => other === command);
}

/** Whether the command can run before the shown session is completely loaded. */
export function isAtOnce(command: string): boolean {
  return command === 'harness.cancel' || command === 'harness.newSession';
}

/** All command ids. package.json declares each; a test compares the two. */
export const COMMANDS = [
  'harness.ask',
  'harness.cancel',
  'harness.showRun',
  'harness.newSession',
  'harness.showSessions',
  'harness.selectModel',
  'harness.setApiKey',
  'harness.clearApiKey',
  'harness.addToChat',
  'harness.managePermissions',
  'harness.showAuditLog',
  'harness.openSessionLog',
  'harness.showOutput',
  'harness.showContext',
  'harness.compact',
  'harness.undo',
  'harness.redo',
  'harness.restoreCheckpoint',
  'harness.redoCheckpoint',
  'harness.find',
  'harness.previousPrompt',
  'harness.nextPrompt',
  'harness.copyConversation',
  'harness.exportMarkdown',
  'harness.exportSession',
  'harness.importSession',
  'harness.showStorage',
  'harness.copyPart',
  'harness.openInEditor',
  'harness.renameSession',
  'harness.deleteSession',
  'harness.sessionList.openInEditor',
  'harness.sessionList.rename',
  'harness.sessionList.delete',
  'harness.timeTravel',
  'harness.stepBack',
  'harness.stepForward',
  'harness.backToNow',
  'harness.forkSession',
  'harness.reportIssue',
  'harness.replaySession',
  'harness.replayControls',
  'harness.showTimeline',
  'harness.hideTimeline',
  'harness.showFilesThen',
  'harness.compareWithNow',
  'harness.preview.approve',
  'harness.preview.reject',
  ...REVIEW_COMMANDS,
] as const;

export type CommandId = (typeof COMMANDS)[number];

/**
 * The commands in the title of the side bar's view. There, each acts on that view's session, even if another
 * panel is in front.
 */
export const VIEW_COMMANDS = [
  'harness.newSession',
  'harness.showSessions',
  'harness.openInEditor',
  'harness.renameSession',
  'harness.deleteSession',
  'harness.copyConversation',
  'harness.exportMarkdown',
  'harness.openSessionLog',
  'harness.selectModel',
  'harness.setApiKey',
  'harness.managePermissions',
  'harness.showAuditLog',
  'harness.undo',
  'harness.restoreCheckpoint',
  'harness.redoCheckpoint',
  'harness.showTimeline',
] as const satisfies readonly CommandId[];

/** The id in package.json's menu. */
export function viewCommand(command: (typeof VIEW_COMMANDS)[number]): string {
  return command.replace('harness.', 'harness.view.');
}
