/** A session that the bench writes. */
export interface SessionPlan {
  /** Absolute path of the session's workspace folder. */
  readonly workspace: string;
  /** The beginning of its first prompt. */
  readonly title: string;
  /** A multiple of ten. */
  readonly parts: number;
}

/** The end of the last part of a session. */
export function lastWords({ title }: Pick<SessionPlan, 'title'>): string {
  return `These are the last words of ${title}.`;
}
