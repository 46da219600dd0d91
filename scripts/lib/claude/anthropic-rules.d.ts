/** A request as it came, as far as the rules look at it. */
export interface MessagesRequest {
    readonly model: string;
    readonly max_tokens: number;
    readonly messages: readonly WireMessage[];
    readonly system?: string | readonly RequestBlock[];
    readonly tools?: readonly (Readonly<Record<string, unknown>> & {
        readonly name: string;
    })[];
    readonly thinking?: {
        readonly type: string;
    };
    readonly tool_choice?: {
        readonly type: string;
    };
}
interface WireMessage {
    readonly role: string;
    readonly content: string | readonly RequestBlock[];
}
type RequestBlock = Readonly<Record<string, unknown>> & {
    readonly type: string;
};
/** What the server knows of the conversation that a request goes on with. */
export interface Conversation {
    /** The last request of it that got a whole reply. */
    readonly last?: MessagesRequest | undefined;
    /** That reply ended with `pause_turn`. */
    readonly paused: boolean;
    /** Signed blocks that were given out, as JSON by their signature, and the request that each was an answer to. */
    readonly signed: ReadonlyMap<string, {
        readonly json: string;
        readonly request: MessagesRequest;
    }>;
}
/** The message of the 400 that the request deserves, or undefined for a good one. */
export declare function violationOf(raw: string, conversation: Conversation): string | undefined;
/** A request as the prefix rules see it: one line per block, cache marks left out. */
export declare function prefixOf(request: MessagesRequest): string[];
export {};
