import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPathParameters, readCallQuery } from '../../../../src/management/core/conventions/parameters.ts';
import {
  type Alt,
  readErrorFormat,
  parseQuery,
  readStandardParameters,
} from '../../../../src/management/core/conventions/standard-parameters.ts';
import { requireMethod } from '../../../../src/management/core/table/method-row.ts';
import { HOSTILE, told, withParameters } from './table.ts';

const row = withParameters({
  userKey: { in: 'path', type: 'string', required: true },
  codeId: { in: 'path', type: 'integer', format: 'int32' },
  roleId: { in: 'path', type: 'string', format: 'int64' },
  maxResults: { in: 'query', type: 'integer', format: 'int32', minimum: 1, maximum: 500 },
  startIndex: { in: 'query', type: 'integer', format: 'int32', minimum: 1, maximum: 1_000 },
  size: { in: 'query', type: 'integer', format: 'uint32' },
  ratio: { in: 'query', type: 'number' },
  showDeleted: { in: 'query', type: 'boolean' },
  orderBy: { in: 'query', type: 'string', enum: ['email', 'givenName'] },
  checks: { in: 'query', type: 'string', enum: ['NONE', 'DECREASE'], numbers: [0, 1], repeated: true },
  expires: { in: 'query', type: 'string', format: 'int64' },
  since: { in: 'query', type: 'string', format: 'google-datetime' },
  names: { in: 'query', type: 'string', repeated: true },
  query: { in: 'query', type: 'string' },
  domain: { in: 'query', type: 'string' },
  'options.requestedPolicyVersion': { in: 'query', type: 'integer', format: 'int32' },
});

const users = requireMethod('directory.users.list');
const read = (text: string, of = row): unknown => {
  const pairs = parseQuery(text);
  return told(pairs.ok ? readCallQuery(pairs.value, of) : pairs);
};
const standard = (text: string, alts?: readonly Alt[]): unknown => {
  const pairs = parseQuery(text);
  return told(pairs.ok ? readStandardParameters(pairs.value, alts) : pairs);
};

const unknown = (name: string): string =>
  `400 INVALID_ARGUMENT invalid: Invalid JSON payload received. Unknown name "${name}": ` +
  `Cannot bind query parameter. Field '${name}' could not be found in request message.`;

describe('a text that says true or false', () => {
  test.each([
    ['True', true],
    ['true', true],
    ['TRUE', true],
    ['False', false],
    ['false', false],
  ])('is read from %s, as clients of other languages write it', (text, showDeleted) => {
    expect(read(`customer=my_customer&showDeleted=${text}`, users)).toEqual({ customer: 'my_customer', showDeleted });
  });
  test.each(['bogus', '1', '', 'truee', 'yes'])('is refused when it is %j', (text) => {
    expect(read(`customer=my_customer&showDeleted=${text}`, users)).toBe(
      `400 INVALID_ARGUMENT invalidParameter @showDeleted: Invalid value at 'showDeleted' (TYPE_BOOL), "${text}"`,
    );
  });
});

describe('the query of a call', () => {
  test.each([
    ['', {}],
    ['maxResults=10', { maxResults: 10 }],
    ['?maxResults=10&domain=example.com', { maxResults: 10, domain: 'example.com' }],
    ['max_results=10', { maxResults: 10 }],
    ['showDeleted=true', { showDeleted: true }],
    ['showDeleted=false', { showDeleted: false }],
    ['orderBy=givenName', { orderBy: 'givenName' }],
    ['checks=NONE&checks=1', { checks: ['NONE', 'DECREASE'] }],
    ['names=a', { names: ['a'] }],
    ['names=a&names=b&names=a', { names: ['a', 'b', 'a'] }],
    ['expires=9223372036854775807', { expires: '9223372036854775807' }],
    ['expires=007', { expires: '7' }],
    ['ratio=0.5', { ratio: 0.5 }],
    ['size=4294967295', { size: 4_294_967_295 }],
    ['since=2026-11-21T00:00:00Z', { since: '2026-11-21T00:00:00Z' }],
    ['query=name%3Aa*+b', { query: 'name:a* b' }],
    ['options.requestedPolicyVersion=3', { 'options.requestedPolicyVersion': 3 }],
    ['domain=', { domain: '' }],
  ])('%s', (text, query) => expect(read(text)).toEqual(query));

  test('the standard parameters of every method are not in it', () => {
    const all =
      '$.xgafv=1&strict=true&trace=token%3Aabc&userIp=10.0.0.1&userip=10.0.0.1&alt=json&%24alt=json&fields=a&key=k&prettyPrint=false&quotaUser=u&uploadType=&domain=d';
    expect(read(all)).toEqual({ domain: 'd' });
  });

  test('a range without an upper end says so by the largest number', () =>
    expect(read('maxResults=-5', withParameters({ maxResults: { in: 'query', type: 'integer', minimum: 1 } }))).toBe(
      "400 INVALID_ARGUMENT invalidParameter @maxResults: Invalid value '-5'. Values must be within the range: [1, 2147483647]",
    ));

  test('page sizes: 0 is the default and too much is cut by the engine, less than 0 is refused', () => {
    expect(read('maxResults=0')).toEqual({ maxResults: 0 });
    expect(read('maxResults=501')).toEqual({ maxResults: 501 });
    expect(read('maxResults=-1')).toBe(
      "400 INVALID_ARGUMENT invalidParameter @maxResults: Invalid value '-1'. Values must be within the range: [1, 500]",
    );
  });

  test.each([
    ['startIndex=0', "startIndex: Invalid value '0'. Values must be within the range: [1, 1000]"],
    ['startIndex=1001', "startIndex: Invalid value '1001'. Values must be within the range: [1, 1000]"],
    ['maxResults=ten', `maxResults: Invalid value at 'maxResults' (TYPE_INT32), "ten"`],
    ['maxResults=', `maxResults: Invalid value at 'maxResults' (TYPE_INT32), ""`],
    ['maxResults=1.5', `maxResults: Invalid value at 'maxResults' (TYPE_INT32), "1.5"`],
    ['maxResults=1e3', `maxResults: Invalid value at 'maxResults' (TYPE_INT32), "1e3"`],
    ['maxResults=NaN', `maxResults: Invalid value at 'maxResults' (TYPE_INT32), "NaN"`],
    ['maxResults=0x10', `maxResults: Invalid value at 'maxResults' (TYPE_INT32), "0x10"`],
    ['maxResults=2147483648', `maxResults: Invalid value at 'maxResults' (TYPE_INT32), "2147483648"`],
    ['size=-1', `size: Invalid value at 'size' (TYPE_UINT32), "-1"`],
    ['ratio=Infinity', `ratio: Invalid value at 'ratio' (TYPE_DOUBLE), "Infinity"`],
    ['ratio=1e999', `ratio: Invalid value at 'ratio' (TYPE_DOUBLE), "1e999"`],
    ['showDeleted=yes', `showDeleted: Invalid value at 'showDeleted' (TYPE_BOOL), "yes"`],
    ['showDeleted=', `showDeleted: Invalid value at 'showDeleted' (TYPE_BOOL), ""`],
    ['expires=1e3', `expires: Invalid value at 'expires' (TYPE_INT64), "1e3"`],
    ['expires=9223372036854775808', `expires: Invalid value at 'expires' (TYPE_INT64), "9223372036854775808"`],
    ['since=yesterday', `since: Invalid value at 'since' (type.googleapis.com/google.protobuf.Timestamp), "yesterday"`],
    ['orderBy=EMAIL', "orderBy: Invalid string value: 'EMAIL'. Allowed values: [email, givenName]"],
    ['orderBy=0', "orderBy: Invalid string value: '0'. Allowed values: [email, givenName]"],
    ['checks=2', "checks: Invalid string value: '2'. Allowed values: [NONE, DECREASE]"],
  ])('%s is refused', (text, rest) => expect(read(text)).toBe(`400 INVALID_ARGUMENT invalidParameter @${rest}`));

  test('a parameter that is no list is given once', () =>
    expect(read('domain=a&domain=b')).toBe(
      '400 INVALID_ARGUMENT invalid: Invalid JSON payload received. Unknown name "domain": ' +
        'Proto field is not repeating, cannot start list.',
    ));

  test.each(['bogus', 'userKey', 'Domain', 'domain[]', '__proto__', 'constructor', 'toString', ' domain'])(
    '%s is no parameter',
    (name) => expect(read(`${encodeURIComponent(name)}=1`)).toBe(unknown(name)),
  );

  test('says which required parameter is missing', () => {
    const needing = withParameters({ customer: { in: 'query', type: 'string', required: true } });
    const missing = '400 INVALID_ARGUMENT required @customer: Required parameter: customer';
    expect(read('', needing)).toBe(missing);
    expect(read('customer=', needing)).toBe(missing);
    expect(read('customer=my_customer', needing)).toEqual({ customer: 'my_customer' });
  });

  test('K9: values have at most 1,024 bytes, queries 20,000 characters', () => {
    expect(read(`domain=${'x'.repeat(1_024)}`)).toEqual({ domain: 'x'.repeat(1_024) });
    const refusal = '400 INVALID_ARGUMENT invalidParameter @domain: Invalid value for domain: it is too long';
    expect(read(`domain=${'x'.repeat(1_025)}`)).toBe(refusal);
    expect(read(`domain=${encodeURIComponent('é'.repeat(513))}`)).toBe(refusal);
    expect(read(`query=${'x'.repeat(20_000)}`)).toEqual({ query: 'x'.repeat(20_000) });
    expect(read(`query=${'x'.repeat(20_001)}`)).toContain('400 INVALID_ARGUMENT invalidParameter @query');
  });

  test('K9: a query string, its parameters and its lists have limits', () => {
    expect(read('x'.repeat(65_537))).toContain('The query of the request is too long');
    expect(read('a&'.repeat(2_001))).toContain('The query of the request is too long');
    expect(read('names=1&'.repeat(1_001))).toContain('400 INVALID_ARGUMENT invalidParameter @names: Too many values');
  });

  test.each(HOSTILE)('%j is a value like others, or refused; never a bug', (text) => {
    const answer = read(`domain=${encodeURIComponent(text)}`);
    expect(typeof answer === 'string' || (answer as { domain: string }).domain === text).toBe(true);
    expect(String(read(`${encodeURIComponent(text)}=1`)).startsWith('400 INVALID_ARGUMENT')).toBe(true);
  });

  test('any query string is read or refused', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, value) => {
        const answer = read(`${name}=${value}&maxResults=${value}`);
        expect(typeof answer === 'string' ? answer.slice(0, 4) : typeof answer).toMatch(/^(400 |object)$/);
      }),
    );
  });

  test('its lists and numbers stay as they were sent, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 50 }), { minLength: 1 }), fc.nat(), (names, n) => {
        const query = new URLSearchParams(names.map((name): [string, string] => ['names', name]));
        query.append('maxResults', String(n));
        expect(read(query.toString())).toEqual({ names, maxResults: n });
      }),
    );
  });
});

describe('path parameters', () => {
  const path = (values: Record<string, string>): unknown => told(readPathParameters(values, row));

  test('are texts, checked for digits where the row wants a number', () => {
    const values = { userKey: 'a/b%2Fc@example.com', codeId: '12', roleId: '9223372036854775807' };
    expect(path(values)).toEqual(values);
  });

  test.each([
    [{ userKey: '' }, 'userKey'],
    [{ userKey: 'x'.repeat(1_025) }, 'userKey'],
    [{ userKey: 'x'.repeat(10_000) }, 'userKey'],
    [{ userKey: '\ud800' }, 'userKey'],
    [{ codeId: 'twelve' }, 'codeId'],
    [{ codeId: '1e3' }, 'codeId'],
    [{ codeId: '99999999999' }, 'codeId'],
    [{ roleId: "1' OR '1'='1" }, 'roleId'],
    [{ roleId: '9223372036854775808' }, 'roleId'],
  ])('K9: %j is an invalid input', (values, name) =>
    expect(path(values)).toBe(`400 INVALID_ARGUMENT invalid @${name}: Invalid Input: ${name}`),
  );
});

describe('standard parameters', () => {
  const plain = { prettyPrint: true, enums: 'names' };

  test.each([
    ['', plain],
    ['key=AIza&alt=json', plain],
    ['alt=', plain],
    ['prettyPrint=false', { ...plain, prettyPrint: false }],
    ['%24prettyPrint=false', { ...plain, prettyPrint: false }],
    ['pp=0', { ...plain, prettyPrint: false }],
    ['prettyPrint=false&prettyPrint=true', plain],
    ['$alt=json;enum-encoding=int', { ...plain, enums: 'numbers' }],
    ['%24alt=json%3Benum-encoding%3Dint', { ...plain, enums: 'numbers' }],
    ['$alt=json;enum-encoding%3Dint&alt=json', plain],
    ['alt=JSON', plain],
    ['fields=a,b', { ...plain, fields: 'a,b' }],
    ['$fields=a.b', { ...plain, fields: 'a.b' }],
    ['quotaUser=u', { ...plain, quotaUser: 'u' }],
    [`quotaUser=${'u'.repeat(40)}`, { ...plain, quotaUser: 'u'.repeat(40) }],
    ['callback=&uploadType=', plain],
  ])('%s', (text, parameters) => expect(standard(text)).toEqual(parameters));

  test('alt=media is taken where the method has content', () => {
    const alts = ['json', 'media'] as const;
    expect(standard('alt=media', alts)).toEqual({ ...plain, media: true });
    expect(standard('alt=media&alt=json', alts)).toEqual(plain);
    expect(standard('alt=proto', alts)).toContain("alt: Invalid value 'proto'. Allowed values: [json, media]");
  });

  test.each([
    ['alt=media', "alt: Invalid value 'media'. Allowed values: [json]"],
    ['alt=proto', "alt: Invalid value 'proto'. Allowed values: [json]"],
    ['$alt=sse', "alt: Invalid value 'sse'. Allowed values: [json]"],
    ['prettyPrint=maybe', `prettyPrint: Invalid value at 'prettyPrint' (TYPE_BOOL), "maybe"`],
    ['uploadType=media', "uploadType: The parameter 'uploadType' is not supported by this method."],
    ['upload_protocol=raw', "upload_protocol: The parameter 'upload_protocol' is not supported by this method."],
    [`quotaUser=${'u'.repeat(41)}`, 'quotaUser: quotaUser has more than 40 characters.'],
    ['callback=alert', "callback: The parameter 'callback' is not supported by this method."],
    ['%24callback=alert', "$callback: The parameter '$callback' is not supported by this method."],
  ])('%s is refused', (text, rest) => expect(standard(text)).toBe(`400 INVALID_ARGUMENT invalidParameter @${rest}`));

  test.each(['access_token', 'oauth_token'])('K5: %s in the query is 401, and its value is not repeated', (name) => {
    const answer = String(standard(`${name}=ya29.secret`));
    expect(answer).toContain('401 UNAUTHENTICATED required @Authorization: Login Required');
    expect(answer).not.toContain('secret');
    expect(standard(`${name}=`)).toContain('401');
    expect(standard(`alt=media&${name.replace('_', '%5F')}=x`)).toContain('401');
  });

  test('how an error is written is known even where the parameters are refused', () => {
    const look = (text: string): unknown => {
      const pairs = parseQuery(text);
      return pairs.ok && readErrorFormat(pairs.value);
    };
    expect(look('alt=media')).toEqual({ prettyPrint: true });
    expect(look('prettyPrint=maybe&$.xgafv=3')).toEqual({ prettyPrint: true });
    expect(look('prettyPrint=false&%24.xgafv=2')).toEqual({ prettyPrint: false, xgafv: '2' });
    expect(look('$.xgafv=2&$.xgafv=1')).toEqual({ prettyPrint: true, xgafv: '1' });
  });
});
