import { describe, expect, test } from 'vitest';
import { deprecatedThings } from '../../src/openapi/deprecations/deprecations-data.ts';
import {
  type DeprecatedThing,
  findDeprecated,
  formatDeprecationHeaders,
  hasNotice,
  markDeprecated,
} from '../../src/openapi/deprecations/deprecations.ts';

const route: DeprecatedThing = {
  method: 'GET',
  path: '/reports/{id}.json',
  since: '2026-01-15',
  why: 'x',
  instead: 'y',
};
const parameter: DeprecatedThing = { ...route, parameter: 'print', since: '2026-02-01', sunset: '2026-12-01' };
const member: DeprecatedThing = { ...route, member: 'old' };
const things = [route, parameter, member];

const find = (method: string, path: string, ...sent: string[]) =>
  findDeprecated(things, { method, path, hasParameter: (name) => sent.includes(name) });

describe('what of the table a request uses', () => {
  test.each([
    ['GET', '/reports/abc.json', [], [route]],
    ['HEAD', '/reports/abc.json', [], [route]],
    ['GET', '/reports/abc.json', ['print'], [route, parameter]],
    ['POST', '/reports/abc.json', [], []],
    ['GET', '/reports/.json', [], []],
    ['GET', '/reports/abc.md', [], []],
    ['GET', '/reports/abc.json/x', [], []],
    ['GET', '/reports', [], []],
  ])('%s %s with %j', (method, path, sent, used) => {
    expect(find(method, path, ...sent)).toEqual(used);
  });
});

describe('the headers', () => {
  test('say when it was announced, when it goes first, and where to read on', () => {
    expect(formatDeprecationHeaders([route, parameter], 'https://a.example')).toEqual({
      deprecation: '@1768435200',
      sunset: 'Tue, 01 Dec 2026 00:00:00 GMT',
      link: '<https://a.example/docs/reference/deprecations>; rel="deprecation"; type="text/html"',
    });
  });

  test('name no end that is not fixed, and are absent where nothing is deprecated', () => {
    expect(formatDeprecationHeaders([route], 'https://a.example')).not.toHaveProperty('sunset');
    expect(formatDeprecationHeaders([], 'https://a.example')).toBeUndefined();
  });
});

test('the OpenAPI document marks operations, parameters, and members of bodies and answers', () => {
  const schema = () => ({ properties: { old: { type: 'string' }, other: { type: 'string' } } });
  const paths = {
    '/reports/{id}.json': {
      get: {
        parameters: [{ name: 'id' }, { name: 'print' }],
        requestBody: { content: { 'application/json': { schema: schema() } } },
        responses: { 200: { content: { 'application/json': { schema: schema() } } }, 404: { description: 'none' } },
      },
      post: { parameters: [{ name: 'print' }] },
    },
  };
  const before = structuredClone(paths);
  expect(markDeprecated(paths, [parameter])['/reports/{id}.json']?.['get']).toEqual({
    ...before['/reports/{id}.json'].get,
    parameters: [{ name: 'id' }, { name: 'print', deprecated: true }],
  });
  const withMember = markDeprecated(paths, [member])['/reports/{id}.json']?.['get'];
  const marked = { properties: { old: { type: 'string', deprecated: true }, other: { type: 'string' } } };
  expect(withMember).toMatchObject({
    requestBody: { content: { 'application/json': { schema: marked } } },
    responses: { 200: { content: { 'application/json': { schema: marked } } } },
  });
  expect(withMember).not.toHaveProperty('deprecated');
  const whole = markDeprecated(paths, [route, { ...route, path: '/gone' }]);
  expect(whole['/reports/{id}.json']).toMatchObject({
    get: { deprecated: true },
    post: { parameters: [{ name: 'print' }] },
  });
  expect(paths).toEqual(before);
});

test.each([
  ['2026-07-14', true],
  ['2026-07-13', false],
  [undefined, true],
])('from 2026-01-15, an end on %s keeps the policy: %s', (sunset, keeps) => {
  expect(hasNotice({ ...route, ...(sunset === undefined ? {} : { sunset }) })).toBe(keeps);
});

test.each(deprecatedThings.map((thing) => [`${thing.method} ${thing.path}`, thing] as const))(
  '%s has a day, and its users have notice',
  (_name, thing) => {
    expect(thing.since).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(hasNotice(thing)).toBe(true);
  },
);
