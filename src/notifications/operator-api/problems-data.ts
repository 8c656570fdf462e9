import { MINUTE_S } from '../../lib/time.ts';
import { commonProblems } from '../../problems/common.ts';

/** Seconds after which something that did not answer is worth another try. */
const RETRY_AFTER_S = 5;

/** Every stable `code` of the webhook Worker's problems, with its status, what it means and what to do next. */
export const problems = {
  invalid_json: commonProblems.invalid_json,
  body_broken_off: commonProblems.body_broken_off,
  invalid_host: commonProblems.invalid_host,
  forged_notification: {
    status: 401,
    title: 'None of our channels sends this',
    means: 'The channel id or its token is not one that this service opened.',
    next: 'Nothing, if you did not send it; otherwise open a channel by POST /channels.',
  },
  invalid_token: {
    status: 401,
    title: 'The token is not good for this service',
    means: 'The token is missing, expired, revoked, or for another service.',
    next: 'Get a new token for the address of this service, and send it as Authorization: Bearer.',
  },
  insufficient_scope: commonProblems.insufficient_scope,
  whole_customer_only: {
    status: 403,
    title: 'A token for one customer watches it as a whole',
    means: 'This token cannot watch a part of the customer.',
    next: 'Leave out the part, or use a token of the vendor account.',
  },
  not_found: commonProblems.not_found,
  method_not_allowed: commonProblems.method_not_allowed,
  already_watched: {
    status: 409,
    title: 'This is watched already',
    means: 'A channel for the same customer and scope is open.',
    next: 'Use the open channel, or stop it first.',
  },
  limit_reached: commonProblems.limit_reached,
  not_open: {
    status: 409,
    title: 'The channel is not open',
    means: 'The channel has expired or was stopped.',
    next: 'Open a new channel.',
  },
  wrong_host: commonProblems.wrong_host,
  body_too_large: commonProblems.body_too_large,
  unsupported_media_type: commonProblems.unsupported_media_type,
  invalid_body: commonProblems.invalid_body,
  invalid_query: {
    status: 422,
    title: 'The query does not match its schema',
    means: 'A parameter of the address is unknown or of the wrong form.',
    next: 'Correct the parameters that errors lists, and send the request again.',
  },
  watch_refused: {
    status: 422,
    title: 'The directory refuses to watch this',
    means: 'The vendor answered the request for a channel with a refusal.',
    next: 'Check the customer id and the rights of the service account at the vendor.',
  },
  rate_limited: { ...commonProblems.rate_limited, retryAfterS: MINUTE_S },
  internal_error: commonProblems.internal_error,
  authorization_unavailable: {
    status: 503,
    title: 'The authorization server cannot be asked now',
    means: 'Tokens cannot be checked at present, so none is accepted.',
    next: 'Send the same request again after the wait.',
    retryAfterS: RETRY_AFTER_S,
  },
  channel_pending: {
    status: 503,
    title: 'Cannot be taken yet: send it again',
    means: 'The channel of this notification is still being opened.',
    next: 'Send the same notification again after the wait.',
    retryAfterS: RETRY_AFTER_S,
  },
  not_kept: {
    status: 503,
    title: 'Could not be stored: send it again',
    means: 'The notification was read, but could not be stored.',
    next: 'Send the same notification again after the wait.',
    retryAfterS: RETRY_AFTER_S,
  },
  unavailable: {
    status: 503,
    title: 'Cannot be done now: try again',
    means: 'A part of the service did not answer.',
    next: 'Send the same request again after the wait.',
    retryAfterS: RETRY_AFTER_S,
  },
} as const satisfies Record<
  string,
  { status: number; title: string; means: string; next: string; retryAfterS?: number }
>;

export type ProblemCode = keyof typeof problems;
