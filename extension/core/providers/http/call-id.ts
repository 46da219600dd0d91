import { createHash } from 'node:crypto';

/** Up to 64 letters, digits, `_` and `-`. */
export const COMMON_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** A call's id; one of another provider that an API would not take is replaced, always by the same one. */
export function callId(id: string, prefix: string): string {
  if (COMMON_ID.test(id)) return id;
  return prefix + createHash('sha256').update(id).digest('base64url');
}
