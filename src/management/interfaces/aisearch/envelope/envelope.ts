import { JSON_TYPE, renderJsonText } from '../../../core/conventions/json-text.ts';
import type { Json, JsonObject } from '../../../../lib/json.ts';
import type { RefusalData } from '../../../../lib/refusal.ts';
import type { Download } from '../../../../search/search-object.ts';
import { buildErrorHeaders } from '../../../core/conventions/errors.ts';
import type { Answered, AnsweredPieces } from '../../../core/conventions/response-data.ts';
import {
  CODES_BY_REASON,
  CODES_BY_STATUS,
  CODES_BY_WORDS,
  type ErrorCode,
  OTHER_CODE,
  ROUTE_ERRORS,
} from './error-codes-data.ts';

/** Responses hold a tenant's data: they must not be cached or shared. */
export const SEARCH_HEADERS = { 'cache-control': 'no-store', vary: 'Authorization' };

/** A result in the vendor's envelope; `info` is that of a page. */
export function answerResult(result: Json, info?: JsonObject): Answered {
  const envelope: JsonObject = { success: true, errors: [], messages: [], result };
  return buildAnswer(200, info === undefined ? envelope : { ...envelope, result_info: info });
}

/** A refusal in the vendor's envelope, with its number for it and its HTTP status. */
export function answerProblem(refusal: RefusalData, challenge?: string): Answered {
  const { code, message = refusal.message } = getErrorCode(refusal);
  return buildAnswer(refusal.status, buildFailure(code, message), {
    ...buildErrorHeaders(refusal),
    ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
  });
}

/** 404 for a path of no row; 405 with the methods that it takes, where there are some. */
export function answerNoRoute(allowed: readonly string[] | undefined): Answered {
  const { status, code, message } = allowed === undefined ? ROUTE_ERRORS.unknownPath : ROUTE_ERRORS.unknownMethod;
  return buildAnswer(status, buildFailure(code, message), allowed === undefined ? {} : { allow: allowed.join(', ') });
}

/** The vendor's number for a refusal, and its own words where they are fixed. */
function getErrorCode({ message, reason, status }: RefusalData): ErrorCode {
  const [words = ''] = message.split(':', 1);
  const code = Object.hasOwn(CODES_BY_WORDS, words) ? CODES_BY_WORDS[words] : undefined;
  if (code !== undefined) return { code };
  return (Object.hasOwn(CODES_BY_REASON, reason) ? CODES_BY_REASON[reason] : CODES_BY_STATUS[status]) ?? OTHER_CODE;
}

const buildFailure = (code: number, message: string): JsonObject => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: null,
});

const buildAnswer = (status: number, body: JsonObject, headers: Record<string, string> = {}): Answered => ({
  status,
  headers: { 'content-type': JSON_TYPE, ...SEARCH_HEADERS, ...headers },
  body: renderJsonText(body, { prettyPrint: false }),
});

/** Types that are sent to the client unchanged. Anything that a browser could run goes out as plain bytes. */
const SAFE_TYPES: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'text/plain; charset=utf-8'],
  ['text/markdown', 'text/markdown; charset=utf-8'],
  ['text/csv', 'text/csv; charset=utf-8'],
  ['application/json', 'application/json'],
  ['application/pdf', 'application/pdf'],
]);
/** The same in another charset, as the file was sent. */
const SAFE_IN_CHARSET = /^text\/(?:plain|markdown|csv); charset=[\w.:-]{1,40}$/;
const MAX_NAME_CHARS = 128;

/** The raw content of an item. It is foreign: to be saved and never shown, run, or taken for something else. */
export const answerItemDownload = ({ type, key, bytes }: Extract<Download, { ok: true }>): AnsweredPieces => ({
  status: 200,
  headers: {
    'content-type': SAFE_TYPES.get(type) ?? (SAFE_IN_CHARSET.test(type) ? type : 'application/octet-stream'),
    'content-disposition': `attachment; filename*=UTF-8''${encodeFileName(key)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    ...SEARCH_HEADERS,
  },
  body: [bytes],
});

/** The last part of a key, as a parameter of RFC 8187 has it. */
function encodeFileName(key: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1).slice(0, MAX_NAME_CHARS) || 'item';
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
