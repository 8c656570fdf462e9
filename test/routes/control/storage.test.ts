import { beforeEach, expect, test } from 'vitest';
import { env } from 'cloudflare:workers';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { call, json, refusal } from './world.ts';

const OURS = 'C00000001';
const foreigner = tokenFor({ tenant: 'C0000foreign' });
const FILES = '/storage/v1/b/archive/o';

const post = (path: string, body: unknown) => call(path, { method: 'POST', body });
const fileAt = (name: string) => `${FILES}/${encodeURIComponent(name)}`;

/** An entry goes to the bucket `archive` by a sink. @returns the name of its file */
async function stored(): Promise<string> {
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  await registry.tenant(OURS, 'sandbox');
  await registry.claim(OURS, 'projects/ours');
  const sink = { name: 'archive', destination: 'storage.googleapis.com/archive' };
  expect((await post('/v2/projects/ours/sinks', sink)).status).toBe(200);
  const entries = [{ textPayload: '<script>', timestamp: new Date(Date.now() - 1_000).toISOString() }];
  const written = await post('/v2/entries:write', {
    logName: 'projects/ours/logs/a%2Fb',
    resource: { type: 'global' },
    entries,
  });
  expect(written.status).toBe(200);
  const { items } = await json<{ items: { name: string }[] }>(call(FILES));
  return items[0]?.name ?? '';
}

let name: string;

beforeEach(async () => {
  name = await stored();
});

test('the content of a file is sent as a download that no browser shows', async () => {
  expect(name).toMatch(/^a\/b\/\d{4}\/\d{2}\/\d{2}\/\d{2}:00:00_\d{2}:59:59_S0\.json$/);
  const answer = await call(`${fileAt(name)}?alt=media`);
  const { etag } = await json<{ etag: string }>(call(fileAt(name)));
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=0, must-revalidate',
    etag,
  });
  expect(JSON.parse(await answer.text())).toMatchObject({
    logName: 'projects/ours/logs/a%2Fb',
    textPayload: '<script>',
  });
  const again = await call(`${fileAt(name)}?alt=media`, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('a part of a file is sent by its range, as clients download large files', async () => {
  const path = `${fileAt(name)}?alt=media`;
  const whole = new Uint8Array(await (await call(path)).arrayBuffer());
  const size = whole.byteLength;
  const { etag } = await json<{ etag: string }>(call(fileAt(name)));
  const part = async (range: string, more: Record<string, string> = {}) => {
    const answer = await call(path, { headers: { range, 'user-agent': 'client (gzip)', ...more } });
    return [answer.status, answer.headers.get('content-range'), new Uint8Array(await answer.arrayBuffer())];
  };
  expect(await part('bytes=0-9')).toEqual([206, `bytes 0-9/${size}`, whole.slice(0, 10)]);
  expect(await part('bytes=10-')).toEqual([206, `bytes 10-${size - 1}/${size}`, whole.slice(10)]);
  expect(await part('bytes=-5', { 'if-range': etag })).toEqual([
    206,
    `bytes ${size - 5}-${size - 1}/${size}`,
    whole.slice(-5),
  ]);
  expect(await part('bytes=0-9', { 'if-range': '"other"' })).toEqual([200, null, whole]);
  expect(await part(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, new Uint8Array()]);
});

test('K1: a bucket of the same name is another one for another tenant', async () => {
  expect(await refusal(call(FILES, { token: foreigner }))).toBe('404 notFound: The specified bucket does not exist.');
  for (const query of ['', '?alt=media']) {
    const answer = call(`${fileAt(name)}${query}`, { token: foreigner });
    expect(await refusal(answer)).toBe(`404 notFound: No such object: archive/${name}`);
  }
});

test.each([
  ['a token without a scope of storage', () => call(FILES, { token: tokenFor({ scopes: ['admob.report'] }) }), 403],
  ['no token', () => call(FILES, { token: null }), 401],
  ['content of a list', () => call(`${FILES}?alt=media`), 400],
  ['a condition that is no number', () => call(`${fileAt(name)}?ifGenerationMatch=x`), 400],
  ['a file that is not there', () => call(fileAt('none')), 404],
  ['a delete, which is not served', () => call(fileAt(name), { method: 'DELETE' }), 404],
])('%s is refused in the dialect of the vendor', async (_name, ask, status) => {
  const answer = await ask();
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error: { code: status, errors: [{ domain: expect.any(String) }] } });
});

test('K4: a part of a batch is answered with what is known of a file, not with its content', async () => {
  const part = (query: string) =>
    `--b\r\nContent-Type: application/http\r\n\r\nGET ${fileAt(name)}${query} HTTP/1.1\r\n\r\n`;
  const answer = await call('/batch/storage/v1', {
    method: 'POST',
    headers: { 'content-type': 'multipart/mixed; boundary=b' },
    body: `${part('')}${part('?alt=media')}--b--\r\n`,
  });
  const text = await answer.text();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(text).toContain("Invalid value 'media'. Allowed values: [json]");
  expect(text).not.toContain('<script>');
});

test('discovery says that it can be downloaded', async () => {
  const document = await json<{ resources: { objects: { methods: Record<string, object> } } }>(
    call('/discovery/v1/apis/storage/v1/rest'),
  );
  const { get, list } = document.resources.objects.methods;
  expect(get).toMatchObject({ path: 'storage/v1/b/{bucket}/o/{object}', supportsMediaDownload: true });
  expect(list).not.toHaveProperty('supportsMediaDownload');
});
