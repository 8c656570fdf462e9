import { fromBinary, toJson } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { writeMessage } from '../../../local/grpc/messages.ts';
import { loadProtos } from '../../../local/grpc/protos.ts';
import { isObject, type JsonObject } from '../../../src/lib/json.ts';

const { registry } = loadProtos();
const PREFIX = 'type.googleapis.com/';
const AUDIT_LOG = `${PREFIX}google.cloud.audit.AuditLog`;
const STRUCT = `${PREFIX}google.protobuf.Struct`;

function requireType(name: string) {
  const type = registry.getMessage(name);
  if (type === undefined) throw new Error(`The protos have no ${name}`);
  return type;
}

/** An entry as a client of gRPC reads it, beside a good one. */
function readBack(entry: JsonObject): JsonObject {
  const type = requireType('google.logging.v2.ListLogEntriesResponse');
  const bytes = writeMessage({ entries: [entry, { textPayload: 'good' }] }, type, registry);
  const read = toJson(type, fromBinary(type, bytes), { registry });
  const [first, second] = isObject(read) && Array.isArray(read['entries']) ? read['entries'] : [];
  expect(second).toEqual({ textPayload: 'good' });
  return isObject(first) ? first : {};
}

describe('a payload of a type that the protos know', () => {
  test.each([
    ['a number for a text', { '@type': AUDIT_LOG, serviceName: 5 }],
    ['a text for a number', { '@type': AUDIT_LOG, numResponseItems: 'abc' }],
    ['a time span that is none', { '@type': `${PREFIX}google.appengine.logging.v1.RequestLog`, latency: 'x' }],
    ['a value that is none', { '@type': `${PREFIX}google.protobuf.Duration`, value: 'abc' }],
    ['an Any of an unknown type', { '@type': `${PREFIX}google.protobuf.Any`, value: { '@type': `${PREFIX}x.Y` } }],
  ])('with %s is a Struct', (_what, protoPayload) => {
    expect(readBack({ protoPayload })).toEqual({ protoPayload: { '@type': STRUCT, value: protoPayload } });
  });

  test('keeps its type where only what is in it is of an unknown one', () => {
    const serviceData = { '@type': `${PREFIX}x.Y`, a: 1 };
    const known = { '@type': AUDIT_LOG, serviceName: 'shop.example' };
    expect(readBack({ protoPayload: { ...known, serviceData } })).toEqual({
      protoPayload: { ...known, serviceData: { '@type': STRUCT, value: serviceData } },
    });
  });

  test('keeps its type where only what is in it does not fit', () => {
    const serviceData = { '@type': AUDIT_LOG, serviceName: 5 };
    const known = { '@type': AUDIT_LOG, serviceName: 'shop.example' };
    expect(readBack({ protoPayload: { ...known, serviceData } })).toEqual({
      protoPayload: { ...known, serviceData: { '@type': STRUCT, value: serviceData } },
    });
  });
});

test('a time span that proto3 has no room for is left out', () => {
  expect(readBack({ httpRequest: { status: 200, latency: '400000000000s' } })).toEqual({
    httpRequest: { status: 200 },
  });
  expect(readBack({ httpRequest: { latency: '315576000000s' } })).toEqual({
    httpRequest: { latency: '315576000000s' },
  });
});
