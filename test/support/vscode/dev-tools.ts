// As much of the protocol of Chromium's developer tools as is needed where Playwright gives up.
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';

const message = z.object({
  id: z.optional(z.number()),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ message: z.string() })),
});
type Answer = z.infer<typeof message>;
const detached = z.object({
  method: z.literal('Target.detachedFromTarget'),
  params: z.object({ sessionId: z.string() }),
});
const targets = z.object({
  targetInfos: z.array(z.object({ targetId: z.string(), type: z.string(), url: z.string() })),
});

const evaluated = z.object({
  result: z.object({ value: z.optional(z.unknown()) }),
  exceptionDetails: z.optional(z.object({ text: z.string() })),
});

type TargetType = 'page' | 'iframe';
type IsWanted = (url: string) => boolean;
type Send = (method: string, params?: object, sessionId?: string) => Promise<unknown>;

/** What was asked and not answered yet; by a session where it was asked of a target. */
interface Question {
  readonly sessionId: string | undefined;
  settle(answer: Answer): void;
}

/** A page, or a frame in a process of its own. */
interface Target {
  /** Rejects where the expression throws, and where the target goes before it has answered. */
  evaluate<Result>(expression: string): Promise<Result>;
  click(x: number, y: number): Promise<void>;
  crash(): Promise<void>;
}

export class DevTools {
  readonly #socket: WebSocket;
  readonly #questions = new Map<number, Question>();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))));
  }

  static async connect(port: number): Promise<DevTools> {
    const version = await (await fetch(`http://127.0.0.1:${port}/json/version`)).json();
    const socket = new WebSocket(
      z.object({ webSocketDebuggerUrl: z.string() }).parse(version).webSocketDebuggerUrl,
    );
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    return new DevTools(socket);
  }

  async targets(type: TargetType, isWanted: IsWanted): Promise<Target[]> {
    const wanted = await this.#find(type, isWanted);
    return Promise.all(wanted.map((id) => this.#attach(id)));
  }

  /** Ends the process of the first such target, and with it all others that it has. */
  async crash(type: TargetType, isWanted: IsWanted): Promise<void> {
    const [target] = await this.targets(type, isWanted);
    await target?.crash();
    // What has crashed has no address any more.
    while ((await this.#find(type, isWanted)).length > 0) await sleep(50);
  }

  close(): void {
    this.#socket.close();
  }

  async #find(type: TargetType, isWanted: IsWanted): Promise<string[]> {
    const all = targets.parse(await this.#send('Target.getTargets', { filter: [{}] })).targetInfos;
    return all
      .filter((target) => target.type === type && isWanted(target.url))
      .map(({ targetId }) => targetId);
  }

  async #attach(targetId: string): Promise<Target> {
    const attached = await this.#send('Target.attachToTarget', { targetId, flatten: true });
    return targetOf(this.#send, z.object({ sessionId: z.string() }).parse(attached).sessionId);
  }

  readonly #send: Send = (method, params = {}, sessionId) => {
    this.#sent += 1;
    const id = this.#sent;
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return new Promise((resolve, reject) => {
      const settle = ({ result, error }: Answer) =>
        error ? reject(new Error(error.message)) : resolve(result);
      this.#questions.set(id, { sessionId, settle });
    });
  };

  #receive(value: unknown): void {
    const answer = message.parse(value);
    const { data: gone } = detached.safeParse(value);
    if (answer.id !== undefined) this.#settle(answer.id, answer);
    if (gone) this.#giveUp(gone.params.sessionId);
  }

  /** A target that is gone answers nothing any more. */
  #giveUp(session: string): void {
    for (const [id, { sessionId }] of this.#questions)
      if (sessionId === session) this.#settle(id, { error: { message: 'What was asked is gone.' } });
  }

  #settle(id: number, answer: Answer): void {
    this.#questions.get(id)?.settle(answer);
    this.#questions.delete(id);
  }
}

function targetOf(send: Send, session: string): Target {
  return {
    async evaluate<Result>(expression: string) {
      const answer = await send('Runtime.evaluate', { expression, returnByValue: true }, session);
      const { result, exceptionDetails } = evaluated.parse(answer);
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      // What the caller's expression gives.
      return result.value as Result;
    },
    async click(x, y) {
      for (const type of ['mousePressed', 'mouseReleased'])
        await send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 }, session);
    },
    async crash() {
      // Nobody is left to answer.
      void send('Page.crash', {}, session).catch(() => undefined);
    },
  };
}
