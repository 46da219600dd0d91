// Runs in the extension host: waits until a newly opened window is quiet.

const QUIET_MS = 4000;

export async function settle(): Promise<null> {
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  return null;
}
