import { creditReasonRows, type ReasonRow, reasonRows } from '../payment/terms/reasons.ts';
import { commonProblems } from './common.ts';
import { describeProblems, type FieldError, type ProblemInput } from './problem.ts';

/** `paid`: a paid route may answer it. */
export type ProblemRow = ReasonRow & { paid: boolean };

const definePaidProblem = (status: number, title: string): ProblemRow => ({ status, title, paid: true });
const defineFreeProblem = (status: number, title: string): ProblemRow => ({ status, title, paid: false });

/** Problems that have nothing to do with a payment. */
const general = {
  invalid_json: { ...commonProblems.invalid_json, paid: true },
  body_broken_off: { ...commonProblems.body_broken_off, paid: true },
  body_too_large: { ...commonProblems.body_too_large, paid: true },
  unsupported_media_type: { ...commonProblems.unsupported_media_type, paid: true },
  invalid_body: { ...commonProblems.invalid_body, paid: true },
  niche_names_brand: definePaidProblem(422, 'The niche names a brand that is measured: every prompt would name it'),
  not_publishable: definePaidProblem(422, 'This report cannot be published'),
  method_not_allowed: { ...commonProblems.method_not_allowed, paid: true },
  rate_limited: { ...commonProblems.rate_limited, paid: true },
  loop_detected: definePaidProblem(508, 'An audit of ours asked for an audit'),
  internal_error: { ...commonProblems.internal_error, paid: true },
  insufficient_scope: { ...commonProblems.insufficient_scope, paid: false },
  stopped: defineFreeProblem(503, 'The preview was stopped'),
  not_found: { ...commonProblems.not_found, paid: false },
  unknown_capability: defineFreeProblem(404, 'No capability of this name'),
  report_not_found: defineFreeProblem(404, 'No report under this id'),
  publish_refused: defineFreeProblem(403, 'The publish token is not that of this report'),
  history_not_found: defineFreeProblem(404, 'Nothing is published of this host'),
  report_expired: defineFreeProblem(410, 'This report has expired'),
  not_acceptable: defineFreeProblem(406, 'This report has no such form'),
  pdf_unavailable: defineFreeProblem(503, 'No PDF of this report can be made'),
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
  limit_reached: { ...commonProblems.limit_reached, paid: false },
  last_operator: defineFreeProblem(409, 'Nobody else could sign in as an operator: make another operator first'),
  directory_user_taken: defineFreeProblem(409, 'Another operator has this directory user id'),
  form_expired: defineFreeProblem(403, 'This form is not of your current session: open the page again'),
  sign_in_refused: defineFreeProblem(403, 'The sign-in is refused'),
  sign_in_needed: defineFreeProblem(401, 'Nobody is signed in with this cookie'),
  too_many_attempts: defineFreeProblem(429, 'Too many attempts: wait before the next one'),
  chain_unavailable: defineFreeProblem(503, 'The chain cannot be asked about this wallet now'),
  invalid_address: defineFreeProblem(422, 'That is not an Ethereum address'),
  invalid_cap: defineFreeProblem(422, 'The daily limit is out of range'),
  invalid_authorization_request: defineFreeProblem(400, 'This authorization request cannot be answered'),
  grant_not_found: defineFreeProblem(404, 'This app has no access to your account'),
  invalid_host: { ...commonProblems.invalid_host, paid: false },
  wrong_host: { ...commonProblems.wrong_host, paid: false },
  front_secret_wrong: { ...commonProblems.front_secret_wrong, paid: false },
  caller_address_missing: { ...commonProblems.caller_address_missing, paid: false },
} as const satisfies Readonly<Record<string, ProblemRow>>;

export type ApiProblemCode = keyof typeof general | keyof typeof reasonRows | keyof typeof creditReasonRows;

/** Every stable `code` a client of the api Worker can meet, with its status and meaning. */
export const apiProblems: Readonly<Record<ApiProblemCode, ProblemRow>> = {
  ...general,
  ...markPaid(reasonRows, true),
  // Calls on prepaid credits come by MCP: no paid route answers these.
  ...markPaid(creditReasonRows, false),
};

function markPaid<Code extends string>(
  rows: Readonly<Record<Code, ReasonRow>>,
  paid: boolean,
): Record<Code, ProblemRow> {
  const entries = Object.entries<ReasonRow>(rows).map(([code, row]) => [code, { ...row, paid }] as const);
  return Object.fromEntries(entries) as Record<Code, ProblemRow>;
}

/** What one occurrence adds to its code. `retryAfterS` overrides that of the table. */
export type ProblemDetails = {
  detail?: string | undefined;
  retryAfterS?: number | undefined;
  errors?: readonly FieldError[] | undefined;
  /** What an operator does about it, step by step. */
  howToConfigure?: readonly string[] | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Only where a protocol asks for another status than the table has. */
  status?: number | undefined;
};

/** The problem of a code: its status and title are those of the table, whatever the occurrence. */
export function buildProblem(code: ApiProblemCode, details: ProblemDetails = {}): ProblemInput {
  const { status, title, retryAfterS } = apiProblems[code];
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  return { status, title, ...(retryAfterS === undefined ? {} : { retryAfterS }), ...given, code };
}

/** The row of a code that a client names; undefined where no problem has it. */
export const findProblemRow = (code: string): ProblemRow | undefined =>
  Object.hasOwn(apiProblems, code) ? apiProblems[code as ApiProblemCode] : undefined;

/** The chosen problems of the api Worker as responses of an OpenAPI operation. */
export const describeProblemResponses = (
  chosen: (row: ProblemRow & { code: string }) => boolean,
): Record<string, unknown> =>
  describeProblems(
    Object.entries(apiProblems)
      .map(([code, row]) => ({ ...row, code }))
      .filter(chosen),
  );
