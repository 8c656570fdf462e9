import { expect, test } from 'vitest';
import { refuseStranger, toOwnAddress } from '../../../local/emulator/worker/gate.ts';

const ask = (ownUrl: string, headers: Record<string, string>) =>
  refuseStranger(new Request(`${ownUrl}/v1/calls`, { headers }), ownUrl)?.status;

test.each([
  ['http://127.0.0.1:9099', 'localhost:9099', undefined],
  ['http://127.0.0.1:9099', '[::1]:9099', undefined],
  ['http://127.0.0.1:9099', 'localhost', 421],
  ['http://127.0.0.1:9099', 'localhost:9098', 421],
  ['http://127.0.0.1:9099', 'example.com:9099', 421],
  ['http://127.0.0.1:9099', 'a.localhost:9099', 421],
  ['http://127.0.0.1:9099', 'localhost:9099/x', 421],
  ['http://127.0.0.1:9099', 'user@localhost:9099', 421],
  ['http://127.0.0.1:80', '127.0.0.1', undefined],
  ['http://127.0.0.1:80', 'localhost:80', undefined],
  ['http://[::1]:80', '[::1]', undefined],
  ['http://127.0.0.1:80', 'localhost:', 421],
  ['http://127.0.0.1:80', 'localhost:8080', 421],
])('an emulator at %s answers for the host %s: %s', (ownUrl, host, status) =>
  expect(ask(ownUrl, { host })).toBe(status),
);

test.each([
  ['http://127.0.0.1:80', 'http://localhost', undefined],
  ['http://127.0.0.1:80', 'http://localhost:8080', 403],
  ['http://127.0.0.1:80', 'null', 403],
  ['http://127.0.0.1:9099', 'http://localhost:9099', undefined],
  ['http://127.0.0.1:9099', 'https://localhost:9099', 403],
])('an emulator at %s takes calls of pages of %s: %s', (ownUrl, origin, status) =>
  expect(ask(ownUrl, { host: new URL(ownUrl).host, origin })).toBe(status),
);

test('a call by another name of this machine is one to our own address', () => {
  const asked = new Request('http://localhost/v1/calls?a=b', { headers: { host: 'localhost:80' } });
  const moved = toOwnAddress(asked, 'http://127.0.0.1:80');
  expect([moved.url, moved.headers.get('host')]).toEqual(['http://127.0.0.1/v1/calls?a=b', '127.0.0.1']);
});
