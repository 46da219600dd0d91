/** The pattern is not a valid basic regular expression; `message` has grep's wording. */
export class PatternError extends Error {}

export const TOO_BIG = 'Regular expression too big';
export const UNMATCHED_BRACKET = 'Unmatched [, [^, [:, [., or [=';
