import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { getMember, isObject, isText, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { OTLP_MESSAGES, type OtlpField, type OtlpMessage } from '../../../src/management/otlp/messages-data.ts';

const WIRES = {
  string: 2,
  bytes: 2,
  id: 2,
  message: 2,
  bool: 0,
  enum: 0,
  uint32: 0,
  int64: 0,
  double: 1,
  fixed64: 1,
  fixed32: 5,
} as const;

/** An export in the JSON form, as protobuf. That the numbers of the fields are right, the SDK's own exporters judge. */
export const encodeOtlp = (value: JsonObject, message: OtlpMessage): Uint8Array =>
  writeMessage(new BinaryWriter(), value, message).finish();

function writeMessage(writer: BinaryWriter, value: JsonObject, message: OtlpMessage): BinaryWriter {
  for (const [number, field] of Object.entries(OTLP_MESSAGES[message])) {
    const given = getMember(value, field.name);
    if (given === undefined) continue;
    for (const item of Array.isArray(given) ? given : [given])
      writeField(writer.tag(Number(number), WIRES[field.kind]), item, field);
  }
  return writer;
}

function writeField(writer: BinaryWriter, given: Json, field: OtlpField): void {
  const text = isText(given) ? given : JSON.stringify(given);
  if (field.kind === 'message') writeMessage(writer.fork(), isObject(given) ? given : {}, field.of).join();
  else if (field.kind === 'id')
    writer.bytes(Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
  else if (field.kind === 'bytes') writer.bytes(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
  else if (field.kind === 'string') writer.string(text);
  else if (field.kind === 'bool') writer.bool(given === true);
  else if (field.kind === 'enum') writer.int32(Number(given));
  else if (field.kind === 'double') writer.double(Number(given));
  else if (field.kind === 'uint32' || field.kind === 'fixed32') writer[field.kind](Number(given));
  else writer[field.kind](isText(given) ? given : Number(given));
}

export const textValue = (key: string, stringValue: string) => ({ key, value: { stringValue } });
