import { base64Encode, BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { toHex } from '../../lib/digest.ts';
import { isObject, isText, type Json, type JsonObject } from '../../lib/json.ts';
import { decodeUtf8Text } from '../../lib/utf8.ts';
import { parseJsonText } from '../core/conventions/json-text.ts';
import { OTLP_MESSAGES, type OtlpField, type OtlpMessage } from './messages-data.ts';

/** Messages within each other: values of values are two deeper each. */
export const MAX_OTLP_DEPTH = 64;
/** Objects and lists of the JSON form within each other: the same message takes more of them. */
const MAX_JSON_DEPTH = 160;
/** Fields of one request, also by gRPC: two bytes can be an empty message, which takes far more memory. */
export const MAX_OTLP_FIELDS = 500_000;

/** A request in the JSON form, with only what the table has: 64-bit numbers as text, ids in hexadecimal, bytes in base64. */
export type DecodedExport = { ok: true; request: JsonObject } | { ok: false; message: string };

/** Ends the reading of a request that is none. */
class MalformedExport extends Error {
  override name = 'MalformedExport';
}

/** Reads the binary form. */
export function decodeExportBytes(bytes: Uint8Array, message: OtlpMessage): DecodedExport {
  const reader = new BinaryReader(bytes);
  return captureMalformed(() => readMessage({ reader, left: MAX_OTLP_FIELDS }, bytes.byteLength, message, 0));
}

/** Reads the JSON form. */
export function decodeExportJson(bytes: Uint8Array, message: OtlpMessage): DecodedExport {
  const text = decodeUtf8Text(bytes);
  if (text === undefined) return { ok: false, message: 'The body is not UTF-8' };
  const parsed = parseJsonText(text, MAX_JSON_DEPTH);
  if (!parsed.ok) return { ok: false, message: `The body is no JSON that is read here: ${parsed.reason}` };
  return captureMalformed(() => checkMessage({ left: MAX_OTLP_FIELDS }, parsed.value, message, { at: '', depth: 0 }));
}

/** What the reader itself throws is about the bytes too: it does nothing but read them. */
function captureMalformed(work: () => JsonObject): DecodedExport {
  try {
    return { ok: true, request: work() };
  } catch (error) {
    if (error instanceof MalformedExport) return { ok: false, message: error.message };
    if (error instanceof RangeError || isReaderError(error))
      return { ok: false, message: 'The body is not the protobuf message that its Content-Type says' };
    throw error;
  }
}

/** The reader throws plain errors with such texts; a bug of ours throws errors of other classes. */
const isReaderError = (error: unknown): boolean => error instanceof Error && error.constructor === Error;

const MAX_ID_BYTES = 16;

/** What is left of a request's fields. */
type Budget = { left: number };
type Reading = Budget & { reader: BinaryReader };

function spendField(budget: Budget): void {
  budget.left -= 1;
  if (budget.left < 0) throw new MalformedExport(`A request has at most ${MAX_OTLP_FIELDS} fields`);
}

function requireDepth(depth: number): void {
  if (depth > MAX_OTLP_DEPTH) throw new MalformedExport(`Messages are at most ${MAX_OTLP_DEPTH} deep`);
}

function readMessage(reading: Reading, end: number, message: OtlpMessage, depth: number): JsonObject {
  requireDepth(depth);
  const { reader } = reading;
  const fields = OTLP_MESSAGES[message];
  const read: JsonObject = {};
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    spendField(reading);
    const field = fields[number];
    if (field === undefined || wire !== WIRES[field.kind]) reader.skip(wire, number);
    else keepField(read, field, readField(reading, end, field, depth));
  }
  if (reader.pos > end) throw new MalformedExport('A field is longer than the message that it is in');
  return read;
}

function keepField(read: JsonObject, { name, repeated }: OtlpField, value: Json): void {
  if (repeated !== true) read[name] = value;
  else if (Array.isArray(read[name])) read[name].push(value);
  else read[name] = [value];
}

const WIRES: Readonly<Record<OtlpField['kind'], WireType>> = {
  string: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
  id: WireType.LengthDelimited,
  message: WireType.LengthDelimited,
  bool: WireType.Varint,
  enum: WireType.Varint,
  uint32: WireType.Varint,
  int64: WireType.Varint,
  double: WireType.Bit64,
  fixed64: WireType.Bit64,
  fixed32: WireType.Bit32,
};

function readField(reading: Reading, end: number, field: OtlpField, depth: number): Json {
  const { reader } = reading;
  switch (field.kind) {
    case 'message': {
      const length = reader.uint32();
      if (reader.pos + length > end) throw new MalformedExport('The body ends inside of a message');
      return readMessage(reading, reader.pos + length, field.of, depth + 1);
    }
    case 'string':
      return reader.string();
    case 'bytes':
      return base64Encode(reader.bytes());
    case 'id':
      return toHex(reader.bytes().subarray(0, MAX_ID_BYTES + 1)); // A longer one is no id, however long.
    case 'bool':
      return reader.bool();
    case 'enum':
      return reader.int32();
    case 'uint32':
      return reader.uint32();
    case 'fixed32':
      return reader.fixed32();
    case 'double':
      return reader.double();
    case 'int64':
      return String(reader.int64());
    case 'fixed64':
      return String(reader.fixed64());
  }
}

/** The path of a field, for errors, and its depth. */
type Place = { at: string; depth: number };

const FIELDS_BY_NAME = new Map(
  Object.entries(OTLP_MESSAGES).map(([message, fields]) => [
    message,
    new Map(Object.values(fields).map((field) => [field.name, field])),
  ]),
);

function checkMessage(budget: Budget, value: Json, message: OtlpMessage, { at, depth }: Place): JsonObject {
  requireDepth(depth);
  if (!isObject(value)) throw new MalformedExport(`${at === '' ? 'The body' : at} must be an object`);
  const fields = FIELDS_BY_NAME.get(message);
  const read: JsonObject = {};
  for (const [name, given] of Object.entries(value)) {
    spendField(budget);
    const field = fields?.get(name);
    if (field === undefined || given === null) continue; // Unknown fields mean nothing, null is a field that is not there.
    const place = { at: at === '' ? name : `${at}.${name}`, depth: depth + 1 };
    read[name] =
      field.repeated === true ? checkList(budget, given, field, place) : checkField(budget, given, field, place);
  }
  return read;
}

function checkList(budget: Budget, given: Json, field: OtlpField, { at, depth }: Place): Json[] {
  if (!Array.isArray(given)) throw new MalformedExport(`${at} must be a list`);
  return given.map((item, index) => {
    spendField(budget);
    return checkField(budget, item, field, { at: `${at}[${index}]`, depth });
  });
}

function checkField(budget: Budget, given: Json, field: OtlpField, place: Place): Json {
  if (field.kind === 'message') return checkMessage(budget, given, field.of, place);
  const value = SCALARS[field.kind](given);
  if (value === undefined) throw new MalformedExport(`${place.at} is no ${field.kind}`);
  return value;
}

const MAX_UINT32 = 2 ** 32 - 1;
const MAX_INT32 = 2 ** 31 - 1;
const DIGITS = /^-?\d{1,20}$/;

const takeText = (given: Json): Json | undefined => (isText(given) ? given : undefined);
const takeInteger =
  (min: number, max: number) =>
  (given: Json): Json | undefined => {
    const number = isText(given) && DIGITS.test(given) ? Number(given) : given;
    return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max
      ? number
      : undefined;
  };
const takeLong =
  (min: bigint, max: bigint) =>
  (given: Json): Json | undefined => {
    const text = typeof given === 'number' && Number.isInteger(given) ? BigInt(given).toString() : given;
    if (!isText(text) || !DIGITS.test(text)) return undefined;
    return BigInt(text) >= min && BigInt(text) <= max ? text : undefined;
  };

function takeDouble(given: Json): Json | undefined {
  if (typeof given === 'number') return given;
  if (!isText(given) || given.trim() === '') return undefined;
  const number = Number(given);
  return Number.isNaN(number) && given !== 'NaN' ? undefined : number;
}

/** Enumerations are numbers in the JSON form of OTLP, never names. */
const SCALARS: Readonly<Record<Exclude<OtlpField['kind'], 'message'>, (given: Json) => Json | undefined>> = {
  string: takeText,
  bytes: takeText,
  id: (given) => (isText(given) ? given.toLowerCase() : undefined),
  bool: (given) => (typeof given === 'boolean' ? given : undefined),
  enum: (given) => (isText(given) ? undefined : takeInteger(-MAX_INT32 - 1, MAX_INT32)(given)),
  uint32: takeInteger(0, MAX_UINT32),
  fixed32: takeInteger(0, MAX_UINT32),
  double: takeDouble,
  int64: takeLong(-(2n ** 63n), 2n ** 63n - 1n),
  fixed64: takeLong(0n, 2n ** 64n - 1n),
};
