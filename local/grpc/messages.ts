import {
  type DescField,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  fromJson,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { isObject, isText, type Json, type JsonObject } from '../../src/lib/json.ts';

/** A message of a request in its JSON form; or why it is none. */
export type ReadMessage = { ok: true; message: JsonObject } | { ok: false; reason: string };

/** Reads a request: proto3 JSON is what REST takes, without fields that have their default. */
export function readMessage(bytes: Uint8Array, type: DescMessage, registry: FileRegistry): ReadMessage {
  try {
    const json: Json = toJson(type, fromBinary(type, bytes), { registry });
    return { ok: true, message: isObject(json) ? json : {} };
  } catch (error) {
    // What cannot be read or written is the sender's: broken bytes, times out of range, an Any of a type that no one knows.
    if (!(error instanceof Error)) throw error;
    return { ok: false, reason: error.message };
  }
}

const ANY = 'google.protobuf.Any';
const STRUCT = 'type.googleapis.com/google.protobuf.Struct';
/** Messages within each other of an answer: it is our own. */
const MAX_DEPTH = 100;

/**
 * Writes an answer. Fields that the protos do not know are passed over; what is in an Any of a type that they do not know
 * is a Struct with its `@type`, so that it is not lost.
 */
export const writeMessage = (answer: JsonObject, type: DescMessage, registry: FileRegistry): Uint8Array =>
  toBinary(type, fromJson(type, adaptMessage(answer, type, registry, 0), { registry, ignoreUnknownFields: true }));

function adaptMessage(value: JsonObject, type: DescMessage, registry: FileRegistry, depth: number): JsonObject {
  if (depth > MAX_DEPTH) return {};
  if (type.typeName === ANY) return adaptAny(value, registry);
  if (type.typeName.startsWith('google.protobuf.')) return value;
  const fields = new Map(type.fields.map((field) => [field.jsonName, field]));
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      const field = fields.get(name);
      return [name, field === undefined ? given : adaptField(given, field, registry, depth + 1)];
    }),
  );
}

function adaptField(given: Json, field: DescField, registry: FileRegistry, depth: number): Json {
  const { message } = field;
  if (message === undefined || given === null) return given;
  const adapt = (value: Json): Json => (isObject(value) ? adaptMessage(value, message, registry, depth) : value);
  if (Array.isArray(given)) return given.map(adapt);
  if (field.fieldKind === 'map' && isObject(given))
    return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, adapt(value)]));
  return adapt(given);
}

function adaptAny(value: JsonObject, registry: FileRegistry): JsonObject {
  const { '@type': url } = value;
  const name = isText(url) ? url.slice(url.lastIndexOf('/') + 1) : '';
  return registry.getMessage(name) === undefined ? { '@type': STRUCT, value } : value;
}
