// The only connection between this page and the extension host.
import * as z from 'zod/mini';
import { type HostMessage, hostMessage, type WebviewMessage } from '../../extension/protocol/messages.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

export interface Channel {
  post(message: WebviewMessage): void;
  /** Calls `receive` with each message that parses. Call the result to stop. */
  listen(receive: (message: Incoming) => void): () => void;
  readSaved(): unknown;
  save(state: unknown): void;
  /** Reports an error for the host's log. */
  reportError(error: unknown): void;
}

/** `firstSeq` and `lastSeq` include events whose type this page does not know; 0 without events. */
export interface Incoming {
  readonly message: HostMessage;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** The most characters that the host accepts. */
const LONGEST_REPORT = 10_000;

export function openChannel(): Channel {
  const api = acquireVsCodeApi();
  const post = (message: WebviewMessage) => api.postMessage(message);
  const report = (problem: string) =>
    post({ type: 'log', level: 'error', message: problem.slice(0, LONGEST_REPORT) });
  const reportError = (error: unknown) =>
    report(error instanceof Error ? (error.stack ?? error.message) : String(error));
  window.addEventListener('error', ({ error, message }) => reportError(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
  return {
    post,
    listen: (receive) => listen(receive, report),
    readSaved: () => api.getState(),
    save: (state) => api.setState(state),
    reportError,
  };
}

function listen(receive: (message: Incoming) => void, report: (problem: string) => void): () => void {
  const onMessage = ({ data, origin }: MessageEvent<unknown>) => {
    // VS Code posts to this frame from its parent, which has the same origin.
    if (origin !== window.origin) return;
    const incoming = parseIncoming(data);
    if (typeof incoming === 'string') report(incoming);
    else receive(incoming);
  };
  window.addEventListener('message', onMessage);
  return () => window.removeEventListener('message', onMessage);
}

/** The message in `data`, or a sentence with the reason why it is invalid. */
export function parseIncoming(data: unknown): Incoming | string {
  const parsed = hostMessage.safeParse(data);
  if (!parsed.success) return `A message of the host was dropped: ${problemsOf(parsed.error)}`;
  const seqs = seqsOf(data);
  return { message: parsed.data, firstSeq: seqs.at(0) ?? 0, lastSeq: seqs.at(-1) ?? 0 };
}

function problemsOf(error: z.core.$ZodError): string {
  const problems = error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'message'}: ${issue.message}`);
  return problems.join('; ');
}

const messageWithEvents = z.object({ events: z.array(z.unknown()) });
const numbered = z.object({ seq: z.number().check(z.positive()) });

function seqsOf(data: unknown): number[] {
  const { events } = messageWithEvents.safeParse(data).data ?? { events: [] };
  return events.flatMap((event) => numbered.safeParse(event).data?.seq ?? []);
}
