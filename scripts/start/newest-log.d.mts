/** The newest log of all sessions; undefined if there is none. A folder without a log is not a session. */
export function newestLog(sessions: string): Promise<string | undefined>;
