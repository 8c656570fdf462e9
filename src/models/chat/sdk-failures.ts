import type { AnswerFailure } from '../answer/port.ts';
import { toAnswerFailure } from '../answer/sdk-failure.ts';

/**
 * Why an engine's call failed, as `toAnswerFailure` says it; what a provider hands on as an error that is none (an `error`
 * inside a stream) is the other side's too, and says nothing more here. Anything else is thrown on.
 */
export function toEngineFailure(error: unknown, signal: AbortSignal): AnswerFailure {
  if (error instanceof Error || signal.aborted) return toAnswerFailure(error, signal);
  return { ok: false, reason: 'unavailable', detail: 'the engine told of an error', retryable: true };
}
