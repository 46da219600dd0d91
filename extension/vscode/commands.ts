/** The commands that VS Code knows us by. Each is declared in package.json; a test compares the two. */
export const COMMANDS = [
  'harness.ask',
  'harness.cancel',
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
  'harness.preview.approve',
  'harness.preview.reject',
] as const;

export type CommandId = (typeof COMMANDS)[number];
