import { expect, test } from 'vitest';
import { findOtlpTarget, parseOtlpHeaders } from '../../src/telemetry/otlp-settings.ts';

const OWN = ['https://sightline.example', undefined];
const at = (OTEL_EXPORTER_OTLP_ENDPOINT: string, allowsPlainLoopback = false, headers?: string) =>
  findOtlpTarget(
    { OTEL_EXPORTER_OTLP_ENDPOINT, ...(headers !== undefined && { OTEL_EXPORTER_OTLP_HEADERS: headers }) },
    OWN,
    allowsPlainLoopback,
  );

test('headers are pairs by commas, with encoded values', () => {
  expect(parseOtlpHeaders('')).toEqual({});
  expect(parseOtlpHeaders('Authorization=Bearer%20a%3Db, x-key = v=1 ,')).toEqual({
    authorization: 'Bearer a=b',
    'x-key': 'v=1',
  });
});

test.each([
  'novalue',
  '=x',
  'a b=c',
  'a=%zz',
  'a=%0d%0ax',
  'Host=x',
  'content-type=x',
  '__proto__=x',
  Array.from({ length: 21 }, (_, n) => `h${n}=v`).join(),
])('"%s" is no header', (text) => {
  expect(parseOtlpHeaders(text)).toBeUndefined();
});

test('the address is https, or this machine where that is allowed, and none of our own', () => {
  expect(findOtlpTarget({}, OWN, true)).toBeUndefined();
  expect(at('https://collector.example', false, 'a=b')).toEqual({
    endpoint: 'https://collector.example',
    headers: { a: 'b' },
  });
  expect(at('https://collector.example/otlp?x=1#y')).toMatchObject({ endpoint: 'https://collector.example/otlp' });
  expect(at('http://collector.example', true)).toEqual({ refused: 'not_https' });
  expect(at('http://127.0.0.1:4318')).toEqual({ refused: 'not_https' });
  expect(at('http://127.0.0.1:4318', true)).toMatchObject({ endpoint: 'http://127.0.0.1:4318' });
  expect(at('http://localhost:4318', true)).toMatchObject({ endpoint: 'http://localhost:4318' });
  expect(at('https://sightline.example/x')).toEqual({ refused: 'own_address' });
});

test.each([
  'https://sightline.example./x',
  'https://SIGHTLINE.example:443',
  'http://127.0.0.1:8789',
  'http://localhost:8789',
  'http://localhost.:8789/v1',
  'http://127.0.0.2:8789',
  'http://[::1]:8789',
  'https://localhost:8789',
])('%s is an address of our own, however it is written', (address) => {
  const own = ['https://sightline.example', 'http://127.0.0.1:8789', undefined];
  expect(findOtlpTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: address }, own, true)).toEqual({ refused: 'own_address' });
});

test.each(['https://sightline.example:8443', 'https://other.sightline.example', 'http://localhost:4318'])(
  '%s is none',
  (address) => {
    const own = ['https://sightline.example', 'http://127.0.0.1:8789'];
    expect(findOtlpTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: address }, own, true)).toEqual({
      endpoint: address,
      headers: {},
    });
  },
);
