// A recording has masks in the place of secrets, so that every length and every boundary of pieces is what it was.
import { refilled, unmasked } from '../secrets/masks.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';

/** The secrets of a recording: what is left of them is known by its form. */
export class RecordedSecrets extends SecretFilter {
  override mayHold(text: string): boolean {
    return text.includes('~') || super.mayHold(text);
  }

  override text(text: string, isOutput?: boolean): string {
    return super.text(unmasked(text), isOutput);
  }
}

/** Takes out of what a model has said what fills the room that its secrets had in JSON. */
class MasksInJson extends SecretFilter {
  override text(text: string): string {
    return refilled(text, '');
  }
}

export const masksInJson = new MasksInJson();
