// Takes the place of the package `@opentelemetry/api` and of the SDK's own tracing in the built provider (see esbuild.mjs).
// With them the SDK traces its calls for a program that asks for that; `client.ts` does not.
export const context = {};
export const propagation = {};
export const trace = {};
export const SpanKind = {};
export const SpanStatusCode = {};

const nothing = (): undefined => undefined;

/** What the client reads of it: nothing is traced, and no header tells of a trace. */
export const resolveOpenTelemetryOptions = () => ({ propagation: false, traces: { enabled: false } });
export {
  nothing as withToolUseSpan,
  nothing as withEnvironmentWorkSpan,
  nothing as startToolRunnerSpan,
  nothing as startEnvironmentWorkSpan,
  nothing as setErrorStatus,
  nothing as sessionsCreateSpanAttributes,
  nothing as recordStreamedMessageContent,
  nothing as recordMessagesCreateResponse,
  nothing as recordMessagesCreateRequest,
  nothing as messagesCreateSpanSettings,
  nothing as failEnvironmentWorkSpan,
  nothing as endEnvironmentWorkSpan,
  nothing as endAnthropicApiCallSpanWhenStreamEnds,
  nothing as endApiCallSpan,
  nothing as getTracer,
  nothing as guardTracing,
  nothing as injectTraceHeaders,
  nothing as recordAttempt,
  nothing as setCreatedIDAttribute,
  nothing as startApiCallSpan,
  nothing as takeTraceHeaders,
  nothing as withoutTraceHeaders,
};
