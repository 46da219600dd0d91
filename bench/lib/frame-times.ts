/** Runs in a page: records the start of each frame until the times are read. */
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

/** Runs in the page: the starts of its frames in milliseconds. */
export function readFrames(): number[] {
  return Reflect.get(globalThis, 'benchFrames')();
}
