/** The pattern is no valid basic regular expression; `message` is worded as grep words it. */
export class PatternError extends Error {}

export const TOO_BIG = 'Regular expression too big';
export const UNMATCHED_BRACKET = 'Unmatched [, [^, [:, [., or [=';
