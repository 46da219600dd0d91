// Starts a run on programs/model-server.ts and reads what the server has recorded.

export interface Noted {
  /** Milliseconds from the end of each reply to the next request. */
  readonly gaps: number[];
  /** The time of the first request, in nanoseconds of `process.hrtime`. */
  readonly arrived: string;
}

/** The next run requests this many reads. */
export async function beginRun(url: string, turns: number): Promise<void> {
  await fetch(`${url}/begin?turns=${turns}`);
}

/** What the server has recorded since the run began. */
export async function readNoted(url: string): Promise<Noted> {
  const response = await fetch(`${url}/noted`);
  // The server is part of the bench.
  return (await response.json()) as Noted;
}
