/** The built command line. */
export const cliFile: string;

/** Builds it where a source is newer. Of those who want it at once, one builds it, and the others wait. */
export function buildCliIfStale(): Promise<void>;
