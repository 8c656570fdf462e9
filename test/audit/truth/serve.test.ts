import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, html, json, redirect, SITE, type SiteMap } from '../../support/audit/site-fetch.ts';
import { type RunningSite, serveSite } from './serve.ts';
import { mcpOpen } from './sites/mcp/mcp-open.ts';

const map: SiteMap = {
  '/': html(`<a href="${SITE}/next">next</a>`, { headers: { link: `<${SITE}/api>; rel="service-desc"` } }),
  '/old': redirect(`${SITE}/next`, 308),
  '/next?page=2': html('second page'),
  '/zipped': html('<p>A text that travels in fewer bytes.</p>', { headers: { 'content-encoding': 'gzip' } }),
  '/dead': failure('connection_failed'),
  '/bytes': { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: new Uint8Array([0, 255, 1]) },
  'POST /echo': ({ url, headers = {}, body }) => json({ host: new URL(url).host, accept: headers['accept'], body }),
  'https://other.example/': html('another host'),
};

let running: RunningSite;
beforeAll(async () => {
  running = await serveSite({ map, catchAll: html('nothing here', { status: 404 }) });
});
afterAll(() => running.close());

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(running.origin + path, { redirect: 'manual', ...init });

describe('a fixture site on loopback', () => {
  test('says its own origin in text and in headers', async () => {
    const answer = await get('/');
    expect(await answer.text()).toBe(`<a href="${running.origin}/next">next</a>`);
    expect(answer.headers.get('link')).toBe(`<${running.origin}/api>; rel="service-desc"`);
  });

  test('sends redirects to its own origin and does not follow them', async () => {
    const answer = await get('/old');
    expect([answer.status, answer.headers.get('location')]).toEqual([308, `${running.origin}/next`]);
  });

  test('tells paths apart by their query, and answers others by the catch-all', async () => {
    expect(await (await get('/next?page=2')).text()).toBe('second page');
    const other = await get('/next');
    expect([other.status, await other.text()]).toEqual([404, 'nothing here']);
  });

  test('gives a function of the fixture the request as the fixture knows it', async () => {
    const answer = await get('/echo', { method: 'POST', headers: { Accept: 'application/json' }, body: '{"a":1}' });
    expect(await answer.json()).toEqual({ host: 'acme.example', accept: 'application/json', body: '{"a":1}' });
    expect((await get('/echo')).status).toBe(404);
  });

  test('zips what is announced as gzip, and leaves bytes as they are', async () => {
    expect(await (await get('/zipped')).text()).toBe('<p>A text that travels in fewer bytes.</p>');
    expect([...new Uint8Array(await (await get('/bytes')).arrayBuffer())]).toEqual([0, 255, 1]);
  });

  test('answers HEAD with the headers of GET and no body', async () => {
    const answer = await get('/', { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  test('breaks the connection where a failure of the network is planted', async () => {
    await expect(get('/dead')).rejects.toThrow('fetch failed');
  });

  test('serves no other host of the map', async () => {
    const status = await new Promise((resolve, reject) => {
      const asked = request(`${running.origin}/`, { headers: { host: 'other.example' } }, (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => resolve(body.includes('another host')));
      });
      asked.on('error', reject).end();
    });
    expect(status).toBe(false);
  });

  test('an MCP server of a fixture answers over HTTP', async () => {
    const site = await serveSite(mcpOpen);
    try {
      const headers = {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
      const answer = await fetch(`${site.origin}/mcp`, { method: 'POST', headers, body });
      expect(await answer.json()).toMatchObject({
        id: 1,
        result: { tools: [{ name: 'list_stations' }, { name: 'read_tides' }] },
      });
    } finally {
      await site.close();
    }
  });
});
