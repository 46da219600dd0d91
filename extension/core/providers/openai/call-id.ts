import { createHash } from 'node:crypto';
import type { Dialect } from './dialect.ts';

export const ID_FORMS: Readonly<Record<Dialect['ids'], RegExp>> = {
  common: /^[a-zA-Z0-9_-]{1,40}$/,
  nine: /^[a-zA-Z0-9]{9}$/,
};

/**
 * A call's id in the form that the server accepts. An id in another form is replaced, always by the same one.
 */
export function toCallId(id: string, form: Dialect['ids']): string {
  if (ID_FORMS[form].test(id)) return id;
  const digest = createHash('sha256').update(id);
  return form === 'nine' ? digest.digest('hex').slice(0, 9) : `call_${digest.digest('hex').slice(0, 32)}`;
}
