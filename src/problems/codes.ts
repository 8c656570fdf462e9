import { creditReasonRows, reasonRows } from '../payment/terms/reasons.ts';

/** `paid`: a paid route may answer it. */
export type ProblemRow = { status: number; title: string; paid: boolean };

const definePaidProblem = (status: number, title: string): ProblemRow => ({ status, title, paid: true });
const defineFreeProblem = (status: number, title: string): ProblemRow => ({ status, title, paid: false });

/** Problems that have nothing to do with a payment. */
const general: Readonly<Record<string, ProblemRow>> = {
  invalid_json: definePaidProblem(400, 'The body is not JSON'),
  body_broken_off: definePaidProblem(400, 'The body ended too early, or its framing is broken'),
  body_too_large: definePaidProblem(413, 'The body is larger than 64 KiB'),
  unsupported_media_type: definePaidProblem(415, 'The body is not application/json'),
  invalid_body: definePaidProblem(422, 'The body does not match the schema of this capability'),
  niche_names_brand: definePaidProblem(422, 'The niche names a brand that is measured: every prompt would name it'),
  not_publishable: definePaidProblem(422, 'This report cannot be published'),
  method_not_allowed: definePaidProblem(405, 'Paid routes accept only POST'),
  rate_limited: definePaidProblem(429, 'Too many free requests from this address'),
  loop_detected: definePaidProblem(508, 'An audit of ours asked for an audit'),
  internal_error: definePaidProblem(500, 'A fault of ours'),
  not_found: defineFreeProblem(404, 'No such resource'),
  unknown_capability: defineFreeProblem(404, 'No capability of this name'),
  report_not_found: defineFreeProblem(404, 'No report under this id'),
  publish_refused: defineFreeProblem(403, 'The publish token is not that of this report'),
  history_not_found: defineFreeProblem(404, 'Nothing is published of this host'),
  report_expired: defineFreeProblem(410, 'This report could be read for 30 days, which are over'),
  not_acceptable: defineFreeProblem(406, 'This report has no such form'),
  run_not_found: defineFreeProblem(404, 'No answers under this id'),
  operator_sign_in_required: defineFreeProblem(
    401,
    'Sign in as the operator, and send the cookie and its token in x-csrf-token',
  ),
  foreign_origin: defineFreeProblem(403, 'Only pages of this service may send this'),
  operator_only: defineFreeProblem(403, 'This is for operators'),
  operator_enabled: defineFreeProblem(
    403,
    'An enabled operator gets a new secret by itself, or from the holder of the operator secret',
  ),
  sign_in_too_old: defineFreeProblem(403, 'Sign in again: this makes or ends a credential'),
  limit_reached: defineFreeProblem(409, 'There are as many as there may be: delete one first'),
  last_operator: defineFreeProblem(409, 'Nobody else could sign in as an operator: make another operator first'),
  directory_user_taken: defineFreeProblem(409, 'Another operator has this directory user id'),
  form_expired: defineFreeProblem(403, 'This form is not of your current session: open the page again'),
  sign_in_refused: defineFreeProblem(403, 'The sign-in is refused'),
  sign_in_needed: defineFreeProblem(401, 'Nobody is signed in with this cookie'),
  too_many_attempts: defineFreeProblem(429, 'Too many attempts: wait before the next one'),
  chain_unavailable: defineFreeProblem(503, 'The chain cannot be asked about this wallet now'),
  invalid_address: defineFreeProblem(422, 'That is not an Ethereum address'),
  invalid_cap: defineFreeProblem(422, 'The limit a day must be 0 to 1000 US dollars'),
  invalid_authorization_request: defineFreeProblem(400, 'This authorization request cannot be answered'),
  grant_not_found: defineFreeProblem(404, 'This app has no access to your account'),
  invalid_host: defineFreeProblem(400, 'The request must have one Host header, with a host name'),
  wrong_host: defineFreeProblem(421, 'This host name is not served here'),
  front_secret_wrong: defineFreeProblem(403, 'This service is reached through its front only'),
  caller_address_missing: defineFreeProblem(
    503,
    'The address of the caller is not known here: nothing is answered without its limits',
  ),
};

/** Every stable `code` a client can meet, with its status and meaning. */
export const apiProblems: Readonly<Record<string, ProblemRow>> = {
  ...general,
  ...Object.fromEntries(
    Object.entries(reasonRows).map(([reason, row]) => [reason, { status: row.status, title: row.title, paid: true }]),
  ),
  // Calls on prepaid credits come by MCP: no paid route answers these.
  ...Object.fromEntries(
    Object.entries(creditReasonRows).map(([reason, row]) => [reason, defineFreeProblem(row.status, row.title)]),
  ),
};
