/** The log of the session that was written last; undefined where there is none. A folder without a log is no session. */
export function newestLog(sessions: string): Promise<string | undefined>;
