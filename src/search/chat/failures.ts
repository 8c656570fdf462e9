import type { RefusalData } from '../../lib/refusal.ts';
import type { ChatPiece } from '../search-object.ts';

export type ChatFailure = Extract<ChatPiece, { kind: 'failure' }>;

/** Seconds after which an engine that failed in passing is worth another try. */
const RETRY_AFTER_S = 30;

/** What a caller is told of an engine that failed: our words, never the engine's. */
export const failureMessage = ({ detail }: Pick<ChatFailure, 'detail'>): string =>
  `The answer engine did not answer: ${detail}`;

/** A failed chat as a refusal: 503 where another try may help, else 502. */
export const failureRefusal = (failure: ChatFailure): RefusalData => ({
  status: failure.retryable ? 503 : 502,
  word: 'UNAVAILABLE',
  reason: `engine_${failure.reason}`,
  message: failureMessage(failure),
  ...(failure.retryable && { retryAfterS: RETRY_AFTER_S }),
});

/** Reasons after which nobody pays for an answer, as long as none of it came: what was written may be paid for. */
const UNPAID: ReadonlySet<string> = new Set([
  'unauthorized',
  'refused',
  'conflict',
  'rate_limited',
  'unavailable',
  'invalid_response',
]);

/** Whether a failed chat has cost nothing. Thoughts are not seen here: an empty, a filtered or a late answer may have had some. */
export const isUnpaid = ({ reason }: ChatFailure, hadText: boolean): boolean => !hadText && UNPAID.has(reason);
