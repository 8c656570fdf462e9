import { creditReasonRows, type ReasonRow, reasonRows } from '../payment/terms/reasons-data.ts';
import { generalProblems, type ProblemRow } from './general-data.ts';
import { describeProblems, type FieldError, type ProblemInput } from './problem.ts';

export type ApiProblemCode = keyof typeof generalProblems | keyof typeof reasonRows | keyof typeof creditReasonRows;

/** Every stable `code` a client of the api Worker can meet, with its status and meaning. */
export const apiProblems: Readonly<Record<ApiProblemCode, ProblemRow>> = {
  ...generalProblems,
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
  /** Goes before that of the table, where an occurrence has another way out. */
  next?: string | undefined;
  retryAfterS?: number | undefined;
  errors?: readonly FieldError[] | undefined;
  /** What an operator does about it, step by step. */
  howToConfigure?: readonly string[] | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Only where a protocol asks for another status than the table has. */
  status?: number | undefined;
};

/** The problem of a code: its status and title are those of the table, whatever the occurrence, and so is what to do unless it says otherwise. */
export function buildProblem(code: ApiProblemCode, details: ProblemDetails = {}): ProblemInput {
  const { status, title, means, next, retryAfterS } = apiProblems[code];
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  return { status, title, means, next, ...(retryAfterS === undefined ? {} : { retryAfterS }), ...given, code };
}

/** The row of a code that a client names; undefined where no problem has it. */
export const findProblemRow = (code: string): ProblemRow | undefined =>
  Object.hasOwn(apiProblems, code) ? apiProblems[code as ApiProblemCode] : undefined;

/** Statuses that clients act on in ways of their own; a document describes the others by their class, `4XX` or `5XX`. */
const OWN_STATUSES = new Set([401, 403, 404, 409, 410, 429]);
const groupStatus = (status: number): string =>
  OWN_STATUSES.has(status) ? String(status) : `${Math.floor(status / 100)}XX`;

/** The chosen problems of the api Worker as responses of an OpenAPI operation. */
export const describeProblemResponses = (
  chosen: (row: ProblemRow & { code: string }) => boolean,
): Record<string, unknown> =>
  describeProblems(
    Object.entries(apiProblems)
      .map(([code, row]) => ({ ...row, code }))
      .filter(chosen),
    groupStatus,
  );
