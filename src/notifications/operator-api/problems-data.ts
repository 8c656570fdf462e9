import { MINUTE_S } from '../../lib/time.ts';
import { commonProblems } from '../../problems/common.ts';

/** Seconds after which something that did not answer is worth another try. */
const RETRY_AFTER_S = 5;

/** Every stable `code` of the webhook Worker's problems, with its status and meaning. */
export const problems = {
  invalid_json: commonProblems.invalid_json,
  body_broken_off: commonProblems.body_broken_off,
  invalid_host: commonProblems.invalid_host,
  forged_notification: { status: 401, title: 'No channel of ours sends this' },
  invalid_token: { status: 401, title: 'The token is not good for this service' },
  insufficient_scope: commonProblems.insufficient_scope,
  whole_customer_only: { status: 403, title: 'A token for one customer watches it as a whole' },
  not_found: commonProblems.not_found,
  method_not_allowed: commonProblems.method_not_allowed,
  already_watched: { status: 409, title: 'This is watched already' },
  limit_reached: commonProblems.limit_reached,
  not_open: { status: 409, title: 'The channel is not open' },
  wrong_host: commonProblems.wrong_host,
  body_too_large: commonProblems.body_too_large,
  unsupported_media_type: commonProblems.unsupported_media_type,
  invalid_body: commonProblems.invalid_body,
  invalid_query: { status: 422, title: 'The query does not match its schema' },
  watch_refused: { status: 422, title: 'The directory refuses to watch this' },
  rate_limited: { ...commonProblems.rate_limited, retryAfterS: MINUTE_S },
  internal_error: commonProblems.internal_error,
  authorization_unavailable: {
    status: 503,
    title: 'The authorization server cannot be asked now',
    retryAfterS: RETRY_AFTER_S,
  },
  channel_pending: { status: 503, title: 'Cannot be taken yet: send it again', retryAfterS: RETRY_AFTER_S },
  not_kept: { status: 503, title: 'Could not be kept: send it again', retryAfterS: RETRY_AFTER_S },
  unavailable: { status: 503, title: 'Cannot be done now: try again', retryAfterS: RETRY_AFTER_S },
} as const satisfies Record<string, { status: number; title: string; retryAfterS?: number }>;

export type ProblemCode = keyof typeof problems;
