// How a client of programs/model-server.ts begins a run and reads what the server has noted.

export interface Noted {
  /** Milliseconds from the end of each reply to the next request. */
  readonly gaps: number[];
  /** When the first request came, in nanoseconds of `process.hrtime`. */
  readonly arrived: string;
}

/** The next run asks for so many reads. */
export async function beginRun(url: string, turns: number): Promise<void> {
  await fetch(`${url}/begin?turns=${turns}`);
}

/** What was noted since the run began. */
export async function readNoted(url: string): Promise<Noted> {
  const response = await fetch(`${url}/noted`);
  // The server is ours.
  return (await response.json()) as Noted;
}
