type ReplyBlock = {
    readonly type: 'text';
    readonly text: string;
}
/** Without `signature` one is made that binds the block to what was sent before it, as the real ones are. */
 | {
    readonly type: 'thinking';
    readonly thinking: string;
    readonly signature?: string;
} | {
    readonly type: 'redacted_thinking';
    readonly data: string;
} | {
    readonly type: 'server_tool_use';
    readonly id: string;
    readonly name: string;
    readonly input: object;
}
/** A string as `input` is sent as it is, also when it is no JSON. Without `id` one is made. */
 | {
    readonly type: 'tool_use';
    readonly id?: string;
    readonly name: string;
    readonly input: object | string;
};
export interface ScriptedReply {
    readonly blocks?: readonly ReplyBlock[];
    /** `tool_use` or `end_turn`, by the blocks, where it is left out. */
    readonly stop_reason?: string;
    /** Fields of the wire's `usage` that the script wants to set. */
    readonly usage?: Readonly<Record<string, number>>;
    /** Characters per delta; a block comes in one where it is left out. */
    readonly chunkSize?: number;
    /** Milliseconds before each delta. */
    readonly delayMs?: number;
    /** All deltas but the first `after` wait until this has come to pass. */
    readonly hold?: {
        readonly after: number;
        readonly until: Promise<unknown>;
    };
    /** Milliseconds before the headers. */
    readonly headersDelayMs?: number;
    /** How the connection ends after what is sent; `hang` and `reset` leave `message_stop` out. */
    readonly close?: 'end' | 'hang' | 'reset';
    /** An error event instead of the end of the message. */
    readonly error?: {
        readonly type: string;
        readonly message: string;
    };
    /** An answer that is no stream, with its body as JSON or as it is. */
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
}
/** A write to the socket. */
export interface Chunk {
    readonly delayMs: number;
    /** It is not sent before this has come to pass. */
    readonly until?: Promise<unknown>;
    readonly data: string;
}
/** A block as the API would give it. */
export type WireBlock = Readonly<Record<string, unknown>> & {
    readonly type: string;
};
/** The reply's blocks with everything that the script left open. `seed` is what the request was; equal seeds give equal blocks. */
export declare function completeBlocks(reply: ScriptedReply, seed: string): WireBlock[];
export declare function stopReason(reply: ScriptedReply): string;
/** The stream of a reply. */
export declare function renderReply(reply: ScriptedReply, blocks: readonly WireBlock[], model: string): Chunk[];
export {};
