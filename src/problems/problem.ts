/** A field of a body that did not parse: JSON Pointer and what was wrong with it. */
export type FieldError = { pointer: string; message: string };

export type ProblemInput = {
  status: number;
  /** Stable word, listed in the OpenAPI document. */
  code: string;
  title: string;
  detail?: string;
  retryAfterS?: number;
  errors?: readonly FieldError[];
  /** What an operator does about it, step by step. */
  howToConfigure?: readonly string[];
  headers?: Readonly<Record<string, string>>;
};

/** The members of an RFC 9457 problem: `type`, `title`, `status`, `detail`, `code`, `request_id`. */
export function buildProblemBody(requestId: string, baseUrl: string, input: ProblemInput): Record<string, unknown> {
  const { status, code, title, detail, retryAfterS, errors, howToConfigure } = input;
  return {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    code,
    request_id: requestId,
    ...(retryAfterS === undefined ? {} : { retry_after_s: retryAfterS }),
    ...(errors === undefined ? {} : { errors }),
    ...(howToConfigure === undefined ? {} : { how_to_configure: howToConfigure }),
  };
}

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
