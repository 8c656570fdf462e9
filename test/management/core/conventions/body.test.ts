import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCallBody } from '../../../../src/management/core/conventions/body.ts';
import { withIntEnums } from '../../../../src/management/core/conventions/enum-numbers.ts';
import type { Schemas } from '../../../../src/management/core/table/method-row.ts';
import type { Json, JsonObject } from '../../../../src/lib/json.ts';
import { HOSTILE, rowOf, schemas, told } from './table.ts';

const row = rowOf({ httpMethod: 'POST' });
const readText = (content: string | Uint8Array, contentType?: string): unknown =>
  told(readCallBody({ content, contentType }, row, schemas));
const read = (body: unknown): unknown => readText(JSON.stringify(body));

const PREFIX = '400 INVALID_ARGUMENT invalid: ';
const UNKNOWN = `${PREFIX}Invalid JSON payload received. Unknown name `;

describe('a body', () => {
  test.each([
    [{ primaryEmail: 'a@example.com', suspended: true, age: 41, score: 0.5 }],
    [{ name: { givenName: 'A', familyName: 'B' }, aliases: [], addresses: [{ geo: { lat: 1, lon: -1.5 } }] }],
    [{ labels: { 'k8s.io/x': 'y', '': 'z' }, lines: { '-1': { state: 'ENABLED', cpmMicros: '10000' } } }],
    [{ emails: [{ address: 'x', custom: { deep: [1, null, true] } }] }],
    [{ emails: null, name: null, aliases: null, labels: { gone: null }, age: null }],
    [{ id: '12', manager: { manager: { primaryEmail: 'c@example.com' } } }],
    [{ createTime: '2026-11-21T10:00:00.123456789Z', birthday: '2024-02-29', ttl: '2.5s' }],
    [{ ttl: '-315576000000.999999999s' }],
    [{ createTime: '2026-11-21T10:00:00+02:00' }],
    [{ photoData: 'AAEC_-8*' }],
    [{ photoData: 'AAEC/+8=' }],
    [{ photoData: 'AAECAw' }],
    [{ photoData: '' }],
    [{ delivery_settings: 'DAILY' }],
    [{ severity: 'ERROR', role: 'OWNER' }],
    [{ labels: { constructor: 'a', toString: 'b', hasOwnProperty: 'c' } }],
  ])('%j stays as it is', (body) => expect(read(body)).toEqual(body));

  test.each([
    [{ quota: 5 }, { quota: '5' }],
    [{ quota: '0042' }, { quota: '42' }],
    [{ quota: -9_007_199_254_740_991 }, { quota: '-9007199254740991' }],
    [{ quota: '-9223372036854775808' }, { quota: '-9223372036854775808' }],
    [{ mass: '18446744073709551615' }, { mass: '18446744073709551615' }],
    [{ age: '41' }, { age: 41 }],
    [{ score: '1.5e3' }, { score: 1_500 }],
    [{ suspended: 'true' }, { suspended: true }],
    [{ severity: 500 }, { severity: 'ERROR' }],
    [{ severity: 0 }, { severity: 'DEFAULT' }],
    [{ primary_email: 'a@example.com' }, { primaryEmail: 'a@example.com' }],
    [
      { name: { given_name: 'A' }, photo_data: 'AAEC' },
      { name: { givenName: 'A' }, photoData: 'AAEC' },
    ],
  ])('%j becomes %j', (body, read_) => expect(read(body)).toEqual(read_));

  test.each(['', ' \n', '{}', '\uFEFF', '\uFEFF{}'])('%j is an empty one', (text) =>
    expect(readText(new TextEncoder().encode(text))).toEqual({}),
  );

  test.each([undefined, '', 'application/json', 'Application/JSON; charset=utf-8', 'application/merge-patch+json'])(
    'may be of type %j',
    (type) => expect(readText('{"age":1}', type)).toEqual({ age: 1 }),
  );

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/mixed; boundary=a', 'application/jsonp'])(
    'may not be of type %j, but when it is empty',
    (type) => {
      expect(readText('{"age":1}', type)).toContain('400 INVALID_ARGUMENT parseError: Invalid JSON payload received.');
      expect(readText('', type)).toEqual({});
    },
  );
});

describe('unknown names', () => {
  test.each([
    [{ bogus: 1 }, `${UNKNOWN}"bogus": Cannot find field.`],
    [{ name: { bogus: 1 } }, `${UNKNOWN}"bogus" at 'name': Cannot find field.`],
    [{ addresses: [{}, { geo: { z: 1 } }] }, `${UNKNOWN}"z" at 'addresses[1].geo': Cannot find field.`],
    [{ lines: { '-1': { bogus: 1 } } }, `${UNKNOWN}"bogus" at 'lines["-1"]': Cannot find field.`],
    [{ PrimaryEmail: 'a' }, `${UNKNOWN}"PrimaryEmail": Cannot find field.`],
    [{ deliverySettings: 'a' }, `${UNKNOWN}"deliverySettings": Cannot find field.`],
    [{ constructor: 1 }, `${UNKNOWN}"constructor": Cannot find field.`],
    [{ name: { toString: 1 } }, `${UNKNOWN}"toString" at 'name': Cannot find field.`],
    [{ '': 1 }, `${UNKNOWN}"": Cannot find field.`],
    [{ primaryEmail: 'a', primary_email: 'b' }, `${UNKNOWN}"primary_email": The name is given twice.`],
  ])('%j', (body, refusal) => expect(read(body)).toBe(refusal));

  test('are told together, in the message and in the details', () => {
    const outcome = readCallBody({ content: '{"x":1,"name":{"y":2},"age":"old"}' }, row, schemas);
    expect(outcome.ok || outcome.refusal).toMatchObject({
      status: 400,
      message: [
        'Invalid JSON payload received. Unknown name "x": Cannot find field.',
        `Invalid JSON payload received. Unknown name "y" at 'name': Cannot find field.`,
        `Invalid value at 'age' (TYPE_INT32), "old"`,
      ].join('\n'),
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: [
            { description: 'Invalid JSON payload received. Unknown name "x": Cannot find field.' },
            {
              field: 'name',
              description: `Invalid JSON payload received. Unknown name "y" at 'name': Cannot find field.`,
            },
            { field: 'age', description: `Invalid value at 'age' (TYPE_INT32), "old"` },
          ],
        },
      ],
    });
  });

  test('are told twenty at most, and cut', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${'x'.repeat(1_000)}${index}`, 1]));
    const answer = String(read(many));
    expect(answer.split('\n')).toHaveLength(20);
    expect(answer.length).toBeLessThan(6_000);
  });

  test('are all names where a method takes no body', () => {
    const { request: _none, ...bodiless } = row;
    expect(told(readCallBody({ content: '' }, bodiless, schemas))).toEqual({});
    expect(told(readCallBody({ content: '{}' }, bodiless, schemas))).toEqual({});
    expect(told(readCallBody({ content: '{"a":1}' }, bodiless, schemas))).toBe(`${UNKNOWN}"a": Cannot find field.`);
  });
});

describe('wrong values', () => {
  test.each([
    [{ primaryEmail: 1 }, `'primaryEmail' (TYPE_STRING), 1`],
    [{ primaryEmail: true }, `'primaryEmail' (TYPE_STRING), true`],
    [{ primaryEmail: {} }, `'primaryEmail' (TYPE_STRING), Starting an object on a scalar field`],
    [{ primaryEmail: ['a'] }, `'primaryEmail' (TYPE_STRING), Starting a list on a scalar field`],
    [{ primaryEmail: '\ud800' }, `'primaryEmail' (TYPE_STRING), "\\ud800"`],
    [{ name: 'A' }, `'name' (type.googleapis.com/UserName), "A"`],
    [{ labels: 'A' }, `'labels' (type.googleapis.com/Struct), "A"`],
    [{ labels: { a: 1 } }, `'labels["a"]' (TYPE_STRING), 1`],
    [{ aliases: 'a' }, `'aliases' (a list), "a"`],
    [{ aliases: ['a', 2] }, `'aliases[1]' (TYPE_STRING), 2`],
    [{ aliases: [null] }, `'aliases[0]' (no null in lists), null`],
    [{ suspended: 1 }, `'suspended' (TYPE_BOOL), 1`],
    [{ suspended: 'yes' }, `'suspended' (TYPE_BOOL), "yes"`],
    [{ age: 1.5 }, `'age' (TYPE_INT32), 1.5`],
    [{ age: 2_147_483_648 }, `'age' (TYPE_INT32), 2147483648`],
    [{ age: '' }, `'age' (TYPE_INT32), ""`],
    [{ score: 'NaN' }, `'score' (TYPE_DOUBLE, finite here), "NaN"`],
    [{ score: '-Infinity' }, `'score' (TYPE_DOUBLE, finite here), "-Infinity"`],
    [{ quota: 'many' }, `'quota' (TYPE_INT64), "many"`],
    [{ quota: 1.5 }, `'quota' (TYPE_INT64), 1.5`],
    [{ quota: '9223372036854775808' }, `'quota' (TYPE_INT64), "9223372036854775808"`],
    [{ quota: '1'.repeat(21) }, `'quota' (TYPE_INT64), "${'1'.repeat(21)}"`],
    [{ mass: '-1' }, `'mass' (TYPE_UINT64), "-1"`],
    [{ severity: 'WARN' }, `'severity' (TYPE_ENUM), "WARN"`],
    [{ severity: 1 }, `'severity' (TYPE_ENUM), 1`],
    [{ role: 1 }, `'role' (TYPE_ENUM), 1`],
    [{ role: 'owner' }, `'role' (TYPE_ENUM), "owner"`],
    [{ createTime: '2026-11-21' }, `'createTime' (type.googleapis.com/google.protobuf.Timestamp), "2026-11-21"`],
    [
      { createTime: '2026-02-30T00:00:00Z' },
      `'createTime' (type.googleapis.com/google.protobuf.Timestamp), "2026-02-30T00:00:00Z"`,
    ],
    [
      { createTime: '2026-11-21T25:00:00Z' },
      `'createTime' (type.googleapis.com/google.protobuf.Timestamp), "2026-11-21T25:00:00Z"`,
    ],
    [{ birthday: '2026-02-29' }, `'birthday' (TYPE_STRING), "2026-02-29"`],
    [{ ttl: '2h' }, `'ttl' (type.googleapis.com/google.protobuf.Duration), "2h"`],
    [{ ttl: '315576000001s' }, `'ttl' (type.googleapis.com/google.protobuf.Duration), "315576000001s"`],
    [{ photoData: 'A' }, `'photoData' (TYPE_BYTES), "A"`],
    [{ photoData: 'AA=' }, `'photoData' (TYPE_BYTES), "AA="`],
    [{ photoData: 'not base64!' }, `'photoData' (TYPE_BYTES), "not base64!"`],
    [{ emails: ['\ud800'] }, `'emails' (TYPE_STRING), half of a surrogate pair`],
  ])('%j', (body, rest) => expect(read(body)).toBe(`${PREFIX}Invalid value at ${rest}`));

  test('a number that JSON cannot hold exactly is no int64: it would be stored as another one', () =>
    expect(readText('{"quota":9007199254740993}')).toBe(
      `${PREFIX}Invalid value at 'quota' (TYPE_INT64), 9007199254740992`,
    ));

  test('a list where one message belongs', () =>
    expect(read({ name: [] })).toBe(`${UNKNOWN}"name": Proto field is not repeating, cannot start list.`));

  test('1e400 is no number', () => expect(readText('{"score":1e400}')).toContain("Invalid value at 'score'"));
});

describe('what is no body', () => {
  const syntax = '400 INVALID_ARGUMENT parseError: Invalid JSON payload received. Unexpected token.';

  test.each(['{', '}', '{a:1}', "{'age':1}", '{"age":1,}', '{"age":1}x', 'NaN', '{"age":NaN}', '\u0000', '{"a'])(
    '%j does not parse',
    (text) => expect(readText(text)).toBe(syntax),
  );

  test.each(['[]', '[{"age":1}]', '1', '"text"', 'null', 'true'])('%s is no object', (text) =>
    expect(readText(text)).toBe(`${UNKNOWN}"": Root element must be a message.`),
  );

  test('bytes that are no UTF-8', () =>
    expect(readText(new Uint8Array([123, 34, 0xff, 34, 125]))).toBe(
      '400 INVALID_ARGUMENT parseError: Invalid JSON payload received. Encountered non UTF-8 code points.',
    ));

  test('more than 32 objects and lists within each other, in fields that take anything too', () => {
    const nested = (depth: number): string => `{"emails":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(readText(nested(31))).toHaveProperty('emails');
    const refusal = /nested more than 32 levels deep/;
    expect(readText(nested(32))).toMatch(refusal);
    expect(readText('{"manager":'.repeat(100_000))).toMatch(refusal);
    expect(readText('['.repeat(1_000_000))).toMatch(refusal);
    expect(readText(`{"primaryEmail":"${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}"}`)).toHaveProperty('primaryEmail');
  });

  test.each([
    ['{"age":1,"age":2}', 'age'],
    ['{"age":1,"\\u0061ge":2}', 'age'],
    ['{"name":{"givenName":"A","givenName":"B"}}', 'givenName'],
    ['{"emails":[{"a":1,"a":2}]}', 'a'],
  ])('%s: a name twice', (text, name) => expect(readText(text)).toBe(`${UNKNOWN}"${name}": The name is given twice.`));

  test('the same name in two objects is no name twice, and a value is no name', () =>
    expect(readText('{"emails":[{"a":"a"},{"a":["a","a"]}],"labels":{"a":"a"}}')).toHaveProperty('emails'));

  test.each([
    '{"__proto__":{"admin":true}}',
    '{"\\u005f_proto__":1}',
    '{"labels":{"__proto__":"x"}}',
    '{"emails":[{"__proto__":{"admin":true}}]}',
    '{"lines":{"__proto__":{"state":"ENABLED"}}}',
  ])('%s: the prototype cannot be named', (text) => {
    expect(readText(text)).toBe(`${UNKNOWN}"__proto__": Cannot find field.`);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  test('more than 4 MiB', () => {
    const refusal = '413 INVALID_ARGUMENT uploadTooLarge: Request payload size exceeds the limit: 4194304 bytes.';
    expect(readText(' '.repeat(4_194_305))).toBe(refusal);
    expect(readText(new Uint8Array(4_194_305))).toBe(refusal);
    expect(readText('é'.repeat(2_097_153))).toBe(refusal);
    expect(readText(' '.repeat(4_194_304))).toEqual({});
  });

  test.each(HOSTILE)('%j as text, as a field and as a value', (text) => {
    expect(text === '\uFEFF' || String(readText(text)).startsWith('400 INVALID_ARGUMENT')).toBe(true);
    expect(String(read({ [`x${text}`]: 1 }))).toContain('400 INVALID_ARGUMENT');
    expect(read({ primaryEmail: text, labels: { k: text } })).toEqual({ primaryEmail: text, labels: { k: text } });
  });

  test('any JSON value is read or refused, never a bug', () => {
    const field = fc.constantFrom(...Object.keys(schemas['User'] ?? {}));
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (body) => {
        const answer = read(body);
        expect(typeof answer === 'string' ? answer.slice(0, 4) : typeof answer).toMatch(/^(400 |object)$/);
      }),
    );
  });

  test('any text is read or refused as JSON.parse reads or refuses it, but for duplicates and depth', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat({ max: 3 }), (text, cut) => {
        const answer = readText(`{"emails":${text.slice(0, text.length - cut)}}`);
        const parse = (): unknown => JSON.parse(`{"emails":${text.slice(0, text.length - cut)}}`);
        if (typeof answer !== 'string') expect(answer).toEqual(parse());
        else if (answer.includes('Unexpected token')) expect(parse).toThrow(SyntaxError);
      }),
    );
  });
});

describe('enums as numbers', () => {
  test('wherever the numbers are known', () => {
    const user = {
      severity: 'ERROR',
      role: 'OWNER',
      lines: { a: { state: 'ENABLED' } },
      manager: { severity: 'DEFAULT' },
      labels: { severity: 'ERROR' },
      primaryEmail: 'ERROR',
      emails: [{ severity: 'ERROR' }],
      unheard: 'ERROR',
    };
    expect(withIntEnums({ kind: 'k', users: [user, { severity: 'NEW' }] }, 'Users', schemas)).toEqual({
      kind: 'k',
      users: [{ ...user, severity: 500, manager: { severity: 0 } }, { severity: 'NEW' }],
    });
    expect(withIntEnums({ severity: 'ERROR' }, 'Nothing', schemas)).toEqual({ severity: 'ERROR' });
  });

  test('in what an operation made, which its @type names, and nowhere else', () => {
    const operation: Schemas = { ...schemas, Operation: { response: { type: 'object', values: { type: 'any' } } } };
    const bodyOf = (type: string, severity: Json): JsonObject => ({
      response: { '@type': `type.googleapis.com/google.${type}`, severity },
    });
    const shown = (type: string): JsonObject => withIntEnums(bodyOf(type, 'ERROR'), 'Operation', operation);
    expect(shown('users.User')).toEqual(bodyOf('users.User', 500));
    for (const type of ['users.Unknown', 'users.constructor', '__proto__'])
      expect(shown(type)).toEqual(bodyOf(type, 'ERROR'));
    const labels = { '@type': 'type.googleapis.com/google.users.User', severity: 'ERROR' };
    expect(withIntEnums({ labels, emails: labels }, 'User', schemas)).toEqual({ labels, emails: labels });
  });
});
