import { type IncomingMessage } from 'node:http';
import { type MessagesRequest } from './anthropic-rules.ts';
import { type Chunk, type ScriptedReply } from './anthropic-script.ts';
/** One answer of a fixture: its bytes and how the connection ends. */
export interface Exchange {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly chunks: readonly (Chunk | {
        readonly delayMs: number;
        readonly dataB64: string;
    })[];
    readonly close: 'end' | 'hang' | 'reset';
    /** No headers before the first chunk is due. */
    readonly delayHeaders?: boolean;
}
/** A file of test/fixtures/anthropic: one answer for every request, or one after the other, the last one again and again. */
export interface Fixture extends Exchange {
    readonly exchanges?: readonly Exchange[];
}
/** Gives the reply to the request number `index` (from 0) of those that were not refused. */
export type Script = (request: MessagesRequest, index: number) => ScriptedReply;
interface RecordedRequest {
    readonly headers: IncomingMessage['headers'];
    readonly raw: string;
    readonly body: MessagesRequest;
    /** The client's, which tells connections apart. */
    readonly port: number | undefined;
    /** The client went away before the answer was complete. */
    disconnected: boolean;
}
export interface FakeAnthropic {
    /** The base URL for the provider. */
    readonly url: string;
    /** Requests for messages, also refused ones. */
    readonly requests: readonly RecordedRequest[];
    /** What the API had to refuse, in its words; a test that scripts a good client expects none. */
    readonly violations: readonly string[];
    /** What comes next may begin otherwise than the last request of its conversation, which was forked. */
    forget(): void;
    /** Ends all connections. */
    close(): Promise<void>;
    /** Listens again, at the same address, after `close`. */
    reopen(): Promise<void>;
}
export interface FakeOptions {
    /** Any other key gets 401, with a message that quotes the wrong one. */
    readonly apiKey?: string;
    /** What `GET /v1/models` lists. */
    readonly models?: readonly object[];
}
export declare function playFixture(fixture: Fixture, options?: FakeOptions): Promise<FakeAnthropic>;
/**
 * Each request is checked first. A request that breaks a rule of the API is answered with 400, and so is one that does
 * not begin like the last request of the same conversation; conversations are told apart by their first block.
 */
export declare function playScript(script: Script, options?: FakeOptions): Promise<FakeAnthropic>;
export {};
