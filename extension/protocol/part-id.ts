// How a part of the conversation is called: the same in the log, in the panel, and after each reading. A tool part is
// called by its call's id, any other by the sequence number of its event.

/** The `count`-th (from 1) text or thinking that is not empty in the reply to request number `request`. */
export function replyPartId(request: number, count: number): string {
  return `${request}.${count}`;
}
