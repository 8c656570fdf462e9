import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from 'vitest';
import { countFields } from '../../../local/grpc/fields.ts';
import { readMessage } from '../../../local/grpc/messages.ts';
import { loadProtos } from '../../../local/grpc/protos.ts';
import { MAX_OTLP_FIELDS } from '../../../src/management/otlp/decode.ts';

const { registry } = loadProtos();

function requireType(name: string) {
  const type = registry.getMessage(name);
  if (type === undefined) throw new Error(`The protos have no ${name}`);
  return type;
}

const WRITE = requireType('google.logging.v2.WriteLogEntriesRequest');
const STRUCT = 'google.protobuf.Struct';
const DELIMITED = 2;
const MOST = 1_000;

/** A field that holds others, so many times. */
function wrap(number: number, inner: Uint8Array = new Uint8Array(), times = 1): Uint8Array {
  const writer = new BinaryWriter();
  for (let at = 0; at < times; at += 1) writer.tag(number, DELIMITED).bytes(inner);
  return writer.finish();
}
const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
const text = (number: number, value: string): Uint8Array => wrap(number, new TextEncoder().encode(value));
const count = (bytes: Uint8Array, most = MOST): number => countFields(bytes, WRITE, registry, most);

const LABELS = 3;
const ENTRIES = 4;
const PROTO_PAYLOAD = 2;

describe('fields', () => {
  test.each([
    ['of messages', wrap(ENTRIES, text(12, 'projects/p/logs/l'), 3), 6],
    ['that no one knows', wrap(99, new Uint8Array(50)), 1],
    ['of maps: a pair has two', wrap(LABELS, join(text(1, 'key'), text(2, 'value')), 2), 6],
    ['of values within values', wrap(ENTRIES, wrap(6, wrap(1, join(text(1, 'k'), wrap(2, text(3, 'v')))))), 6],
  ])('%s count', (_what, bytes, fields) => expect(count(bytes)).toBe(fields));

  test.each([
    ['before', (url: Uint8Array, value: Uint8Array) => join(url, value)],
    ['after', (url: Uint8Array, value: Uint8Array) => join(value, url)],
  ])('of an Any count by its type, which it says %s its value', (_where, put) => {
    const value = wrap(2, wrap(1, text(1, 'k'), 10));
    const any = (type: string): Uint8Array =>
      wrap(ENTRIES, wrap(PROTO_PAYLOAD, put(text(1, `type.googleapis.com/${type}`), value)));
    expect(count(any(STRUCT))).toBe(4 + 20);
    expect(count(any('x.Y'))).toBe(4);
  });

  test('of a list of numbers count each, packed or not', () => {
    const explicit = requireType('google.api.Distribution.BucketOptions.Explicit');
    expect(countFields(wrap(1, new Uint8Array(8 * 7)), explicit, registry, MOST)).toBe(1 + 7);
    const path = requireType('google.protobuf.SourceCodeInfo.Location');
    expect(countFields(wrap(1, Uint8Array.of(1, 0x80, 1, 5)), path, registry, MOST)).toBe(1 + 3);
  });

  test('are counted no further than asked', () => {
    expect(count(wrap(ENTRIES, new Uint8Array(), 5_000))).toBe(MOST + 1);
  });

  test('of bytes that are no message are none', () => {
    expect(() => count(Uint8Array.of(0x22, 0x7f))).toThrow(/EOF/);
    expect(() => count(wrap(ENTRIES, Uint8Array.of(0x62, 0x7f)))).toThrow(/EOF/);
  });

  test('of messages too deep within each other are not counted', () => {
    const nest = (depth: number): Uint8Array => {
      let value = new Uint8Array();
      for (let at = 0; at < depth; at += 1) value = Uint8Array.from(wrap(6, wrap(1, value)));
      return wrap(ENTRIES, wrap(6, wrap(1, wrap(2, value))));
    };
    expect(count(nest(20))).toBe(4 + 40);
    expect(() => count(nest(60))).toThrow('100 deep');
  });
});

test('a small message of very many is refused before it is built', () => {
  const bytes = wrap(ENTRIES, new Uint8Array(), MAX_OTLP_FIELDS + 1);
  expect(readMessage(bytes, WRITE, registry)).toEqual({
    ok: false,
    reason: `A message has at most ${MAX_OTLP_FIELDS} fields`,
  });
});
