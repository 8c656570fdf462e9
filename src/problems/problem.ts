/** A field of a body that did not parse: JSON Pointer and what was wrong with it. */
export type FieldError = { pointer: string; message: string };

export type ProblemInput = {
  status: number;
  /** Stable word, listed in the OpenAPI document. */
  code: string;
  title: string;
  /** What it means, of the table: the detail where an occurrence has none of its own. */
  means?: string;
  /** What to do next, of the table. */
  next?: string;
  detail?: string;
  retryAfterS?: number;
  errors?: readonly FieldError[];
  /** What an operator does about it, step by step. */
  howToConfigure?: readonly string[];
  headers?: Readonly<Record<string, string>>;
};

/**
 * The members of an RFC 9457 problem: `type`, `title` (what happened), `status`, `detail` (what it means here), `next`
 * (what to do), `code`, `request_id`.
 */
export function buildProblemBody(requestId: string, baseUrl: string, input: ProblemInput): Record<string, unknown> {
  const { status, code, title, means, next, detail = means, retryAfterS, errors, howToConfigure } = input;
  return {
    type: formatProblemType(baseUrl, code),
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(next === undefined ? {} : { next }),
    code,
    request_id: requestId,
    ...(retryAfterS === undefined ? {} : { retry_after_s: retryAfterS }),
    ...(errors === undefined ? {} : { errors }),
    ...(howToConfigure === undefined ? {} : { how_to_configure: howToConfigure }),
  };
}

/** The address that names a code, and explains it. */
export const formatProblemType = (baseUrl: string, code: string): string => `${baseUrl}/problems/${code}`;

/** The section of the documentation about a code, on the origin of the api Worker. */
export const formatProblemPath = (code: string): string => `/docs/reference/problems#${code}`;

/** A problem as a response. Never cached. */
export function buildProblemResponse(requestId: string, baseUrl: string, input: ProblemInput): Response {
  const { status, retryAfterS, headers } = input;
  return new Response(JSON.stringify(buildProblemBody(requestId, baseUrl, input)), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
      ...headers,
    },
  });
}

/** A problem as a document describes it. */
type DescribedProblem = Pick<ProblemInput, 'code' | 'status' | 'title'>;

/**
 * The JSON Schema of a problem.
 * @param withoutId where some problems have no `request_id`, the words that say which
 */
export const buildProblemSchema = (codes: readonly string[], withoutId?: string) => ({
  type: 'object',
  required: ['type', 'title', 'status', 'code', ...(withoutId === undefined ? ['request_id'] : [])],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    next: { type: 'string', description: 'What to do next, in one sentence' },
    code: { type: 'string', enum: codes },
    request_id: { type: 'string', ...(withoutId === undefined ? {} : { description: withoutId }) },
    retry_after_s: { type: 'integer' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: { pointer: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
});

/** Problem responses of an OpenAPI operation, grouped by status, each code as an example. */
export function describeProblems(rows: readonly DescribedProblem[]): Record<string, unknown> {
  const byStatus = Map.groupBy(rows, ({ status }) => status);
  return Object.fromEntries(Array.from(byStatus, ([status, group]) => [status, describeProblemGroup(group)]));
}

function describeProblemGroup(rows: readonly DescribedProblem[]): Record<string, unknown> {
  const examples = rows.map(({ code, title, status }) => [
    code,
    { value: { type: `/problems/${code}`, title, status, code, request_id: REQUEST_ID_EXAMPLE } },
  ]);
  return {
    description: rows.map(({ title }) => title).join('; '),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const REQUEST_ID_EXAMPLE = '4bf92f3577b34da6a3ce929d0e0e4736';
