/** Shows the user what no session log holds. */
export interface Notices {
  /** Shows why something was not done. `sentence` comes from `say`; the implementation translates it. */
  warn(sentence: string): void;
}
