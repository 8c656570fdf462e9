import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { JsonObject } from '../../lib/json.ts';
import type { RefusalData, StatusWord } from '../../lib/refusal.ts';

/** The two encodings of OTLP/HTTP, by their media types. */
export const OTLP_TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' } as const;
export type OtlpForm = keyof typeof OTLP_TYPES;

/** Which records of an export are not kept, and why. */
export type OtlpRejected = { count: number; message: string };

/** Numbers of google.rpc.Code. */
const CODES: Readonly<Record<StatusWord, number>> = {
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
};

const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * The body of an export that was taken, wholly or in part: `partial_success` is field 1 of both answers, with a count
 * and a message.
 * @param counted name of the count in the JSON form
 */
export function encodeExportAnswer(
  form: OtlpForm,
  counted: 'rejectedSpans' | 'rejectedLogRecords',
  rejected: OtlpRejected,
): Uint8Array {
  const { count, message } = rejected;
  const isWhole = count === 0;
  if (form === 'json') {
    const partial: JsonObject = { [counted]: String(count), errorMessage: message };
    return encodeText(JSON.stringify(isWhole ? {} : { partialSuccess: partial }));
  }
  const writer = new BinaryWriter();
  if (!isWhole) writer.tag(1, 2).fork().tag(1, 0).int64(count).tag(2, 2).string(message).join();
  return writer.finish();
}

/** The body of an export that was refused: google.rpc.Status, without details in protobuf. */
export function encodeExportStatus(form: OtlpForm, { word, message, details = [] }: RefusalData): Uint8Array {
  const code = CODES[word];
  if (form === 'json') return encodeText(JSON.stringify({ code, message, ...(details.length > 0 && { details }) }));
  return new BinaryWriter().tag(1, 0).int32(code).tag(2, 2).string(message).finish();
}
