// A script with the official SDK and nothing else: one request, to the URL in its argument.
import { Anthropic } from '@anthropic-ai/sdk/client';

const client = new Anthropic({ baseURL: process.argv[2] ?? '', apiKey: 'bench' });
const stream = await client.messages.create({
  model: 'claude-sonnet-5-5',
  max_tokens: 4096,
  stream: true,
  messages: [{ role: 'user', content: 'Say that you are done.' }],
});
for await (const event of stream) {
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
    process.stdout.write(event.delta.text);
}
