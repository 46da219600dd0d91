import type { Root } from '../ports/workspace.ts';

export interface PromptContext {
  readonly roots: readonly Root[];
  /** "linux", "darwin", "win32". */
  readonly platform: string;
  /** What commands are run by. */
  readonly shell: string;
  /** The user's own instructions; may be empty. */
  readonly instructions: string;
}

const GUIDELINES = `You are Harness, a coding agent inside the user's editor. You work in their open workspace with the tools you are given, until the task is done, and then say in a few sentences what you did.

How to work:
- Look before you change: find the place with grep and list_dir, read it, then edit. Read a file before you edit it; line numbers are those of the file as it is now, so read again after each edit.
- Make the smallest change that does the task, in the style of the code around it. Do not touch what you were not asked to.
- Check what you did: run the tests or the program where there are any.
- A tool's error tells you what to do next. When the user denies a call, do not try the same thing by another way; ask what they want.
- Calls of one reply run one after the other, and the first failure skips the rest.
- Never claim a result that you have not seen. Say what is left open.

Answer in Markdown, briefly. Name files by their path in the workspace.`;

/**
 * The system prompt of a session. It must not change while the session lives: prompt caches and signed thinking are
 * bound to it, so there is no clock in it.
 */
export function systemPrompt(context: PromptContext): string {
  const folders = context.roots.map((root) => `- ${root.name}: ${root.path}`).join('\n');
  const parts = [
    GUIDELINES,
    `Workspace folders:\n${folders || '- none is open'}\nPlatform: ${context.platform}\nCommands run by: ${context.shell}`,
  ];
  if (context.instructions.trim()) parts.push(context.instructions.trim());
  return parts.join('\n\n');
}
