import type { ReasonRow } from '../payment/terms/reasons-data.ts';

/** Problems that any of our Workers may answer. The title of a code never changes; what is special about a case is its detail. */
export const commonProblems = {
  invalid_json: {
    status: 400,
    title: 'The body is not JSON',
    means: 'The body of the request cannot be parsed.',
    next: 'Send one JSON object with the header Content-Type: application/json.',
  },
  body_broken_off: {
    status: 400,
    title: 'The body ended too early, or its framing is broken',
    means: 'The connection ended while the body was sent; nothing was done.',
    next: 'Send the same request again.',
  },
  invalid_host: {
    status: 400,
    title: 'The request must have one Host header, with a host name',
    means: 'The Host header is missing, repeated or no host name.',
    next: 'Use an HTTP client that sends one Host header, or correct the proxy in front.',
  },
  front_secret_wrong: {
    status: 403,
    title: 'This service is reached through its front only',
    means: 'The request did not come through the front of this deployment.',
    next: 'Use the public address of the service; if you run it, check X-Front-Secret of your front.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The token lacks a scope',
    means: 'The token is good, but does not allow this call.',
    next: 'Get a token with the scope that WWW-Authenticate names.',
  },
  not_found: {
    status: 404,
    title: 'No such resource',
    means: 'Nothing is served at this address; it may be misspelt or have moved.',
    next: 'Check the address, or begin at the start page; programs begin at GET /api/agent/index.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    means: 'The address exists, but takes other methods.',
    next: 'Use a method that the Allow header lists.',
  },
  limit_reached: {
    status: 409,
    title: 'The limit is reached: delete one first',
    means: 'The number of these is limited, and none is left.',
    next: 'Delete one that you no longer need, then send the request again.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    means: 'The body has more bytes than this address reads.',
    next: 'Send a smaller body; the detail names the limit.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported',
    means: 'Content-Type is missing, or is one that this address does not read.',
    next: 'Send JSON with the header Content-Type: application/json.',
  },
  wrong_host: {
    status: 421,
    title: 'This host name is not served here',
    means: 'The request names another host than this service has.',
    next: 'Use the address of the service; if you run it, check BASE_URL, CONTROL_URL or WEBHOOK_URL.',
  },
  invalid_body: {
    status: 422,
    title: 'The body does not match its schema',
    means: 'The body is JSON, but a member is missing, unknown or of the wrong form.',
    next: 'Correct the members that errors lists, and send the request again.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    means: 'The limit for callers of your address or account is used up for now.',
    next: 'Wait as long as Retry-After says, then send the request again.',
  },
  internal_error: {
    status: 500,
    title: 'An internal error',
    means: 'Something in this service failed in a way that we did not expect.',
    next: 'Send the same request again; if it fails again, report its request_id to the operator.',
  },
  caller_address_missing: {
    status: 503,
    title: 'The address of the caller is unknown, so its limits cannot be applied',
    means: 'The service is reached without Cloudflare, and no front names the address of the caller.',
    next: 'If you run the service, set what how_to_configure lists; otherwise write to its operator.',
  },
} as const satisfies Record<string, ReasonRow>;

/** The detail of `body_too_large`. */
export const describeBodyLimit = (maxBytes: number): string => `At most ${maxBytes} bytes are read`;
