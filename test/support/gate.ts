/** Keeps something waiting until a test opens it. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function makeGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
