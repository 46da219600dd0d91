/** The built command line. */
export const cliFile: string;

/** Builds it if a source is newer. Of several concurrent callers, one builds and the others wait. */
export function buildCliIfStale(): Promise<void>;
