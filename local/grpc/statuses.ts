import type { FileRegistry } from '@bufbuild/protobuf';
import { Metadata, status as codes } from '@grpc/grpc-js';
import { isObject, isText, type Json, type JsonObject, toObjects } from '../../src/lib/json.ts';
import { writeMessage } from './messages.ts';

/** How a call ends that failed, as gRPC says it. */
export type GrpcFailure = { code: number; details: string; metadata: Metadata };

/** By HTTP status, where an answer has no word of google.rpc.Code (google/rpc/code.proto). */
const BY_STATUS: Readonly<Record<number, number>> = {
  400: codes.INVALID_ARGUMENT,
  401: codes.UNAUTHENTICATED,
  403: codes.PERMISSION_DENIED,
  404: codes.NOT_FOUND,
  408: codes.UNAVAILABLE,
  409: codes.ABORTED,
  412: codes.FAILED_PRECONDITION,
  413: codes.RESOURCE_EXHAUSTED,
  429: codes.RESOURCE_EXHAUSTED,
  499: codes.CANCELLED,
  500: codes.INTERNAL,
  501: codes.UNIMPLEMENTED,
  502: codes.UNAVAILABLE,
  503: codes.UNAVAILABLE,
  504: codes.DEADLINE_EXCEEDED,
};
const BY_WORD: ReadonlyMap<string, number> = new Map(
  Object.entries(codes).flatMap(([word, code]) => (typeof code === 'number' ? [[word, code]] : [])),
);
const DETAILS = 'grpc-status-details-bin';

/**
 * Of the text and of google.rpc.Status, as they are sent: percent-encoded, and in base64. Clients of C, Python and Java take 8 KiB
 * of metadata, and see of a larger answer neither code nor reason.
 */
const MAX_TEXT_CHARS = 1_024;
const MAX_STATUS_CHARS = 6_144;
const ELLIPSIS = '...';

export const createFailure = (code: number, details: string): GrpcFailure => ({
  code,
  details: cutText(details),
  metadata: new Metadata(),
});

function cutText(text: string): string {
  let left = MAX_TEXT_CHARS - ELLIPSIS.length;
  let kept = '';
  for (const char of text.toWellFormed()) {
    left -= encodeURI(char).length;
    if (left < 0) return `${kept}${ELLIPSIS}`;
    kept += char;
  }
  return kept;
}

/** The failure that a REST answer is, with its google.rpc.Status for clients that read details. */
export function toFailure(
  httpStatus: number,
  body: Json | undefined,
  retryAfter: string | null,
  registry: FileRegistry,
): GrpcFailure {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const { status, message, details } = error;
  // 413 has a word of 400 there: gRPC has one of its own for what is too large.
  const word = isText(status) && httpStatus !== 413 ? BY_WORD.get(status) : undefined;
  const code = word ?? BY_STATUS[httpStatus] ?? codes.UNKNOWN;
  const text = isText(message) ? message : `HTTP status ${httpStatus}`;
  const failure = createFailure(code, text);
  const type = registry.getMessage('google.rpc.Status');
  if (type === undefined) return failure;
  const write = (some: readonly JsonObject[]): Uint8Array =>
    writeMessage({ code, message: failure.details, details: [...some] }, type, registry);
  const shown = selectDetails(toObjects(details), describeRetry(retryAfter), (some) => hasRoom(write(some)));
  failure.metadata.set(DETAILS, Buffer.from(write(shown)));
  return failure;
}

const hasRoom = ({ byteLength }: Uint8Array): boolean => Math.ceil(byteLength / 3) * 4 <= MAX_STATUS_CHARS;

type Fits = (details: readonly JsonObject[]) => boolean;

/** The details that fit beside the last ones. Of bad entries those that fit; any other detail is there as a whole or not at all. */
function selectDetails(details: readonly JsonObject[], last: readonly JsonObject[], fits: Fits): readonly JsonObject[] {
  const kept: JsonObject[] = [];
  for (const detail of details) {
    const isRoomFor = (some: JsonObject): boolean => fits([...kept, some, ...last]);
    const shown = isRoomFor(detail) ? detail : shortenEntryErrors(detail, isRoomFor);
    if (shown !== undefined) kept.push(shown);
  }
  return [...kept, ...last];
}

/** As many of the first bad entries as fit; undefined where none does. */
function shortenEntryErrors(detail: JsonObject, fits: (some: JsonObject) => boolean): JsonObject | undefined {
  const { logEntryErrors } = detail;
  if (!isObject(logEntryErrors)) return undefined;
  const errors = Object.entries(logEntryErrors);
  const take = (count: number): JsonObject => ({
    ...detail,
    logEntryErrors: Object.fromEntries(errors.slice(0, count)),
  });
  let [fitting, tooMany] = [0, errors.length];
  while (tooMany - fitting > 1) {
    const half = Math.floor((fitting + tooMany) / 2);
    if (fits(take(half))) fitting = half;
    else tooMany = half;
  }
  return fitting === 0 ? undefined : take(fitting);
}

function describeRetry(retryAfter: string | null): JsonObject[] {
  if (retryAfter === null || !/^\d{1,9}$/.test(retryAfter)) return [];
  return [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }];
}
