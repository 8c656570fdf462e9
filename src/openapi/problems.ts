import { reasonRows } from '../payment/reasons.ts';

/** `paid`: a paid route may answer it. */
export type ProblemRow = { status: number; title: string; paid: boolean };

const paid = (status: number, title: string): ProblemRow => ({ status, title, paid: true });
const free = (status: number, title: string): ProblemRow => ({ status, title, paid: false });

/** Problems that have nothing to do with a payment. */
const general: Readonly<Record<string, ProblemRow>> = {
  invalid_json: paid(400, 'The body is not JSON'),
  body_too_large: paid(413, 'The body is larger than 64 KiB'),
  unsupported_media_type: paid(415, 'The body is not application/json'),
  invalid_body: paid(422, 'The body does not match the schema of this capability'),
  niche_names_brand: paid(422, 'The niche names a brand that is measured: every prompt would name it'),
  method_not_allowed: paid(405, 'Paid routes accept only POST'),
  rate_limited: paid(429, 'Too many free requests from this address'),
  loop_detected: paid(508, 'An audit of ours asked for an audit'),
  internal_error: paid(500, 'A fault of ours'),
  not_found: free(404, 'No such resource'),
  unknown_capability: free(404, 'No capability of this name'),
  report_not_found: free(404, 'No report under this id'),
  run_not_found: free(404, 'No answers under this id'),
  wrong_host: free(421, 'This host name is not served here'),
};

/** Every stable `code` a client can meet, with its status and meaning. */
export const problems: Readonly<Record<string, ProblemRow>> = {
  ...general,
  ...Object.fromEntries(
    Object.entries(reasonRows).map(([reason, row]) => [reason, { status: row.status, title: row.title, paid: true }]),
  ),
};
