import type { RefusalData } from '../../management/refusal.ts';
import type { ChatPiece } from '../search-object.ts';

type Failure = Extract<ChatPiece, { kind: 'failure' }>;

/** Seconds after which an engine that failed in passing is worth another try. */
const RETRY_AFTER_S = 30;

/** What a caller is told of an engine that failed: our words, never the engine's. */
export const failureMessage = ({ detail }: Pick<Failure, 'detail'>): string =>
  `The answer engine did not answer: ${detail}`;

/** A failed chat as a refusal: 503 where another try may help, else 502. */
export const failureRefusal = (failure: Failure): RefusalData => ({
  status: failure.retryable ? 503 : 502,
  word: 'UNAVAILABLE',
  reason: `engine_${failure.reason}`,
  message: failureMessage(failure),
  ...(failure.retryable && { retryAfterS: RETRY_AFTER_S }),
});
