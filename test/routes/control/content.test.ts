import { expect, test } from 'vitest';
import { bytesOf, call, GROUPS, gzipOf, json, refusal } from './world.ts';

const MIB = 1_024 * 1_024;
const group = JSON.stringify({ email: 'all@example.com', name: 'Ünited' });
const post = (body: Uint8Array, coding: string, headers: Record<string, string> = {}): Promise<Response> =>
  call(GROUPS, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'content-encoding': coding, ...headers },
  });

test.each(['gzip', 'GZIP', 'x-gzip'])('a body in %s is inflated, as Java sends every one', async (coding) => {
  expect(await json(post(await gzipOf(group), coding))).toMatchObject({ email: 'all@example.com', name: 'Ünited' });
});

test('a body that says it has no coding is taken as it is', async () => {
  expect(await json(post(bytesOf(group), 'identity'))).toMatchObject({ name: 'Ünited' });
});

test('a query in a form may come in gzip too', async () => {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-http-method-override': 'GET',
  };
  const answer = await post(await gzipOf('customer=my_customer&fields=kind'), 'gzip', headers);
  expect(await json(answer)).toEqual({ kind: 'admin#directory#groups' });
});

test('a body of the emulator may come in gzip too', async () => {
  const answer = await call('/v1/tenants/C00000001:snapshot', {
    method: 'POST',
    body: await gzipOf('{"name":"one"}'),
    headers: { 'content-encoding': 'gzip' },
  });
  expect(answer.status).toBe(200);
});

test.each(['br', 'deflate', 'gzip, gzip', 'compress', 'utf-8'])(
  'a body in %s is 415 with what is understood',
  async (coding) => {
    const answer = await post(bytesOf(group), coding);
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'gzip']);
    expect(await refusal(answer)).toBe('415 badContent: The Content-Encoding of a body may be gzip, or none.');
  },
);

test.each<[string, (gzip: Uint8Array) => Uint8Array]>([
  ['is none', () => bytesOf(group)],
  ['ends too early', (gzip) => gzip.slice(0, -6)],
  ['goes on after its end', (gzip) => Uint8Array.of(...gzip, 1, 2, 3)],
  ['is broken', (gzip) => gzip.with(15, (gzip[15] ?? 0) ^ 0xff)],
])('a gzip that %s is 400', async (_what, change) => {
  expect((await post(change(await gzipOf(group)), 'gzip')).status).toBe(400);
});

test('K9: what a gzip inflates to has the limit of a body: 4 MiB, 8 MiB for a batch', async () => {
  const bomb = await gzipOf(' '.repeat(8 * MIB + 1));
  expect(bomb.byteLength).toBeLessThan(32_768);
  expect(await refusal(post(bomb, 'gzip'))).toBe(
    '413 uploadTooLarge: The request is too large: at most 4194304 bytes are allowed.',
  );
  const fits = await gzipOf(`${group}${' '.repeat(4 * MIB - bytesOf(group).byteLength)}`);
  expect((await post(fits, 'gzip')).status).toBe(200);
  const batch = (body: Uint8Array) =>
    call('/batch', {
      method: 'POST',
      body,
      headers: { 'content-encoding': 'gzip', 'content-type': 'multipart/mixed; boundary=b' },
    });
  expect(await refusal(batch(bomb))).toBe(
    '413 uploadTooLarge: The request is too large: at most 8388608 bytes are allowed.',
  );
  const part = `--b\r\nContent-Type: application/http\r\n\r\nGET ${GROUPS}?customer=my_customer\r\n\r\n\r\n--b--\r\n`;
  const whole = await batch(await gzipOf(`${' '.repeat(6 * MIB)}\r\n${part}`));
  expect(await whole.text()).toContain('HTTP/1.1 200 OK');
});
