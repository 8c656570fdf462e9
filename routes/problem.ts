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
  headers?: Readonly<Record<string, string>>;
};

/** An RFC 9457 problem as a response: `type`, `title`, `status`, `detail`, `code`, `request_id`. Never cached. */
export function problem(requestId: string, baseUrl: string, input: ProblemInput): Response {
  const { status, code, title, detail, retryAfterS, errors, headers } = input;
  const body = {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    code,
    request_id: requestId,
    ...(retryAfterS === undefined ? {} : { retry_after_s: retryAfterS }),
    ...(errors === undefined ? {} : { errors }),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
      ...headers,
    },
  });
}
