import { exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';

const CONTROL = 'https://control.sightline.test';
const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  exports.default.fetch(new Request(`${CONTROL}${path}`, init));

describe('K6: discovery documents', () => {
  test.each([
    ['/discovery/v1/apis/admin/directory_v1/rest', 'admin:directory_v1'],
    ['/discovery/v1/apis/reseller/v1/rest', 'reseller:v1'],
    ['/discovery/v1/apis/drive/v3/rest', 'drive:v3'],
    ['/discovery/v1/apis/logging/v2/rest', 'logging:v2'],
    ['/discovery/v1/apis/cloudquotas/v1beta/rest', 'cloudquotas:v1beta'],
    ['/discovery/v1/apis/storage/v1/rest', 'storage:v1'],
    ['/$discovery/rest?version=directory_v1', 'admin:directory_v1'],
    ['/$discovery/rest?version=v1', 'reseller:v1'],
    ['/$discovery/rest?version=v3', 'drive:v3'],
    ['/$discovery/rest?version=v1beta', 'cloudquotas:v1beta'],
    ['/$discovery/rest?version=v1beta&api=admob', 'admob:v1beta'],
    ['/$discovery/rest?api=cloudtrace&version=v1', 'cloudtrace:v1'],
  ])('%s answers without a token, of CONTROL_URL, cacheable', async (path, id) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({ kind: 'discovery#restDescription', id, rootUrl: `${CONTROL}/` });
  });

  test('the same document asked for by its tag is not sent again', async () => {
    const path = '/discovery/v1/apis/reseller/v1/rest';
    const first = await ask(path);
    const etag = first.headers.get('etag') ?? '';
    await first.text();
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const again = await ask(path, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await ask('/discovery/v1/apis/drive/v3/rest', { headers: { 'if-none-match': etag } });
    expect(other.status).toBe(200);
    await other.text();
  });

  test('the address of a request has no say in it', async () => {
    const response = await exports.default.fetch(new Request('https://evil.example/discovery/v1/apis'));
    const text = await response.text();
    expect([response.status, text.includes('discoveryRestUrl'), text.includes('evil')]).toEqual([421, false, false]); // A10
    const own = await (await exports.default.fetch(new Request(`${CONTROL}/discovery/v1/apis`))).text();
    expect(own).toContain(`"discoveryRestUrl":"${CONTROL}/discovery/v1/apis/admin/directory_v1/rest"`);
  });

  test.each([
    [
      '/discovery/v1/apis',
      [
        'admin:directory_v1',
        'reseller:v1',
        'drive:v3',
        'logging:v2',
        'cloudtrace:v2',
        'cloudtrace:v2beta1',
        'cloudtrace:v1',
        'cloudquotas:v1',
        'cloudquotas:v1beta',
        'cloudresourcemanager:v3',
        'storage:v1',
        'admob:v1beta',
        'admob:v1',
        'groupssettings:v1',
        'licensing:v1',
        'admin:reports_v1',
      ],
    ],
    ['/discovery/v1/apis?name=reseller', ['reseller:v1']],
    ['/discovery/v1/apis?name=__proto__', []],
    ['/discovery/v1/apis?name=', []],
  ])('%s lists %j', async (path, ids) => {
    const list: { items: { id: string }[] } = await (await ask(path)).json();
    expect(list.items.map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    '/discovery/v1/apis/admin/datatransfer_v1/rest',
    '/discovery/v1/apis/admob/v2/rest',
    '/discovery/v1/apis/aisearch/new/rest',
    '/discovery/v1/apis/admin/directory_v1',
    '/$discovery/rest',
    '/$discovery/rest?version=v9',
    '/$discovery/rest?api=admob',
    '/$discovery/rest?version=v1beta&api=drive',
    '/$discovery/rest?version=v1beta&api=',
    '/discovery/v1/apis/__proto__/constructor/rest',
  ])('%s is not there', async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    await response.text();
  });
});
