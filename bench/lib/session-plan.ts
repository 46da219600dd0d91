/** A session that is written for the bench. */
export interface SessionPlan {
  /** Absolute path of the folder that it was held in. */
  readonly workspace: string;
  /** Its first prompt begins with it. */
  readonly title: string;
  /** A multiple of ten. */
  readonly parts: number;
}

/** What the last part of a session ends with. */
export function lastWords({ title }: Pick<SessionPlan, 'title'>): string {
  return `These are the last words of ${title}.`;
}
