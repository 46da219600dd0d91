import { say } from '../../protocol/say.ts';
import { errorCode } from './file-errors.ts';

const KNOWN: Readonly<Record<string, (words: string) => string>> = {
  ENOSPC: (words) => say('the disk is full ({0})', words),
  EDQUOT: (words) => say('your disk quota is used up ({0})', words),
  EROFS: (words) => say('the disk is read-only ({0})', words),
  EACCES: (words) => say('you do not have permission to write there ({0})', words),
  EPERM: (words) => say('you do not have permission to write there ({0})', words),
  ENOENT: (words) => say('its folder does not exist ({0})', words),
  EEXIST: (words) => say('a file exists where its folder should be ({0})', words),
  ENOTDIR: (words) => say('a file exists where its folder should be ({0})', words),
};

/** Explains to the user why the disk did not take something, and includes the system's own message. */
export function diskTrouble(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return KNOWN[errorCode(error) ?? '']?.(words) ?? words;
}
