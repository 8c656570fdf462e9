import {
  type DescField,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  fromJson,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { MAX_OTLP_FIELDS } from '../../src/management/otlp/decode.ts';
import { isObject, isText, type Json, type JsonObject } from '../../src/lib/json.ts';
import { countFields } from './fields.ts';

/** A message of a request in its JSON form; or why it is none. */
export type ReadMessage = { ok: true; message: JsonObject } | { ok: false; reason: string };

/** Reads a request: proto3 JSON is what REST takes, without fields that have their default. */
export function readMessage(bytes: Uint8Array, type: DescMessage, registry: FileRegistry): ReadMessage {
  try {
    if (countFields(bytes, type, registry, MAX_OTLP_FIELDS) > MAX_OTLP_FIELDS)
      return { ok: false, reason: `A message has at most ${MAX_OTLP_FIELDS} fields` };
    const json: Json = toJson(type, fromBinary(type, bytes), { registry });
    return { ok: true, message: isObject(json) ? json : {} };
  } catch (error) {
    // What cannot be read or written is the sender's: broken bytes, times out of range, an Any of a type that no one knows.
    if (!(error instanceof Error)) throw error;
    return { ok: false, reason: error.message };
  }
}

const ANY = 'google.protobuf.Any';
const DURATION = 'google.protobuf.Duration';
const STRUCT = 'type.googleapis.com/google.protobuf.Struct';
/** Messages within each other of an answer: it is our own. */
const MAX_DEPTH = 100;

/**
 * Writes an answer. Fields that the protos do not know are passed over. What is in an Any is sent as its `@type` says where it
 * is such a message, else as a Struct with its `@type`: REST takes any payload, and none of them may cost a whole page.
 */
export const writeMessage = (answer: JsonObject, type: DescMessage, registry: FileRegistry): Uint8Array =>
  toBinary(type, parseMessage(adaptMessage(answer, type, registry, { depth: 0, isInAny: false }), type, registry));

const parseMessage = (value: Json, type: DescMessage, registry: FileRegistry) =>
  fromJson(type, value, { registry, ignoreUnknownFields: true });

/** Whether a value is such a message: that is known only by reading it. */
function isMessage(value: Json, type: DescMessage, registry: FileRegistry): boolean {
  try {
    parseMessage(value, type, registry);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Where a message is. */
type Place = { depth: number; isInAny: boolean };

function adaptMessage(value: JsonObject, type: DescMessage, registry: FileRegistry, place: Place): JsonObject {
  if (place.depth > MAX_DEPTH) return {};
  if (type.typeName === ANY) return adaptAny(value, type, registry, place);
  if (hasOwnForm(type)) return value;
  const inner = { ...place, depth: place.depth + 1 };
  const fields = new Map(type.fields.map((field) => [field.jsonName, field]));
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      const field = fields.get(name);
      return [name, field === undefined ? given : adaptField(given, field, registry, inner)];
    }),
  );
}

/** Types whose JSON form is not made of their fields. */
const hasOwnForm = ({ typeName }: DescMessage): boolean => typeName.startsWith('google.protobuf.');

function adaptField(given: Json, field: DescField, registry: FileRegistry, place: Place): Json {
  const { message } = field;
  if (message === undefined || given === null) return given;
  // Earlier versions kept time spans that proto3 has no room for: null is a field that is not there.
  if (message.typeName === DURATION && isText(given) && !place.isInAny)
    return isMessage(given, message, registry) ? given : null;
  const adapt = (value: Json): Json => (isObject(value) ? adaptMessage(value, message, registry, place) : value);
  if (Array.isArray(given)) return given.map(adapt);
  if (field.fieldKind === 'map' && isObject(given))
    return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, adapt(value)]));
  return adapt(given);
}

function adaptAny(value: JsonObject, any: DescMessage, registry: FileRegistry, { depth }: Place): JsonObject {
  const { '@type': url } = value;
  const type = registry.getMessage(isText(url) ? url.slice(url.lastIndexOf('/') + 1) : '');
  const unread: JsonObject = { '@type': STRUCT, value };
  if (type === undefined) return unread;
  const adapted = hasOwnForm(type) ? value : adaptMessage(value, type, registry, { depth: depth + 1, isInAny: true });
  return isMessage(adapted, any, registry) ? adapted : unread;
}
