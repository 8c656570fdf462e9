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

export const createFailure = (code: number, details: string): GrpcFailure => ({
  code,
  details,
  metadata: new Metadata(),
});

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
  const shown: JsonObject = { code, message: text, details: [...toObjects(details), ...describeRetry(retryAfter)] };
  const failure = createFailure(code, text);
  const type = registry.getMessage('google.rpc.Status');
  if (type !== undefined) failure.metadata.set(DETAILS, Buffer.from(writeMessage(shown, type, registry)));
  return failure;
}

function describeRetry(retryAfter: string | null): JsonObject[] {
  if (retryAfter === null || !/^\d{1,9}$/.test(retryAfter)) return [];
  return [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }];
}
