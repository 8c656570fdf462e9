import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { methods } from '../../../../src/management/core/table/method-row.ts';
import { tokenFor, UNREACHABLE_TOKEN } from '../../../support/workers/control-tokens.ts';
import { searchRefusal } from '../../../support/management/search-envelope.ts';
import { call, objectsOfTenants } from '../world.ts';

const ACCOUNT = '/client/v4/accounts/acme';
const FLAT = `${ACCOUNT}/ai-search/instances`;
const NAMESPACES = `${ACCOUNT}/ai-search/namespaces`;

// The Worker knows the tenant from one test to the next, its registry does not.
beforeEach(async () => {
  await env.TENANT_REGISTRY.getByName('tenants').tenant('C00000001', 'sandbox');
});

test.each([
  ['GET', '/client/v4/'],
  ['GET', '/client/v4/user/tokens/verify'],
  ['GET', `${ACCOUNT}/ai-search`],
  ['GET', `${FLAT}/`],
  ['GET', `${FLAT}/%zz`],
  ['GET', `${FLAT}/a/b/c/d/e`],
  ['POST', `${ACCOUNT}/autorag/rags/a/chat`],
])('%s %s is no route: 404 in the envelope, with or without a token', async (method, path) => {
  for (const sent of [{ method }, { method, token: null }])
    expect(await searchRefusal(call(path, sent))).toBe('404 7000: No route for that URI');
});

test.each([
  ['PATCH', FLAT, 'POST, GET'],
  ['OPTIONS', `${FLAT}/a`, 'DELETE, GET, PUT'],
  ['GET', `${NAMESPACES}/n/instances/a/search`, 'POST'],
  ['DELETE', `${ACCOUNT}/autorag/rags/a/search`, 'POST'],
])('%s %s: the path has no such method, and the answer says which it has', async (method, path, allow) => {
  const answer = await call(path, { method });
  expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(allow.split(', ').toSorted());
  expect(await searchRefusal(answer)).toBe('405 7001: Method not available for that URI');
});

test.each([
  [null, 'Bearer'],
  ['unknown', 'invalid_token'],
])('the token %j is refused with the challenge of the service', async (token, said) => {
  const answer = await call(FLAT, { token });
  expect(answer.headers.get('www-authenticate')).toContain(said);
  expect(answer.headers.get('www-authenticate')).toContain('resource_metadata=');
  expect(await searchRefusal(answer)).toBe('401 10000: Authentication error');
});

test('a token without the scope of AI Search is told which one is missing', async () => {
  const answer = await call(FLAT, { token: tokenFor({ scopes: ['emulator', 'logging.read'] }) });
  expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="ai-search"');
  expect(await searchRefusal(answer)).toBe('403 9109: Unauthorized to access requested resource');
});

test('an authorization server that is not there answers 503, and when to come again', async () => {
  const answer = await call(FLAT, { token: UNREACHABLE_TOKEN });
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(await searchRefusal(answer)).toBe('503 7503: Backend Error');
});

const inSearch = methods.filter((row) => row.interface === 'aisearch');
const searchObjects = async (): Promise<number> => (await listDurableObjectIds(env.SEARCH_INSTANCE)).length;
const pathIn = (template: string, account: string): string =>
  template.replace('{account_id}', account).replaceAll(/\{\w+\}/g, 'x');

test('K1: every row answers alike for an account of another tenant and for one of nobody, before its body is read, and makes no object', async () => {
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  await registry.tenant('C0000000z', 'sandbox');
  expect(await registry.claim('C0000000z', 'accounts/theirs')).toBe('own');
  const before = [await objectsOfTenants(), await searchObjects()];
  const said = new Set<string>();
  for (const row of inSearch) {
    for (const account of ['theirs', 'no!name', 'a'.repeat(1_100)]) {
      const body = row.httpMethod === 'GET' || row.httpMethod === 'DELETE' ? {} : { body: '{"no": json' };
      said.add(await searchRefusal(call(pathIn(row.path, account), { method: row.httpMethod, ...body })));
    }
  }
  expect([...said]).toEqual(['403 9109: The caller does not have permission']);
  expect(inSearch).toHaveLength(58);
  expect([await objectsOfTenants(), await searchObjects()]).toEqual(before);
});

test('K1: a name in a body or an id of an instance claims nothing', async () => {
  await call(FLAT, { method: 'POST', body: { id: 'a', name: 'projects/unclaimed', parent: 'accounts/unclaimed' } });
  await call(`${FLAT}/projects%2Funclaimed`);
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  await registry.tenant('C0000000y', 'sandbox');
  for (const name of ['projects/unclaimed', 'accounts/unclaimed'])
    expect(await registry.claim('C0000000y', name)).toBe('own');
});

const JSON_TYPE = { 'content-type': 'application/json' };

test.each([
  ['text that is none', '{', JSON_TYPE, /^400 7001: Invalid JSON payload received/],
  ['a list', '[]', JSON_TYPE, /^400 7001: .*Root element must be a message/],
  ['a word', '"query"', JSON_TYPE, /^400 7001: .*Root element must be a message/],
  ['a name twice', '{"query":"a","query":"b"}', JSON_TYPE, /^400 7001: .*The name is given twice/],
  ['__proto__', '{"__proto__":{"query":"a"}}', JSON_TYPE, /^400 7001: .*Cannot find field/],
  ['33 lists', '['.repeat(33), JSON_TYPE, /^400 7001: .*more than 32 levels/],
  ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), JSON_TYPE, /^400 7001: .*non UTF-8/],
  ['a form', 'query=a', { 'content-type': 'application/x-www-form-urlencoded' }, /^415 7011: The Content-Type/],
  ['text', '{"query":"a"}', { 'content-type': 'text/plain' }, /^415 7011: The Content-Type/],
  ['an unknown coding', '{}', { ...JSON_TYPE, 'content-encoding': 'br' }, /^415 7011: The Content-Encoding/],
  ['a gzip that is none', '{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }, /^400 7001: The body is not the gzip/],
  ['1 MiB and a byte', `{"query":"${'x'.repeat(1_048_566)}"}`, JSON_TYPE, /^413 7008: .*at most 1048576 bytes/],
])('a body that is %s is refused, on both families of paths', async (_what, body, headers, said) => {
  for (const path of [`${FLAT}/a/search`, `${NAMESPACES}/n/instances/a/search`, `${NAMESPACES}/n/search`])
    expect(await searchRefusal(call(path, { method: 'POST', body, headers }))).toMatch(said);
});

test.each([
  ['that names something twice', 'page=1&page=2', /^400 7001: A parameter of the query is given more than once$/],
  ['of more than 65,536 characters', `search=${'x'.repeat(65_536)}`, /^4\d\d \d+: .*65536 characters/],
])('a query %s is refused', async (_what, query, said) => {
  expect(await searchRefusal(call(`${FLAT}?${query}`))).toMatch(said);
});

test('K4: no part of a batch may be a call of AI Search, and there is no batch of it', async () => {
  const part = ['--b', 'Content-Type: application/http', '', `GET ${FLAT} HTTP/1.1`, '', '', '--b--', ''].join('\r\n');
  const headers = { 'content-type': 'multipart/mixed; boundary=b' };
  const answer = await call('/batch', { method: 'POST', body: part, headers });
  const told = await answer.text();
  expect(answer.status).toBe(200);
  expect(told).toContain('HTTP/1.1 404');
  expect(told).not.toContain('HTTP/1.1 200');
  for (const api of ['aisearch/new', 'aisearch/legacy'])
    expect((await call(`/batch/${api}`, { method: 'POST', body: part, headers })).status).toBe(404);
});
