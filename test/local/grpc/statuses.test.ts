import { fromBinary, toJson } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { loadProtos } from '../../../local/grpc/protos.ts';
import { createFailure, type GrpcFailure, toFailure } from '../../../local/grpc/statuses.ts';
import { isObject, type JsonObject, toObjects } from '../../../src/lib/json.ts';

const { registry } = loadProtos();
const PREFIX = 'type.googleapis.com/google';
/** What clients of C, Python and Java take of all metadata of an answer together. */
const MAX_METADATA_CHARS = 8 * 1_024;
/** What HTTP/2 counts for a field beside its characters, with names of those that are always there. */
const FIELD_CHARS = 60;

const readStatusBytes = ({ metadata }: GrpcFailure): Buffer => {
  const [bytes] = metadata.get('grpc-status-details-bin');
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
};

function readDetails(failure: GrpcFailure): JsonObject[] {
  const type = registry.getMessage('google.rpc.Status');
  if (type === undefined) throw new Error('The protos have no status');
  const read = toJson(type, fromBinary(type, readStatusBytes(failure)), { registry });
  return toObjects(isObject(read) ? read['details'] : undefined);
}

/** As it is sent: the text percent-encoded, bytes in base64. */
const measureFailure = (failure: GrpcFailure): number =>
  encodeURI(failure.details).length + readStatusBytes(failure).toString('base64').length + 4 * FIELD_CHARS;

const refuse = (message: string, details: JsonObject[] = []): GrpcFailure =>
  toFailure(400, { error: { code: 400, status: 'INVALID_ARGUMENT', message, details } }, '7', registry);

const partialErrors = (count: number, message: string): JsonObject => ({
  '@type': `${PREFIX}.logging.v2.WriteLogEntriesPartialErrors`,
  logEntryErrors: Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at + 1), { code: 3, message }])),
});
const RETRY = { '@type': `${PREFIX}.rpc.RetryInfo`, retryDelay: '7s' };

test.each(['x'.repeat(200_000), 'ü'.repeat(5_000), '😀'.repeat(5_000), '\n'.repeat(5_000)])(
  'a long text is cut to what all clients take',
  (text) => {
    for (const failure of [createFailure(status.INVALID_ARGUMENT, text), refuse(text)]) {
      expect(measureFailure(failure)).toBeLessThan(MAX_METADATA_CHARS);
      expect(failure.details).toMatch(/\.\.\.$/);
      expect(text.startsWith(failure.details.slice(0, -3))).toBe(true);
    }
  },
);

test('a text that fits stays, whatever it is made of', () => {
  expect(refuse('Login Required: ü 😀').details).toBe('Login Required: ü 😀');
  expect(refuse('half of a pair: \ud83d').details).toBe('half of a pair: \ufffd');
});

test('of many bad entries the first are named that fit, and when to try again', () => {
  const message = 'Log entry with size 300.0K exceeds maximum size of 256.0K';
  const failure = refuse(`entries[1]: ${message}`, [partialErrors(999, message)]);
  expect(measureFailure(failure)).toBeLessThan(MAX_METADATA_CHARS);
  const [errors, retry] = readDetails(failure);
  const named = Object.keys(isObject(errors?.['logEntryErrors']) ? errors['logEntryErrors'] : {});
  expect(named.length).toBeGreaterThan(30);
  expect(named).toEqual(Array.from(named, (_, at) => String(at + 1)));
  expect(retry).toEqual(RETRY);
});

test('few bad entries are all named', () => {
  const errors = partialErrors(20, 'Log name is not valid');
  expect(readDetails(refuse('x', [errors]))).toEqual([errors, RETRY]);
});

test('a detail that has no room is left out, those beside it stay', () => {
  const info = { '@type': `${PREFIX}.rpc.ErrorInfo`, reason: 'R', domain: 'd' };
  const large = { '@type': `${PREFIX}.rpc.ErrorInfo`, reason: 'x'.repeat(10_000) };
  expect(readDetails(refuse('x', [large, partialErrors(2, 'y'.repeat(10_000)), info]))).toEqual([info, RETRY]);
});
