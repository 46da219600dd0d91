// Exports a conversation, or one part of it, as Markdown.
import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { sessionTitleOf } from '../log/session-title.ts';
import { conversationParts, type ShownPart } from '../view/parts.ts';
import { inputText, resultText } from '../view/tool-text.ts';

const steps: Readonly<Record<EventOf<'plan'>['steps'][number]['status'], string>> = {
  pending: '- [ ] ',
  in_progress: '- [ ] (in progress) ',
  completed: '- [x] ',
};

/** A whole log. Leaves out discarded replies. Ends with a line feed. */
export function conversationMarkdown(events: readonly SessionEvent[]): string {
  const document = new MarkdownDocument();
  return document.begin(events) + document.section(events);
}

/** Does the same, section by section. */
export class MarkdownDocument {
  #speaker = '';

  /** `facts` are the log's events that can give its title. */
  begin(facts: readonly SessionEvent[]): string {
    return `# ${sessionTitleOf(facts) || 'Conversation'}\n`;
  }

  section(events: readonly SessionEvent[]): string {
    const blocks = conversationParts(events).map((part) => `\n${this.#heading(part)}${partMarkdown(part)}\n`);
    return blocks.join('');
  }

  end(): string {
    return '';
  }

  /** Empty if the speaker is that of the previous part. */
  #heading({ event }: ShownPart): string {
    const speaker = event.type === 'user' ? 'User' : 'Harness';
    const isNew = speaker !== this.#speaker;
    this.#speaker = speaker;
    return isNew ? `## ${speaker}\n\n` : '';
  }
}

/** The content of one part, without a heading. */
export function partMarkdown({ event, result }: ShownPart): string {
  switch (event.type) {
    case 'user':
      return promptMarkdown(event);
    case 'text':
      return ended(event.content.trim());
    case 'reasoning':
      return quote(event.content.trim());
    case 'tool_call':
      return callMarkdown(event, result);
    case 'plan':
      return event.steps.map(({ title, status }) => `${steps[status]}${title}`).join('\n');
    case 'error':
      return quote(`**Error:** ${event.message}`);
    case 'notice':
      return quote(event.message);
    case 'compaction':
      return quote(`**Summary of the conversation so far:**\n\n${event.summary}`);
  }
}

function promptMarkdown({ content, attachments = [] }: EventOf<'user'>): string {
  const blocks = [ended(content.trim()), ...attachments.map((name) => `Attached: \`${name}\``)];
  return blocks.filter((block) => block !== '').join('\n\n');
}

function callMarkdown(call: EventOf<'tool_call'>, result: EventOf<'tool_result'> | undefined): string {
  const outcome = result?.end ?? (result?.isError ? 'failed' : '');
  const head = `**${call.name}**${outcome === '' ? '' : ` · ${outcome}`}`;
  const texts = [inputText(call.input), result ? resultText(result.result) : ''];
  return [head, ...texts.filter((text) => text.trim() !== '').map(fence)].join('\n\n');
}

/** Uses a fence that the text cannot close. */
function fence(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${text.replace(/\n$/, '')}\n${marks}`;
}

/** Closes an open fence, so that what follows the text is not code. */
function ended(text: string): string {
  let open = '';
  for (const line of text.split('\n')) {
    const [, marks = '', rest = ''] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? [];
    if (open === '') open = marks;
    else if (marks.startsWith(open) && rest.trim() === '') open = '';
  }
  return open === '' ? text : `${text}\n${open}`;
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
