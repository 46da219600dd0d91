// The list of all tools. Other tables have one row for each of them, which the types enforce.

/**
 * What a call does to the workspace: reads it, changes the files that it names, or runs a command, which may
 * do anything.
 */
export type ToolEffect = 'reads' | 'changes' | 'runs';

const TOOL_EFFECTS = {
  read: 'reads',
  list_dir: 'reads',
  grep: 'reads',
  find_files: 'reads',
  bash: 'runs',
  bash_output: 'reads',
  bash_stop: 'changes',
  write: 'changes',
  edit: 'changes',
  move: 'changes',
  apply_patch: 'changes',
  diagnostics: 'reads',
  code: 'reads',
  update_plan: 'reads',
  ask_user: 'reads',
} as const satisfies Record<string, ToolEffect>;

export type ToolName = keyof typeof TOOL_EFFECTS;

/** False for a name that a model made up, and for tools of other versions, which logs may name. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOL_EFFECTS, name);
}

/** Undefined for a tool that this version does not have. */
export function effectOf(
  name: string,
  { action }: Readonly<Record<string, unknown>> = {},
): ToolEffect | undefined {
  if (name === 'code' && action === 'rename') return 'changes';
  return isToolName(name) ? TOOL_EFFECTS[name] : undefined;
}
