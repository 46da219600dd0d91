// Exports a conversation as one self-contained page. It loads nothing and runs no script, even if its texts
// contain HTML.

import type { Diff, EventOf, SessionEvent } from '../../protocol/events.ts';
import type { ModelLedger } from '../../protocol/ledger.ts';
import { sessionTitleOf } from '../log/session-title.ts';
import { outcomeWord } from '../view/call-outcome.ts';
import { conversationParts, type ShownPart } from '../view/parts.ts';
import { inputText, resultText } from '../view/tool-text.ts';
import { ledgerOf } from '../view/usage-ledger.ts';
import { escapeHtml, escapeLabel, preformatted } from './html/escape.ts';
import { wordsHtml } from './html/markdown-to-html.ts';
import { STYLE } from './html/style.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A whole log as a page, section by section. Leaves out discarded replies. Times are in UTC. */
export class HtmlDocument {
  #facts: readonly SessionEvent[] = [];
  #prompts = 0;
  /** Something follows the prompt in the open section. */
  #isAnswered = true;
  #isOpen = false;

  /** `facts` are the log's events about the session as a whole, such as its title and its file changes. */
  begin(facts: readonly SessionEvent[]): string {
    this.#facts = facts;
    return beginningHtml(facts);
  }

  section(events: readonly SessionEvent[]): string {
    return conversationParts(events)
      .map((part) => this.#part(part))
      .join('');
  }

  end(): string {
    return `${this.#close()}</main>
${filesHtml(this.#facts)}
<footer><p>Exported from Harness. Secrets are hidden.</p></footer>
</body>
</html>
`;
  }

  #part(part: ShownPart): string {
    if (part.event.type === 'user') {
      this.#prompts += 1;
      return `${this.#open(`Prompt ${this.#prompts}`)}${promptHtml(part.event, this.#prompts)}\n`;
    }
    const before = this.#isOpen ? '' : this.#open('Before the first prompt');
    const heading = this.#isAnswered ? '' : `${ANSWER}\n`;
    this.#isAnswered = true;
    return `${before}${heading}${partHtml(part, part.event)}\n`;
  }

  #open(name: string): string {
    const end = this.#close();
    this.#isOpen = true;
    this.#isAnswered = this.#prompts === 0;
    return `${end}<section aria-label="${name}">\n`;
  }

  #close(): string {
    const end = this.#isOpen ? '</section>\n' : '';
    this.#isOpen = false;
    return end;
  }
}

function beginningHtml(facts: readonly SessionEvent[]): string {
  const title = sessionTitleOf(facts) || 'Conversation';
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeLabel(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
${factsHtml(facts)}
</header>
<main>
`;
}

function tokensOf(models: readonly ModelLedger[]): string {
  const [input, output] = [
    sum(models.map((model) => model.inputTokens)),
    sum(models.map((model) => model.outputTokens)),
  ];
  const isPartial = models.some(({ unreported }) => unreported !== undefined);
  if (models.every(({ requests, unreported = 0 }) => unreported >= requests))
    return models.length === 0 ? '' : 'not known';
  const remarks = [
    ...(models.some(({ estimated }) => estimated) ? ['some of them estimated'] : []),
    ...(isPartial ? ['and what is not known'] : []),
  ];
  return [`${input} in`, `${output} out`, ...remarks].join(', ');
}

function factsHtml(events: readonly SessionEvent[]): string {
  const start = events.find((event) => event.type === 'session_started');
  const { models, prompts } = ledgerOf(events);
  const costs = models.map(({ cost }) => cost);
  const cost = costs.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  const facts = {
    Folder: start?.cwd,
    Begun: start && timeHtml(start.timestamp),
    Models: models.map(({ provider, model }) => escapeHtml(`${provider}/${model}`)).join(', '),
    Prompts: String(prompts),
    Tokens: tokensOf(models),
    Cost:
      cost > 0
        ? `$${cost.toFixed(cost < 1 ? 4 : 2)}${costs.includes(undefined) ? ' and what is not known' : ''}`
        : '',
  };
  const shown = { ...facts, Folder: facts.Folder && escapeHtml(facts.Folder) };
  const rows = Object.entries(shown).filter(([, value]) => value);
  return `<dl>\n${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n')}\n</dl>`;
}

function sum(counts: readonly number[]): string {
  return counts.reduce((total, count) => total + count, 0).toLocaleString('en-US');
}

const ANSWER = '<h3>Harness</h3>';

type AnswerEvent = Exclude<ShownPart['event'], { type: 'user' }>;

function partHtml({ id, result, permission }: ShownPart, event: AnswerEvent): string {
  switch (event.type) {
    case 'text':
      return wordsHtml(event.content);
    case 'reasoning':
      return `<details class="thought"><summary>Thought</summary>\n${wordsHtml(event.content)}\n</details>`;
    case 'tool_call':
      return callHtml({ id, event, ...(result && { result }), ...(permission && { permission }) });
    case 'plan':
      return planHtml(event);
    case 'error':
      return `<p class="error"><strong>Error:</strong> ${escapeHtml(event.message)}</p>`;
    case 'notice':
      return `<p class="notice">${escapeHtml(event.message)}</p>`;
    case 'compaction':
      return `<details><summary>Summary of the conversation so far</summary>\n${wordsHtml(event.summary)}\n</details>`;
  }
}

function promptHtml({ content, timestamp, attachments = [] }: EventOf<'user'>, number: number): string {
  const images = attachments.map((name) => `<p class="fact">Attached: ${escapeHtml(name)}</p>`);
  return `<h2>Prompt ${number} ${timeHtml(timestamp)}</h2>
<div class="prompt"><p>${escapeHtml(content.trim())}</p>${images.join('')}</div>`;
}

const MARKS = { pending: '☐', in_progress: '◐', completed: '☑' };
const STATES = { pending: 'to do', in_progress: 'in progress', completed: 'done' };

function planHtml({ steps }: EventOf<'plan'>): string {
  const items = steps.map(
    ({ title, status }) =>
      `<li><span aria-label="${STATES[status]}">${MARKS[status]}</span> ${escapeHtml(title)}</li>`,
  );
  return `<ul class="plan">\n${items.join('\n')}\n</ul>`;
}

/** Lists the files that these events changed, each once. */
function filesHtml(events: readonly SessionEvent[]): string {
  const changed = events.flatMap((event) => (event.type === 'files_changed' ? event.changes : []));
  const paths = [...new Set(changed.map(({ path }) => path))].sort();
  if (paths.length === 0) return '';
  const items = paths.map((path) => `<li><code>${escapeHtml(path)}</code></li>`);
  return `<section aria-labelledby="files">\n<h2 id="files">Files changed</h2>\n<ul class="files">\n${items.join('\n')}\n</ul>\n</section>`;
}

function timeHtml(timestamp: number): string {
  const time = new Date(timestamp).toISOString();
  return `<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

type CallPart = ShownPart & { readonly event: EventOf<'tool_call'> };

/**
 * A collapsed call. Its summary line has the name, the input's first line and the outcome. A failed call is
 * open.
 */
export function callHtml({ event, result, permission }: CallPart): string {
  const input = inputText(event.input);
  const about = input.split('\n')[0] ?? '';
  const outcome = result ? outcomeWord({ name: event.name, result, permission }, english) : 'did not end';
  const facts = [outcome, changesOf(result), permission && decisionOf(permission), durationOf(result)];
  const shown = facts.filter(Boolean).map((fact) => ` <span class="fact">${escapeHtml(String(fact))}</span>`);
  const bodies = [
    preformatted(input || JSON.stringify(event.input, null, 2), `${event.name}: input`),
    result?.diff
      ? diffHtml(result.diff)
      : result && preformatted(resultText(result.result), `${event.name}: result`),
  ];
  return `<details class="call${result?.isError ? ' failed' : ''}"${result?.isError ? ' open' : ''}>
<summary><b>${escapeHtml(event.name)}</b> <span class="about">${escapeHtml(about.slice(0, 200))}</span>${shown.join('')}</summary>
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
