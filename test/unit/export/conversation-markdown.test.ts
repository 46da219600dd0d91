import { expect, test } from 'vitest';
import { conversationMarkdown } from '../../../extension/core/export/conversation-markdown.ts';
import { call, request, requestEnd, storedEvents, text } from '../../support/panel-events.ts';

test('a prompt of images alone is no blank, and the first words are the title', () => {
  const attachments = ['attachments/a.png'];
  const events = storedEvents([
    { type: 'user', content: '', attachments },
    text('A cat.'),
    { type: 'user', content: 'Which one?' },
  ]);
  expect(conversationMarkdown(events)).toBe(
    '# Which one?\n\n## User\n\nAttached: `attachments/a.png`\n\n## Harness\n\nA cat.\n\n## User\n\nWhich one?\n',
  );
});

test('a conversation as Markdown has its title, its speakers, and what they said and did', () => {
  const events = storedEvents([
    { type: 'user', content: 'Make the tests pass\nplease', attachments: ['attachments/a.png'] },
    { type: 'turn_started', turn: 1 },
    request(1),
    { type: 'reasoning', content: 'Look first.\n\nThen act.' },
    text('I look.\n'),
    call('a', 'bash', { command: 'npm test' }),
    requestEnd(1),
    { type: 'tool_result', id: 'a', result: '{"output":"```\\nFAIL\\n```\\n"}', isError: true },
    { type: 'plan', steps: [{ title: 'Mend it', status: 'completed' }] },
    { type: 'error', code: 'overloaded', message: 'Claude is overloaded.', retryable: true },
    { type: 'turn_ended', turn: 1, reason: 'error' },
    { type: 'user', content: 'Go on' },
  ]);
  expect(conversationMarkdown(events)).toMatchInlineSnapshot(`
    "# Make the tests pass

    ## User

    Make the tests pass
    please

    Attached: \`attachments/a.png\`

    ## Harness

    > Look first.
    >
    > Then act.

    I look.

    **bash** · failed

    \`\`\`
    npm test
    \`\`\`

    \`\`\`\`
    \`\`\`
    FAIL
    \`\`\`
    \`\`\`\`

    - [x] Mend it

    > **Error:** Claude is overloaded.

    ## User

    Go on
    "
  `);
});

test('a discarded reply is not in it, and a session without prompts has a title all the same', () => {
  const events = storedEvents([request(1), text('Wrong'), requestEnd(1, 'discarded')]);
  expect(conversationMarkdown(events)).toBe('# Conversation\n');
});

test('a text with very many back-quotes has a fence that it cannot end', () => {
  const events = storedEvents([
    request(1),
    { type: 'tool_call', id: '1', name: 'write', input: { content: '`` '.repeat(200_000) } },
    requestEnd(1),
  ]);
  expect(conversationMarkdown(events)).toContain('\n```\n');
});

test.each([
  ['```js\nlet a = 1;', '```js\nlet a = 1;\n```'],
  ['````\n```\nnot the end', '````\n```\nnot the end\n````'],
  ['~~~\n```', '~~~\n```\n~~~'],
  ['```\nended\n```\nand ```said``` in a line', '```\nended\n```\nand ```said``` in a line'],
])('a reply that was cut off within a fence takes nothing behind it into that: %j', (content, shown) => {
  const markdown = conversationMarkdown(storedEvents([text(content), { type: 'user', content: 'Next' }]));
  expect(markdown).toBe(`# Next\n\n## Harness\n\n${shown}\n\n## User\n\nNext\n`);
});
