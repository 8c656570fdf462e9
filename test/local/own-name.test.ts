import { describe, expect, test } from 'vitest';
import { redirectToName } from '../../local/own-name.ts';

const BASE_URL = 'http://localhost:8787';
const AS_BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const led = (url: string, init: RequestInit = {}, baseUrl: unknown = BASE_URL): string => {
  const answer = redirectToName(new Request(url, init), baseUrl);
  return answer instanceof Request
    ? `as ${answer.url}`
    : `${answer.status} to ${answer.headers.get('location') ?? 'nowhere'}`;
};

describe('at the address of the local stack', () => {
  test.each<[string, string, RequestInit, string]>([
    ['a page', '/account?a=b', { headers: AS_BROWSER }, `302 to ${BASE_URL}/account?a=b`],
    ['its head', '/', { method: 'HEAD', headers: AS_BROWSER }, `302 to ${BASE_URL}/`],
    ['an address bar', '/', { headers: { 'sec-fetch-mode': 'navigate' } }, `302 to ${BASE_URL}/`],
    ['a program that takes anything', '/api/agent/index?a=b', {}, `as ${BASE_URL}/api/agent/index?a=b`],
    [
      'a program that wants JSON',
      '/reports/1',
      { headers: { accept: 'application/json' } },
      `as ${BASE_URL}/reports/1`,
    ],
    ['a script of a page', '/', { headers: { ...AS_BROWSER, 'sec-fetch-mode': 'cors' } }, `as ${BASE_URL}/`],
    ['what is sent', '/signin', { method: 'POST', body: 'a=b', headers: AS_BROWSER }, `as ${BASE_URL}/signin`],
  ])('%s', (_what, path, init, expected) => {
    expect(led(`http://127.0.0.1:8787${path}`, init)).toBe(expected);
  });

  test('a body and its headers arrive as they were sent', async () => {
    const sent = new Request('http://127.0.0.1:8787/x', { method: 'POST', body: 'a=b', headers: { 'x-own': '1' } });
    const named = redirectToName(sent, BASE_URL);
    if (!(named instanceof Request)) throw new Error('no request');
    expect([named.method, named.headers.get('x-own'), await named.text()]).toEqual(['POST', '1', 'a=b']);
  });
});

test.each<[string, string, unknown]>([
  ['the name itself', 'http://localhost:8787/', BASE_URL],
  ['another port', 'http://127.0.0.1:8788/', BASE_URL],
  ['another host: refused by the app', 'http://evil.example:8787/', BASE_URL],
  ['a stack that goes by its address', 'http://localhost:8787/', 'http://127.0.0.1:8787'],
  ['a stack of another name', 'http://127.0.0.1:8787/', 'https://sightline.example'],
  ['no name at all', 'http://127.0.0.1:8787/', undefined],
])('%s is left alone', (_what, url, baseUrl) => {
  const request = new Request(url, { headers: AS_BROWSER });
  expect(redirectToName(request, baseUrl)).toBe(request);
});
