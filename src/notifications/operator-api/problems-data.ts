type Row = { status: number; title: string; retryAfterS?: number };

/** Seconds after which something that did not answer is worth another try. */
const RETRY_AFTER_S = 5;
const MINUTE_S = 60;

/** Every stable `code` of the webhook Worker's problems, with its status and meaning. */
export const problems = {
  invalid_json: { status: 400, title: 'The body is not JSON' },
  body_broken_off: { status: 400, title: 'The body ended too early, or its framing is broken' },
  invalid_host: { status: 400, title: 'The request must have one Host header, with a host name' },
  forged_notification: { status: 401, title: 'No channel of ours sends this' },
  invalid_token: { status: 401, title: 'The token is not good for this service' },
  insufficient_scope: { status: 403, title: 'The token lacks a scope' },
  whole_customer_only: { status: 403, title: 'A token for one customer watches it as a whole' },
  not_found: { status: 404, title: 'No such resource' },
  method_not_allowed: { status: 405, title: 'Not with this method' },
  already_watched: { status: 409, title: 'This is watched already' },
  limit_reached: { status: 409, title: 'There are as many as there may be' },
  not_open: { status: 409, title: 'The channel is not open' },
  wrong_host: { status: 421, title: 'This host name is not served here' },
  body_too_large: { status: 413, title: 'The body is larger than 16 KiB' },
  unsupported_media_type: { status: 415, title: 'The body is not application/json' },
  invalid_body: { status: 422, title: 'The body does not match its schema' },
  invalid_query: { status: 422, title: 'The query does not match its schema' },
  watch_refused: { status: 422, title: 'The directory refuses to watch this' },
  rate_limited: { status: 429, title: 'Too many calls within a minute', retryAfterS: MINUTE_S },
  internal_error: { status: 500, title: 'A fault of ours' },
  authorization_unavailable: {
    status: 503,
    title: 'The authorization server cannot be asked now',
    retryAfterS: RETRY_AFTER_S,
  },
  channel_pending: { status: 503, title: 'Cannot be taken yet: send it again', retryAfterS: RETRY_AFTER_S },
  not_kept: { status: 503, title: 'Could not be kept: send it again', retryAfterS: RETRY_AFTER_S },
  unavailable: { status: 503, title: 'Cannot be done now: try again', retryAfterS: RETRY_AFTER_S },
} as const satisfies Record<string, Row>;

export type ProblemCode = keyof typeof problems;
