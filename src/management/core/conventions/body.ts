import { isObject, type JsonObject } from '../../../lib/json.ts';
import { parseMediaType } from '../../../lib/media-type.ts';
import { Refusal, type RefusalData } from '../../../lib/refusal.ts';
import { countUtf8Bytes, decodeUtf8Text } from '../../../lib/utf8.ts';
import type { MethodRow, Schemas } from '../table/method-row.ts';
import { judgeBody } from './body-values.ts';
import { refuseViolations, NOT_UTF8, truncateSentText, refuseUnreadableRequest } from './invalid.ts';
import { MAX_DEPTH, parseJsonText } from './json-text.ts';
import { captureOutcome, type JudgementOutcome } from './outcome.ts';

/** Of a call's body; a part of a batch has less (`MAX_PART_BYTES`). */
export const MAX_CALL_BODY_BYTES = 4 * 1_024 * 1_024;
/** Of a call that writes log entries: the vendor's. */
export const MAX_ENTRIES_BODY_BYTES = 10 * 1_024 * 1_024;
const WRITES_ENTRIES = 'logging.entries.write';

/** How large the body of a method's call may be, in bytes. */
export const getMaxBodyBytes = ({ id }: Pick<MethodRow, 'id'>): number =>
  id === WRITES_ENTRIES ? MAX_ENTRIES_BODY_BYTES : MAX_CALL_BODY_BYTES;

/** A body as it came. */
export type SentBody = { content: Uint8Array | string; contentType?: string | undefined };

/**
 * The body of a call, judged by the request schema of its row. No bytes at all are `{}`. A method without a request schema
 * takes no members. Names come out as the schema has them, int64 as digits, enums as names; `null` stays (it clears).
 */
export function readCallBody(sent: SentBody, row: MethodRow, schemas: Schemas): JudgementOutcome<JsonObject> {
  return captureOutcome(() => {
    const object = readSentObject(sent, getMaxBodyBytes(row));
    return object === undefined ? {} : judgeBody(object, row.request, schemas);
  });
}

/** The JSON object that a body is, whatever is in it; undefined for no bytes at all. @throws Refusal for anything else */
export function readSentObject({ content, contentType }: SentBody, maxBytes: number): JsonObject | undefined {
  const text = decodeBodyText(content, maxBytes);
  if (text.trim() === '') return undefined;
  if (!isJsonType(contentType)) throw new Refusal(NOT_JSON);
  return parseBodyObject(text);
}

function decodeBodyText(content: Uint8Array | string, maxBytes: number): string {
  const bytes = typeof content === 'string' ? content.length : content.byteLength;
  if (bytes > maxBytes || (typeof content === 'string' && countUtf8Bytes(content) > maxBytes))
    throw new Refusal(refuseOversizedBody(maxBytes));
  if (typeof content === 'string') return content;
  const text = decodeUtf8Text(content);
  if (text === undefined) throw new Refusal(NOT_UTF8);
  return text;
}

/** `application/json`, other JSON types, and no type: curl and some clients leave it out. */
export function isJsonType(contentType: string | undefined): boolean {
  const type = parseMediaType(contentType ?? '');
  return type === '' || type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

function parseBodyObject(text: string): JsonObject {
  const parsed = parseJsonText(text);
  if (!parsed.ok) throw new Refusal(refuseJsonProblem(parsed));
  if (isObject(parsed.value)) return parsed.value;
  throw new Refusal(refuseViolations([{ description: describeUnknownMember('', 'Root element must be a message.') }]));
}

function refuseJsonProblem(problem: Exclude<ReturnType<typeof parseJsonText>, { ok: true }>): RefusalData {
  switch (problem.reason) {
    case 'syntax':
      return refuseUnreadableRequest('Invalid JSON payload received. Unexpected token.');
    case 'too_deep':
      return refuseUnreadableRequest(`Invalid JSON payload received. It is nested more than ${MAX_DEPTH} levels deep.`);
    case 'duplicate_name':
      return refuseViolations([{ description: describeUnknownMember(problem.name, 'The name is given twice.') }]);
    case 'forbidden_name':
      return refuseViolations([{ description: describeUnknownMember(problem.name, 'Cannot find field.') }]);
  }
}

const describeUnknownMember = (name: string, why: string): string =>
  `Invalid JSON payload received. Unknown name ${JSON.stringify(truncateSentText(name))}: ${why}`;

/** The vendor meets another type with the error of its JSON parser; ours says what to do. */
const NOT_JSON = refuseUnreadableRequest(
  'Invalid JSON payload received. Unexpected token: the Content-Type must be application/json.',
);

const refuseOversizedBody = (maxBytes: number): RefusalData => ({
  status: 413,
  word: 'INVALID_ARGUMENT',
  reason: 'uploadTooLarge',
  message: `Request payload size exceeds the limit: ${maxBytes} bytes.`,
});
