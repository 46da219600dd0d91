const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `cancel` when the user, the terminal or whoever reads our output has gone. Returns the undo. */
export function onInterrupt(cancel: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, cancel);
  process.stdout.on('error', cancel);
  return () => {
    for (const signal of SIGNALS) process.off(signal, cancel);
  };
}
