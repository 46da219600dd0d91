/** What VS Code knows our editor tabs by, also when it brings them back; package.json names it, too. */
export const TAB_TYPE = 'harness.chat.editor';
