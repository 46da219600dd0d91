// A recording has masks in the place of secrets, so that lengths and boundaries between pieces stay the same.
import { refilled, unmasked } from '../secrets/masks.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';

/** The filter for a replay. It recognizes masks in recorded texts and replaces them with placeholders. */
export class RecordedSecrets extends SecretFilter {
  override mayHold(text: string): boolean {
    return text.includes('~') || super.mayHold(text);
  }

  override text(text: string, isOutput?: boolean): string {
    return super.text(unmasked(text), isOutput);
  }
}

/**
 * Removes the fill characters from masks in what a model wrote. Escapes in JSON can make a secret longer, and
 * its mask is filled to that length.
 */
class MasksInJson extends SecretFilter {
  override text(text: string): string {
    return refilled(text, '');
  }
}

export const masksInJson = new MasksInJson();
