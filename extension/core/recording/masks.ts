// What stands for a secret in a recording: as long as the secret, so that every length and every boundary of pieces is what it
// was, and telling which placeholder the log has, so that a playback puts the same one there.
import { type Replacement, SecretFilter } from '../secrets/secret-filter.ts';
import { secretKinds } from '../secrets/secret-kinds.ts';
import { settledLength } from '../secrets/settled-length.ts';
import type { Hiding } from './secrets/masked-text.ts';

const KINDS = ['secret', ...new Set(secretKinds.map(({ name }) => name))];
const PLACEHOLDER = /^\[redacted:([a-z-]+)#([0-9a-f]{4})\]$/;
const MASK = /~(0[0-9a-z])([0-9a-f]{4})~*/g;
const WHOLE_MASK = /^~0[0-9a-z][0-9a-f]{4}~*$/;

/** Of one line of a secret. */
const maskOf: Replacement = (placeholder, line) => {
  const [, kind = '', hash = ''] = PLACEHOLDER.exec(placeholder) ?? [];
  if (WHOLE_MASK.test(line)) return line;
  const name = KINDS.indexOf(kind).toString(36).padStart(2, '0');
  return `~${name}${hash}`.padEnd(line.length, '~').slice(0, line.length);
};

/** The secrets of a recording: what is left of them is known by its form. */
export class RecordedSecrets extends SecretFilter {
  override text(text: string): string {
    return super.text(text.replace(MASK, placeholderOf));
  }
}

function placeholderOf(mask: string, name: string, hash: string): string {
  const kind = KINDS[Number.parseInt(name, 36)];
  return kind === undefined ? mask : `[redacted:${kind}#${hash}]`;
}

/** What `secrets` hides is hidden. */
export function hidingOf(secrets = new SecretFilter()): Hiding {
  return {
    mask: (text) => secrets.replace(text, maskOf),
    settledLength: (text) => settledLength(text, secrets),
  };
}
