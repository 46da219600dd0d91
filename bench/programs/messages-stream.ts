// The events of a Messages stream, as a server writes them.

export function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

export function messageStart(): string {
  const usage = { input_tokens: 100, output_tokens: 1 };
  return event('message_start', {
    message: { id: 'msg_bench', type: 'message', role: 'assistant', model: 'bench', content: [], usage },
  });
}

export function messageEnd(stop: string): string {
  const delta = { stop_reason: stop, stop_sequence: null };
  return event('message_delta', { delta, usage: { output_tokens: 40 } }) + event('message_stop', {});
}

export function textStart(index: number): string {
  return event('content_block_start', { index, content_block: { type: 'text', text: '' } });
}

export function textDelta(index: number, text: string): string {
  return event('content_block_delta', { index, delta: { type: 'text_delta', text } });
}

export function blockStop(index: number): string {
  return event('content_block_stop', { index });
}
