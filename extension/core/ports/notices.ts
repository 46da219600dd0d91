/** Where a person reads what no log of a session holds. */
export interface Notices {
  /** Shows why something was not done. `sentence` comes from `say`; the implementation translates it. */
  warn(sentence: string): void;
}
