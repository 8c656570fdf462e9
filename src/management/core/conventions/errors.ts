import type { JsonObject } from '../../../lib/json.ts';
import type { RefusalData } from '../../../lib/refusal.ts';

/** How an error is written: the interface's dialect, and what `$.xgafv` asks for. */
export type ErrorForm = { dialect: 'legacy' | 'status'; xgafv?: '1' | '2' };

/**
 * The body of a refusal. The older interfaces list `errors[]` unless `$.xgafv=2`; the others do with `$.xgafv=1` only, and
 * have the word of google.rpc.Code in `status` (google/rpc/status.proto).
 */
export function buildErrorBody(refusal: RefusalData, form: ErrorForm): JsonObject {
  const { status: code, message, word, details = [] } = refusal;
  const listsErrors = form.dialect === 'legacy' ? form.xgafv !== '2' : form.xgafv === '1';
  const hasStatus = form.dialect === 'status' || form.xgafv === '2' || details.length > 0;
  return {
    error: {
      code,
      message,
      ...(listsErrors && { errors: [buildErrorItem(refusal)] }),
      ...(hasStatus && { status: word }),
      ...(details.length > 0 && { details }),
    },
  };
}

function buildErrorItem({ message, reason, location }: RefusalData): JsonObject {
  const error: JsonObject = { message, domain: 'global', reason };
  return location === undefined ? error : { ...error, location: location.name, locationType: location.type };
}

/** Headers that a refusal adds to its answer, lower case. */
export function buildErrorHeaders({ status, retryAfterS }: RefusalData): Record<string, string> {
  return {
    ...(retryAfterS !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) }),
    // The codings that a body may have (RFC 9110, section 15.5.16).
    ...(status === 415 && { 'accept-encoding': 'gzip' }),
  };
}

const buildErrorInfo = (reason: string, method: string | undefined): JsonObject => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  ...(method !== undefined && { metadata: { method } }),
});

const AUTHORIZATION = { name: 'Authorization', type: 'header' } as const;

/** Refusals of whole requests, before any operation. `method` is the id of the row, where one is known. */
export const requestRefusals = {
  /** 401: no credentials were sent. */
  loginRequired: (method?: string): RefusalData => ({
    status: 401,
    word: 'UNAUTHENTICATED',
    reason: 'required',
    message: 'Login Required.',
    location: AUTHORIZATION,
    details: [buildErrorInfo('CREDENTIALS_MISSING', method)],
  }),
  /** 401: the token is unknown, expired, revoked or issued for another owner's resource. */
  invalidCredentials: (method?: string): RefusalData => ({
    status: 401,
    word: 'UNAUTHENTICATED',
    reason: 'authError',
    message: 'Invalid Credentials',
    location: AUTHORIZATION,
    details: [buildErrorInfo('ACCESS_TOKEN_TYPE_UNSUPPORTED', method)],
  }),
  /** 403: the token has none of the method's scopes. */
  insufficientPermissions: (method?: string): RefusalData => ({
    status: 403,
    word: 'PERMISSION_DENIED',
    reason: 'insufficientPermissions',
    message: 'Insufficient Permission: Request had insufficient authentication scopes.',
    details: [buildErrorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT', method)],
  }),
  rateLimited: (retryAfterS: number): RefusalData => ({
    status: 429,
    word: 'RESOURCE_EXHAUSTED',
    reason: 'rateLimitExceeded',
    message: 'Rate Limit Exceeded',
    retryAfterS,
    details: [buildErrorInfo('RATE_LIMIT_EXCEEDED', undefined)],
  }),
  backendError: (retryAfterS?: number): RefusalData => ({
    status: 503,
    word: 'UNAVAILABLE',
    reason: 'backendError',
    message: 'Backend Error',
    ...(retryAfterS !== undefined && { retryAfterS }),
  }),
  /** 500: a bug of ours. Says nothing of it. */
  internalError: (): RefusalData => ({
    status: 500,
    word: 'INTERNAL',
    reason: 'internalError',
    message: 'Internal error encountered.',
  }),
  /** 404 for a path that no row has. The vendor answers a page of HTML; clients that read errors are better off with JSON. */
  notFoundUrl: (): RefusalData => ({
    status: 404,
    word: 'NOT_FOUND',
    reason: 'notFound',
    message: 'Not Found: the requested URL is no method of this server.',
  }),
  methodNotAllowed: (allowed: readonly string[] = []): RefusalData => ({
    status: 405,
    word: 'UNIMPLEMENTED',
    reason: 'httpMethodNotAllowed',
    message: `Method Not Allowed${allowed.length > 0 ? `: this URL takes ${allowed.join(', ')}` : ''}.`,
  }),
} as const;
