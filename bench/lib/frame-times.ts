/** Runs in a page: notes when each frame begins, until it is read. */
export function noteFrames(): void {
  const times: number[] = [];
  let isOver = false;
  const note = (time: number) => {
    times.push(time);
    if (!isOver) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
  Object.assign(globalThis, {
    benchFrames: () => {
      isOver = true;
      return times;
    },
  });
}

/** Runs in the page: when its frames began, in milliseconds. */
export function readFrames(): number[] {
  return Reflect.get(globalThis, 'benchFrames')();
}
