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
  description: 'Why a request was refused or failed (RFC 9457). Program against `code`.',
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
  examples: [
    {
      type: '/problems/rate_limited',
      title: 'Too many requests',
      status: 429,
      code: 'rate_limited',
      request_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      retry_after_s: 60,
    },
  ],
});

const linkHeader = (name: string): { $ref: string } => ({ $ref: `#/components/headers/${name}` });

/** Headers that documents describe once, and that operations refer to. */
export const sharedHeaders = {
  RateLimit: {
    description:
      'What is left of the limit in `RateLimit-Policy`, which every answer has; absent where nothing was counted',
    schema: { type: 'string' },
    example: '"free";r=119;t=60',
  },
  RetryAfter: { description: 'Seconds to wait before the request is repeated', schema: { type: 'integer' } },
} as const;

/** Of an answer that says how much of a limit is left. */
export const rateHeaderRef = { RateLimit: linkHeader('RateLimit') } as const;

/**
 * Problem responses of an OpenAPI operation, grouped by status: the codes of each, in the schema of each.
 * @param groupOf the group of a status, such as `4XX`, where it has none of its own
 */
export function describeProblems(
  rows: readonly DescribedProblem[],
  groupOf: (status: number) => string = String,
): Record<string, unknown> {
  const byStatus = Map.groupBy(rows, ({ status }) => groupOf(status));
  return Object.fromEntries(Array.from(byStatus, ([group, members]) => [group, describeProblemGroup(members)]));
}

function describeProblemGroup(rows: readonly DescribedProblem[]): Record<string, unknown> {
  const [first] = rows;
  if (first === undefined) throw new Error('no problem to describe');
  const { status } = first;
  const isWaitedFor = rows.some((row) => row.status === 429 || row.status === 503);
  const headers = {
    ...(status === 429 ? rateHeaderRef : {}),
    ...(isWaitedFor ? { 'Retry-After': linkHeader('RetryAfter') } : {}),
  };
  return {
    description: rows.length > 2 ? 'One of these problems' : rows.map((row) => row.title).join('; '),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { enum: rows.map((row) => row.code) } } },
          ],
        },
      },
    },
  };
}
