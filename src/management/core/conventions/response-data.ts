import { type ErrorForm, buildErrorBody, buildErrorHeaders } from './errors.ts';
import { JSON_TYPE, renderJsonText } from './json-text.ts';
import type { ErrorFormat } from './standard-parameters.ts';
import type { Media } from '../engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { RefusalData } from '../../../lib/refusal.ts';

/** An answer as plain data: a response of its own, or a part of a batch's. Header names are lower case; '' is no body. */
export type Answered = { status: number; headers: Record<string, string>; body: string };
/** An answer whose body is sent piece by piece, each dropped when it is gone. */
export type AnsweredPieces = Omit<Answered, 'body'> & { body: Uint8Array[] };

/** An answer whose end is not known when it begins. */
export type AnsweredStream = Omit<Answered, 'body'> & { body: ReadableStream<Uint8Array> };

/** What a tenant sees is private to it, and may be revalidated with its etag. */
const PRIVATE = {
  'cache-control': 'private, max-age=0, must-revalidate',
  vary: 'Authorization, X-HTTP-Method-Override',
};
const NOT_KEPT = { 'cache-control': 'no-store', vary: 'Authorization, X-HTTP-Method-Override' };

export function answeredJson(body: JsonObject, look: ErrorFormat, etag?: string): Answered {
  const tag = etag === undefined ? {} : { etag };
  return { status: 200, headers: { 'content-type': JSON_TYPE, ...PRIVATE, ...tag }, body: renderJsonText(body, look) };
}

/** A JSON array of what the vendor would stream. */
export const answeredParts = (parts: readonly JsonObject[], look: ErrorFormat): Answered => ({
  status: 200,
  headers: { 'content-type': JSON_TYPE, ...PRIVATE },
  body: renderJsonText([...parts], look),
});

/** The content of something, which no browser is to show: much of it is foreign text. */
export const answeredMedia = ({ type, text }: Media, etag?: string): Answered => ({
  status: 200,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': 'attachment',
    'accept-ranges': 'bytes',
    ...PRIVATE,
    ...(etag === undefined ? {} : { etag }),
  },
  body: text,
});

/** A JSON array whose elements come one after the other. */
export const answeredStream = (body: ReadableStream<Uint8Array>): AnsweredStream => ({
  status: 200,
  headers: { 'content-type': JSON_TYPE, ...NOT_KEPT },
  body,
});

/** 204, or 304 with the etag that still holds. */
export const answeredEmpty = (status: 204 | 304, etag?: string): Answered => ({
  status,
  headers: { ...PRIVATE, ...(etag === undefined ? {} : { etag }) },
  body: '',
});

export function answeredRefusal(
  refusal: RefusalData,
  dialect: ErrorForm['dialect'],
  look: ErrorFormat,
  challenge?: string,
): Answered {
  const form: ErrorForm = { dialect, ...(look.xgafv === undefined ? {} : { xgafv: look.xgafv }) };
  return {
    status: refusal.status,
    headers: {
      'content-type': JSON_TYPE,
      ...NOT_KEPT,
      ...buildErrorHeaders(refusal),
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
    },
    body: renderJsonText(buildErrorBody(refusal, form), look),
  };
}

/**
 * The part of a whole answer that `Range` asks for (206), or the answer: clients download large files in parts. 416 where it
 * has no such part.
 */
export function cutToRange(answered: Answered, range: string | null): Answered | AnsweredStream {
  if (range === null || answered.status !== 200) return answered;
  const bytes = encoder.encode(answered.body);
  const size = bytes.byteLength;
  const part = readByteRange(range, size);
  if (part === undefined) return answered;
  if (part === 'unsatisfiable')
    return { status: 416, headers: { ...NOT_KEPT, 'content-range': `bytes */${size}` }, body: '' };
  const { first, last } = part;
  return {
    status: 206,
    headers: { ...answered.headers, 'content-range': `bytes ${first}-${last}/${size}` },
    body: streamBytes(bytes.subarray(first, last + 1)),
  };
}

const encoder = new TextEncoder();

/** As a stream: compressed, a part would be of other bytes than its range says. */
const streamBytes = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });

/** The part of some content that is asked for, both ends of it in it. */
type ByteRange = { first: number; last: number };

/** One range of bytes: from a byte, between two, or so many at the end. Fifteen digits are exact. */
const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * What `Range` asks for of content of a size (RFC 9110, section 14.1.2). Undefined is all of it, as for several ranges and
 * what is no range: an answer may ignore both.
 */
export function readByteRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to, atEnd] = ONE_RANGE.exec(header?.trim() ?? '') ?? [];
  if (atEnd !== undefined)
    return cutRange(Math.max(0, size - Number(atEnd)), Number(atEnd) === 0 ? -1 : size - 1, size);
  if (from === undefined) return undefined;
  const last = to === undefined || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  const isBackwards = to !== undefined && to !== '' && Number(to) < Number(from);
  return isBackwards ? undefined : cutRange(Number(from), last, size);
}

const cutRange = (first: number, last: number, size: number): ByteRange | 'unsatisfiable' =>
  first < size && first <= last ? { first, last } : 'unsatisfiable';
