import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deployed, told } from './quota-world.ts';
import { post, signedCredential, world } from './world.ts';

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const FREE = ['"free";q=300;w=60', null];

test.each([
  ['/health', 'GET', 200],
  ['/', 'GET', 200],
  ['/nothing-here', 'GET', 404],
  ['/api/agent/check_health', 'GET', 405],
  ['/api/agent/check_health', 'POST', 402],
  ['/api/agent/check_health', 'OPTIONS', 204],
  ['/api/agent/nothing', 'POST', 404],
  ['/mcp', 'PUT', 405],
  ['/mcp-account', 'POST', 401],
  ['/.well-known/oauth-protected-resource/mcp-account', 'GET', 200],
  ['/oauth/token', 'GET', 405],
  ['/llms.txt', 'GET', 200],
])('the answer to %s by %s tells the limit', async (path, method, status) => {
  const answer = await (await deployed({})).call('192.0.2.150', { path, method });
  expect([answer.status, ...told(answer)]).toEqual([status, ...FREE]);
});

test('so does the answer to a payment, which no limit counts', async () => {
  const answer = await post({ credential: await signedCredential() });
  expect([answer.status, ...told(answer)]).toEqual([200, ...FREE]);
});

test('so does a request for another host', async () => {
  const { call } = await deployed({}, { BASE_URL: 'https://elsewhere.test' });
  const answer = await call('192.0.2.151', { path: '/api/agent/index' });
  expect([answer.status, ...told(answer)]).toEqual([421, ...FREE]);
});

test('what the operator chose is told before anything is counted', async () => {
  const { call } = await deployed({ free: 12, mcp: 20 });
  expect(told(await call('192.0.2.152', { path: '/health' }))).toEqual(['"free";q=12;w=60', null]);
  expect(told(await call('192.0.2.152', { path: '/mcp', method: 'PUT' }))).toEqual(['"mcp";q=20;w=60', null]);
});
