import { dirname } from 'node:path';
import { ToolError } from '../../base/tool-error.ts';
import type { FileStat, Workspace } from '../../ports/workspace.ts';
import { asToolErrors } from './workspace-failure.ts';

/** Undefined if nothing is at the path. Rejects with `ToolError` for anything but a regular file. */
export async function statRegularFile(workspace: Workspace, path: string): Promise<FileStat | undefined> {
  const stat = await asToolErrors(workspace.stat(path));
  if (stat?.type === 'directory')
    throw new ToolError(`path is a directory: ${path}`, { code: 'invalid_input' });
  if (stat?.type === 'other') {
    throw new ToolError(`not a regular file: ${path} is a device, socket or pipe, and is left alone`, {
      code: 'unsupported',
    });
  }
  return stat;
}

export async function statExistingFile(workspace: Workspace, path: string): Promise<FileStat> {
  const stat = await statRegularFile(workspace, path);
  if (!stat) throw new ToolError(`file not found: ${path}`, { code: 'not_found' });
  return stat;
}

/** Rejects with `ToolError` if a parent of the path is a file. Missing parents are allowed. */
export async function requireParents(workspace: Workspace, path: string): Promise<void> {
  const parent = dirname(path);
  const stat = await asToolErrors(workspace.stat(parent));
  if (!stat && parent !== path) return requireParents(workspace, parent);
  if (stat && stat.type !== 'directory')
    throw new ToolError(`not a directory: ${parent}`, { code: 'invalid_input' });
}

export function binaryFile(path: string): ToolError {
  return new ToolError(`file is binary: ${path}; this tool handles text only`, { code: 'unsupported' });
}
