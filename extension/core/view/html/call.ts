import type { Diff, EventOf } from '../../../protocol/events.ts';
import { outcomeWord } from '../card-words.ts';
import type { ShownPart } from '../shown-parts.ts';
import { inputText, resultText } from '../tool-text.ts';
import { escapeHtml, preformatted } from './html.ts';

type CallPart = ShownPart & { readonly event: EventOf<'tool_call'> };

/** Folded: its name, what it is about and how it went are in the line that unfolds it. One that failed is open. */
export function callHtml({ event, result, permission }: CallPart): string {
  const input = inputText(event.input);
  const about = input.split('\n')[0] ?? '';
  const outcome = result ? outcomeWord({ name: event.name, result, permission }, english) : 'did not end';
  const facts = [outcome, changesOf(result), permission && decisionOf(permission), durationOf(result)];
  const told = facts.filter(Boolean).map((fact) => ` <span class="fact">${escapeHtml(String(fact))}</span>`);
  const bodies = [
    preformatted(input || JSON.stringify(event.input, null, 2), `${event.name}: input`),
    result?.diff
      ? diffHtml(result.diff)
      : result && preformatted(resultText(result.result), `${event.name}: result`),
  ];
  return `<details class="call${result?.isError ? ' failed' : ''}"${result?.isError ? ' open' : ''}>
<summary><b>${escapeHtml(event.name)}</b> <span class="about">${escapeHtml(about.slice(0, 200))}</span>${told.join('')}</summary>
${bodies.filter(Boolean).join('\n')}
</details>`;
}

function diffHtml({ text, moreLines }: Diff): string {
  const lines = text.split('\n').map((line) => {
    const tag = line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : 'span';
    return `<${tag}>${escapeHtml(line)}</${tag}>`;
  });
  const more = moreLines ? `<p class="fact">${moreLines} more lines</p>` : '';
  return `<pre class="diff" tabindex="0" role="region" aria-label="Changes"><code>${lines.join('\n')}</code></pre>${more}`;
}

function changesOf(result: EventOf<'tool_result'> | undefined): string {
  const { added = 0, removed = 0 } = result ?? {};
  return added + removed > 0 ? `+${added} −${removed}` : '';
}

function decisionOf({ by, decision }: EventOf<'permission'>): string {
  return by === 'user' && decision !== 'deny' ? 'allowed by you' : '';
}

function durationOf(result: EventOf<'tool_result'> | undefined): string {
  const { milliseconds = 0 } = result ?? {};
  return milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : '';
}

function english(message: string, ...values: readonly number[]): string {
  return message.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)]));
}
