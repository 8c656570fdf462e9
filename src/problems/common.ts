import type { ReasonRow } from '../payment/terms/reasons.ts';

/** Problems that any of our Workers may answer. The title of a code never changes; what is special about a case is its detail. */
export const commonProblems = {
  invalid_json: { status: 400, title: 'The body is not JSON' },
  body_broken_off: { status: 400, title: 'The body ended too early, or its framing is broken' },
  invalid_host: { status: 400, title: 'The request must have one Host header, with a host name' },
  front_secret_wrong: { status: 403, title: 'This service is reached through its front only' },
  insufficient_scope: { status: 403, title: 'The token lacks a scope' },
  not_found: { status: 404, title: 'No such resource' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  limit_reached: { status: 409, title: 'There are as many as there may be: delete one first' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type of the body is not supported' },
  wrong_host: { status: 421, title: 'This host name is not served here' },
  invalid_body: { status: 422, title: 'The body does not match its schema' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'A fault of ours' },
  caller_address_missing: {
    status: 503,
    title: 'The address of the caller is not known here: nothing is answered without its limits',
  },
} as const satisfies Record<string, ReasonRow>;

/** The detail of `body_too_large`. */
export const describeBodyLimit = (maxBytes: number): string => `At most ${maxBytes} bytes are read`;
