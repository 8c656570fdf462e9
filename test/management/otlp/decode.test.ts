import { BinaryWriter } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import {
  decodeExportBytes,
  decodeExportJson,
  MAX_OTLP_DEPTH,
  MAX_OTLP_FIELDS,
} from '../../../src/management/otlp/decode.ts';
import { encodeOtlp, textValue } from '../../support/management/otlp.ts';

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const REQUEST: JsonObject = {
  resourceLogs: [
    {
      resource: { attributes: [textValue('service.name', 'shop')] },
      scopeLogs: [
        {
          scope: { name: 'lib', version: '1' },
          logRecords: [
            {
              timeUnixNano: '1700000000000000001',
              severityNumber: 17,
              traceId: '0af7651916cd43dd8448eb211c80319c',
              spanId: '00f067aa0ba902b7',
              flags: 1,
              attributes: [
                { key: 'whole', value: { intValue: '-9223372036854775808' } },
                { key: 'half', value: { doubleValue: 0.5 } },
                { key: 'bytes', value: { bytesValue: 'AAEC' } },
                { key: 'list', value: { arrayValue: { values: [{ boolValue: false }, { stringValue: 'ü' }] } } },
              ],
              body: { kvlistValue: { values: [textValue('a', 'b')] } },
            },
          ],
        },
      ],
    },
  ],
};

test('both encodings of one export are read alike', () => {
  const json = decodeExportJson(bytesOf(REQUEST), 'LogsRequest');
  expect(json).toEqual({ ok: true, request: REQUEST });
  expect(decodeExportBytes(encodeOtlp(REQUEST, 'LogsRequest'), 'LogsRequest')).toEqual(json);
});

test('fields that no one knows are passed over, and null is a field that is not there', () => {
  const bytes = new BinaryWriter().tag(99, 2).string('new').tag(7, 0).uint32(5).finish();
  expect(decodeExportBytes(bytes, 'LogsRequest')).toEqual({ ok: true, request: {} });
  expect(decodeExportJson(bytesOf({ later: { a: 1 }, resourceLogs: null }), 'LogsRequest')).toEqual({
    ok: true,
    request: {},
  });
});

test('a field of another wire type than its own is passed over', () => {
  const bytes = new BinaryWriter().tag(1, 0).uint32(5).finish();
  expect(decodeExportBytes(bytes, 'TraceRequest')).toEqual({ ok: true, request: {} });
});

describe('what is no export is refused in words', () => {
  const whole = encodeOtlp(REQUEST, 'LogsRequest');

  test('wherever it is cut off', () => {
    // A cut inside of the only field: the rest of its length is missing.
    for (let end = 1; end < whole.length; end += 1)
      expect(decodeExportBytes(whole.subarray(0, end), 'LogsRequest')).toMatchObject({ ok: false });
  });

  test('whatever bytes it has', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const read = decodeExportBytes(bytes, 'TraceRequest');
        expect(read.ok || read.message !== '').toBe(true);
      }),
    );
  });

  test.each([
    ['no object', 5],
    ['no list', { resourceLogs: {} }],
    ['an item that is no object', { resourceLogs: [1] }],
    ['a severity by name', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ severityNumber: 'INFO' }] }] }] }],
    ['a time that is no number', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: 'now' }] }] }] }],
    [
      'a time beyond 64 bits',
      { resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: '18446744073709551616' }] }] }] },
    ],
    ['a text that is a number', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ severityText: 5 }] }] }] }],
  ])('in JSON: %s', (_why, value) => {
    expect(decodeExportJson(bytesOf(value), 'LogsRequest')).toMatchObject({ ok: false });
  });

  test('in JSON: broken text, and bytes that are no UTF-8', () => {
    expect(decodeExportJson(new TextEncoder().encode('{'), 'LogsRequest')).toMatchObject({ ok: false });
    expect(decodeExportJson(Uint8Array.of(0x22, 0xff, 0x22), 'LogsRequest')).toMatchObject({ ok: false });
  });

  test('values within values beyond the depth, in both encodings', () => {
    let value: JsonObject = { stringValue: 'deep' };
    for (let depth = 0; depth < MAX_OTLP_DEPTH; depth += 1) value = { arrayValue: { values: [value] } };
    const deep = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: value }] }] }] };
    expect(decodeExportBytes(encodeOtlp(deep, 'LogsRequest'), 'LogsRequest')).toMatchObject({
      ok: false,
      message: expect.stringContaining('deep'),
    });
    expect(decodeExportJson(bytesOf(deep), 'LogsRequest')).toMatchObject({
      ok: false,
      message: expect.stringContaining('deep'),
    });
  });

  test('groups within groups, which the reader would follow', () => {
    expect(decodeExportBytes(new Uint8Array(100_000).fill((9 << 3) | 3), 'TraceRequest')).toMatchObject({ ok: false });
  });

  test('more fields than are read: two bytes can be a message', () => {
    const empty = new Uint8Array(2 * (MAX_OTLP_FIELDS + 1));
    for (let at = 0; at < empty.length; at += 2) empty[at] = (1 << 3) | 2;
    expect(decodeExportBytes(empty, 'TraceRequest')).toMatchObject({
      ok: false,
      message: expect.stringContaining('fields'),
    });
    expect(decodeExportBytes(empty.subarray(2), 'TraceRequest')).toMatchObject({ ok: true });
  });
});
