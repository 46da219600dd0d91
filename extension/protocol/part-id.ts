// Ids of the parts of a conversation: the same in the log, in the panel and on every read. A tool part has
// its call's id, any other part its event's sequence number.

/**
 * Id of the `count`-th (from 1) non-empty text or thinking block in the reply to request number `request`.
 */
export function replyPartId(request: number, count: number): string {
  return `${request}.${count}`;
}
