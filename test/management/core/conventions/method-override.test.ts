import { describe, expect, test } from 'vitest';
import { applyOverride } from '../../../../src/management/core/conventions/standard-parameters.ts';
import { told } from './table.ts';

const FORM = 'application/x-www-form-urlencoded';
const post = { method: 'POST', query: 'alt=json', body: '{"a":1}', contentType: 'application/json' };

describe('X-HTTP-Method-Override', () => {
  test.each(['PATCH', 'PUT', 'DELETE', 'patch', ' PATCH '])('%j turns a POST into that', (override) =>
    expect(told(applyOverride({ ...post, override }))).toEqual({
      method: override.trim().toUpperCase(),
      query: 'alt=json',
      body: '{"a":1}',
    }),
  );

  test.each([undefined, null, '', ' '])('%j leaves a POST', (override) =>
    expect(told(applyOverride({ ...post, override }))).toEqual({ method: 'POST', query: 'alt=json', body: '{"a":1}' }),
  );

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('a %s stays what it is', (method) =>
    expect(told(applyOverride({ ...post, method, override: 'DELETE' }))).toMatchObject({ method, body: '{"a":1}' }),
  );

  test.each(['POST', 'HEAD', 'TRACE', 'CONNECT', 'GET, PATCH', '__proto__', 'x'.repeat(10_000)])(
    '%s is refused',
    (override) =>
      expect(told(applyOverride({ ...post, override }))).toContain(
        '400 INVALID_ARGUMENT invalid: X-HTTP-Method-Override may be PATCH, PUT, DELETE or GET, not ',
      ),
  );
});

describe('a GET in a POST', () => {
  const get = { ...post, override: 'GET', contentType: FORM };

  test.each([
    ['query=name%3Aa&maxResults=1', 'alt=json&query=name%3Aa&maxResults=1'],
    ['fields=a\r\n', 'alt=json&fields=a'],
    ['', 'alt=json'],
  ])('has %j as further parameters', (body, query) => {
    expect(told(applyOverride({ ...get, body }))).toEqual({ method: 'GET', query, body: '' });
    expect(told(applyOverride({ ...get, body: new TextEncoder().encode(body) }))).toEqual({
      method: 'GET',
      query,
      body: '',
    });
    expect(told(applyOverride({ ...get, query: '', body: 'a=b' }))).toEqual({ method: 'GET', query: 'a=b', body: '' });
  });

  test('is a form, with or without parameters of its type', () => {
    expect(applyOverride({ ...get, body: 'a=b', contentType: `${FORM}; charset=utf-8` }).ok).toBe(true);
    expect(applyOverride({ ...get, body: '', contentType: undefined }).ok).toBe(true);
    expect(told(applyOverride({ ...post, override: 'GET' }))).toContain('400 INVALID_ARGUMENT parseError');
    expect(told(applyOverride({ ...get, contentType: undefined, body: 'a=b' }))).toContain('400');
  });

  test('has at most 65,536 bytes', () => {
    expect(applyOverride({ ...get, body: 'x'.repeat(65_536) }).ok).toBe(true);
    expect(told(applyOverride({ ...get, body: 'x'.repeat(65_537) }))).toContain('400 INVALID_ARGUMENT parseError');
  });
});
