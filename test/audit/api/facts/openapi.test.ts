import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { issueDetail, MAX_ISSUES } from '../../../../src/audit/structured-data/facts/json-document.ts';
import {
  type OpenApi,
  type OpenApiReading,
  listPaymentPaths,
  readOpenApi,
} from '../../../../src/audit/api/facts/openapi.ts';
import { MAX_OPENAPI_OPERATIONS } from '../../../../src/audit/api/facts/openapi-operations.ts';
import { YAML_DOCUMENT_LIMITS, parseJsonOrYaml } from '../../../../src/audit/api/facts/yaml-document.ts';
import { budgetFor } from '../../../support/runner/budget.ts';

const URL_OF = 'https://acme.example/docs/openapi.json';
const INFO = { title: 'A', version: '1' };

function document(value: unknown): OpenApi {
  const reading = readOpenApi(typeof value === 'string' ? value : JSON.stringify(value), URL_OF);
  if (!reading.ok) throw new Error(reading.message);
  return reading.document;
}

const issues = (value: unknown): readonly string[] =>
  document(value).issues.map((issue) => `${issue.pointer} ${issueDetail(issue)}`);
const v31 = (members: object): object => ({ openapi: '3.1.0', info: INFO, paths: {}, ...members });
const responses = { responses: { 200: { description: 'ok' } } };

describe('structure', () => {
  test.each<[string, object]>([
    ['an empty 3.0', { openapi: '3.0.4', info: INFO, paths: {} }],
    ['a 3.1 with nothing but webhooks', { openapi: '3.1.1', info: INFO, webhooks: { a: { post: {} } } }],
    ['a 3.2 with components only', { openapi: '3.2.0', info: INFO, components: {} }],
    ['a Swagger 2.0', { swagger: '2.0', info: INFO, paths: { '/a': { get: responses } } }],
    [
      'a path parameter of the path item',
      v31({ paths: { '/{a}': { parameters: [{ name: 'a', in: 'path', required: true }], get: {} } } }),
    ],
    [
      'a path parameter by reference',
      v31({
        paths: { '/{a}': { get: { parameters: [{ $ref: '#/components/parameters/A' }] } } },
        components: { parameters: { A: { name: 'a', in: 'path', required: true } } },
      }),
    ],
    [
      'a parameter of another document is not judged',
      v31({ paths: { '/{a}': { get: { parameters: [{ $ref: 'p.yaml' }] } } } }),
    ],
    [
      'escaped and encoded pointers',
      v31({
        components: {
          schemas: {
            'a/b': {},
            'c d': {},
            e: { anyOf: [{ $ref: '#/components/schemas/a~1b' }, { $ref: '#/components/schemas/c%20d' }] },
          },
        },
      }),
    ],
    ['a reference to an anchor', v31({ components: { schemas: { a: { $anchor: 'x' }, b: { $ref: '#x' } } } })],
    [
      'a schema that refers to itself',
      v31({ components: { schemas: { a: { properties: { child: { $ref: '#/components/schemas/a' } } } } } }),
    ],
    [
      'references that go in a circle',
      v31({
        components: { schemas: { a: { $ref: '#/components/schemas/b' }, b: { $ref: '#/components/schemas/a' } } },
      }),
    ],
    ['a $ref inside an example is data', v31({ components: { schemas: { a: { example: { $ref: '#/nowhere' } } } } })],
    ['extensions are not judged', v31({ 'x-a': { $ref: '#/nowhere' } })],
    [
      'a schema with an id of its own',
      v31({ components: { schemas: { a: { $id: 'https://a.example/s', properties: { b: { $ref: '#/$defs/b' } } } } } }),
    ],
  ])('%s has no fault', (_name, value) => {
    expect(issues(value)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['no info', { openapi: '3.1.0', paths: {} }, '/info is missing'],
    [
      'a version that is a number',
      { openapi: '3.1.0', info: { title: 'A', version: 1 }, paths: {} },
      '/info/version must be a string',
    ],
    ['a 3.0 without paths', { openapi: '3.0.0', info: INFO }, '/paths is missing'],
    ['a 3.1 with nothing', { openapi: '3.1.0', info: INFO }, ' has none of paths, webhooks and components'],
    ['paths that are a list', v31({ paths: [] }), '/paths must be an object'],
    ['a path without a slash', v31({ paths: { a: {} } }), '/paths/a must begin with a slash'],
    [
      'a 3.0 operation without responses',
      { openapi: '3.0.0', info: INFO, paths: { '/a': { get: {} } } },
      '/paths/~1a/get/responses is missing',
    ],
    [
      'a repeated operation id',
      v31({ paths: { '/a': { get: { operationId: 'x' } }, '/b': { get: { operationId: 'x' } } } }),
      '/paths/~1b/get/operationId repeats the id of another operation: /paths/~1a/get',
    ],
    [
      'an undeclared parameter',
      v31({ paths: { '/{a}': { get: {} } } }),
      '/paths/~1{a}/get a path parameter is not declared: a',
    ],
    [
      'a parameter the path does not have',
      v31({ paths: { '/a': { get: { parameters: [{ name: 'b', in: 'path', required: true }] } } } }),
      '/paths/~1a/get a declared path parameter is not in the path: b',
    ],
    [
      'an optional path parameter',
      v31({ paths: { '/{a}': { get: { parameters: [{ name: 'a', in: 'path' }] } } } }),
      '/paths/~1{a}/get a path parameter must be required: a',
    ],
    [
      'a dangling reference',
      v31({ components: { schemas: { a: { $ref: '#/b' } } } }),
      '/components/schemas/a/$ref leads nowhere: #/b',
    ],
    [
      'a dangling anchor',
      v31({ components: { schemas: { a: { $ref: '#b' } } } }),
      '/components/schemas/a/$ref leads nowhere: #b',
    ],
    [
      'a dangling reference in a property called example',
      v31({ components: { schemas: { a: { properties: { example: { $ref: '#/b' } } } } } }),
      '/components/schemas/a/properties/example/$ref leads nowhere: #/b',
    ],
  ])('%s is a fault', (_name, value, expected) => {
    expect(issues(value)).toContain(expected);
  });

  test('a name of the prototype is no member', () => {
    expect(issues(v31({ components: { schemas: { a: { $ref: '#/constructor/name' } } } }))).toHaveLength(1);
  });

  test.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['a version that is a number', '{"swagger":2.0}'],
    ['OpenAPI 2', '{"openapi":"2.0.0"}'],
    ['Swagger 1.2', '{"swagger":"1.2"}'],
    ['plain words', 'hello'],
  ])('%s is no OpenAPI document', (_name, text) => {
    expect(readOpenApi(text, URL_OF)).toMatchObject({ ok: false, reason: 'no_version' });
  });
});

test.each<[string, object, readonly string[]]>([
  ['none', {}, ['https://acme.example/']],
  ['a relative one', { servers: [{ url: '../v1' }] }, ['https://acme.example/v1']],
  [
    'variables',
    { servers: [{ url: 'https://{h}.example/{b}', variables: { h: { default: 'api' }, b: { default: 'v2' } } }] },
    ['https://api.example/v2'],
  ],
  ['one that is no URL', { servers: [{ url: 'https://' }, { url: 'https://b.example' }] }, ['https://b.example/']],
])('servers: %s', (_name, members, expected) => {
  expect(document(v31(members)).servers).toEqual(expected);
});

test('the base of Swagger 2.0 is made of schemes, host and basePath', () => {
  expect(
    document({
      swagger: '2.0',
      info: INFO,
      paths: {},
      schemes: ['http', 'https'],
      host: 'api.example',
      basePath: '/v1',
    }).servers,
  ).toEqual(['https://api.example/v1']);
});

describe('paid paths', () => {
  const pay = { responses: { 402: { description: 'pay' } } };
  const paths = {
    '/b': { post: pay },
    '/c/{id}': { get: pay },
    '/a': { get: pay },
    '/free': { get: responses },
    '/d': { get: { 'x-payment-info': {} } },
  };
  const of = (members: object, limit = 9): readonly string[] =>
    listPaymentPaths(document(v31({ paths, ...members })), 'https://acme.example', limit).map(({ url }) => url);

  test('are those that document a 402 or a price, GET first, without templates', () => {
    expect(of({})).toEqual(['https://acme.example/a', 'https://acme.example/d', 'https://acme.example/b']);
    expect(of({}, 1)).toEqual(['https://acme.example/a']);
  });

  test('of another origin are never asked', () => {
    expect(of({ servers: [{ url: 'https://victim.example/' }] })).toEqual([]);
    expect(
      of({ paths: { '//victim.example/x': { get: pay }, '/\\victim.example': { get: pay } } }).every(
        (url) => new URL(url).origin === 'https://acme.example',
      ),
    ).toBe(true);
  });
});

/** What every reading keeps to, whatever the document. */
function holds(reading: OpenApiReading): void {
  if (!reading.ok) return;
  expect(reading.document.issues.length).toBeLessThanOrEqual(MAX_ISSUES);
  for (const { pointer, message } of reading.document.issues)
    expect(pointer.length + message.length).toBeLessThanOrEqual(600);
  expect(reading.document.operations.length).toBeLessThanOrEqual(MAX_OPENAPI_OPERATIONS);
  expect(listPaymentPaths(reading.document, 'https://acme.example', 2).length).toBeLessThanOrEqual(2);
}

describe('YAML', () => {
  test('reads anchors, merges and block text', () => {
    const parsed = parseJsonOrYaml('a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3\nc: |\n  text\n');
    expect(parsed).toEqual({ ok: true, format: 'yaml', value: { a: { x: 1, y: 2 }, b: { x: 1, y: 3 }, c: 'text\n' } });
  });

  test('a key called __proto__ stays data', () => {
    const parsed = parseJsonOrYaml('__proto__: {polluted: true}\n');
    expect(parsed.ok && Object.hasOwn(parsed.value as object, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  const laughs = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...Array.from(
      'bcdefghij',
      (letter, at) =>
        `${letter}: &${letter} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[at] ?? ''}`).join(', ')}]`,
    ),
  ].join('\n');
  const bomb = (unit: string, chars: number = YAML_DOCUMENT_LIMITS.yamlChars): string =>
    unit.repeat(Math.floor(chars / unit.length));

  test('aliases share what they name, so a billion laughs cost nothing', () => {
    const parsed = parseJsonOrYaml(laughs);
    expect(parsed).toMatchObject({ ok: true });
    expect(
      readOpenApi(
        `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {}\nx:\n  ${laughs.replaceAll('\n', '\n  ')}`,
        URL_OF,
      ),
    ).toMatchObject({ ok: true });
  });

  test.each([
    [
      'more aliases than allowed',
      `a: &a x\nb: [${'*a,'.repeat(YAML_DOCUMENT_LIMITS.aliases + 1)}]`,
      'too_many_aliases',
    ],
    ['an alias inside its own anchor', 'a: &a [*a]', 'not_yaml'],
    ['an alias without an anchor', 'a: *b', 'not_yaml'],
    ['a map as a key', '? {a: 1}\n: 2', 'not_yaml'],
    ['deep nesting', `a: ${'['.repeat(500)}${']'.repeat(500)}`, 'too_deep'],
    [
      'one large map merged again and again',
      `a: &a {${Array.from({ length: 15_000 }, (_, at) => `k${at}: 1`).join(', ')}}\nb: {<<: [${'*a,'.repeat(90)}]}`,
      'too_many_nodes',
    ],
    ['a text beyond the limit', `a: ${bomb('x', YAML_DOCUMENT_LIMITS.yamlChars + 9)}`, 'too_large'],
    ['more tokens than allowed', 'a: 1\n'.repeat(YAML_DOCUMENT_LIMITS.yamlTokens / 4), 'too_many_tokens'],
    ['a broken quote', 'a: "b', 'not_yaml'],
  ])('%s is refused', (_name, text, reason) => {
    expect(parseJsonOrYaml(text)).toMatchObject({ ok: false, reason });
  });

  test.each(['? ', '- ', 'a: [', '&a x\n', '- &a x\n- *a\n', 'a: b\n', '"', '!x ', '{a: ', '%A\n'])(
    '%j up to the limit of size ends with an answer',
    (unit) => {
      expect(parseJsonOrYaml(bomb(unit, 50_000))).toHaveProperty('ok');
    },
  );

  test('JSON nested without end is read and refused as no OpenAPI', () => {
    expect(readOpenApi('['.repeat(100_000) + ']'.repeat(100_000), URL_OF)).toMatchObject({ ok: false });
    const deep = `{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{},"x":${'{"a":'.repeat(20_000)}{"$ref":"#/b"}${'}'.repeat(20_001)}`;
    holds(readOpenApi(deep, URL_OF));
  });
});

describe('any document', () => {
  const key = fc.constantFrom(
    'openapi',
    'paths',
    '/a/{b}',
    'get',
    'parameters',
    '$ref',
    'responses',
    '402',
    'servers',
    'url',
    'variables',
    'components',
    'schemas',
    '$id',
    '__proto__',
    'webhooks',
    'info',
  );
  const leaf = fc.oneof(
    fc.constantFrom('#/paths', '#', '#/%', '3.1.0', 'https://a', '{x}'),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(key, tie('node'), { maxKeys: 5 }),
    ),
  }));

  test('never throws, and is bounded', () => {
    fc.assert(
      fc.property(fc.dictionary(key, node), (value) => {
        holds(readOpenApi(JSON.stringify({ ...value, openapi: '3.1.0' }), URL_OF));
        holds(readOpenApi(JSON.stringify({ ...value, swagger: '2.0' }), URL_OF));
      }),
      { numRuns: budgetFor(60, 300) },
    );
  });

  test('as YAML text never throws', () => {
    const unit = fc.constantFrom(
      'openapi: 3.1.0\n',
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '? ',
      '&a ',
      '*a',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '|\n',
      '#',
      '<<',
      '!x',
      '%',
      '---\n',
      '\t',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), (text) => holds(readOpenApi(text, URL_OF))),
      { numRuns: budgetFor(100, 500) },
    );
  });

  test('with a very long list is walked', () => {
    const list = Array.from({ length: 250_000 }, () => ({ $ref: '#/nowhere' }));
    holds(readOpenApi(JSON.stringify(v31({ tags: list })), URL_OF));
  });

  test('with more operations than the limit is cut', () => {
    const paths = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`/a${at}`, { get: {}, put: {} }]));
    expect(document(v31({ paths })).operations).toHaveLength(MAX_OPENAPI_OPERATIONS);
  });
});
