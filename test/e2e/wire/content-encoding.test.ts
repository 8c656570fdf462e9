import { gzipSync } from 'node:zlib';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../../local/http-server.ts';
import { COMPATIBILITY_FLAGS } from '../../../local/worker-resources-data.ts';
import { startBareWorkerd } from '../../support/stack/bare-workerd.ts';

/** Fetches what it is told to as our auditor does, and says what it got. */
const WORKER = `export default {
  async fetch(request) {
    const answer = await fetch(new URL(request.url).searchParams.get('url'), { headers: { 'accept-encoding': 'gzip, br' } });
    return Response.json({ coding: answer.headers.get('content-encoding'), text: await answer.text() });
  },
};`;

let site: HttpServer;
let workerd: Miniflare;

beforeAll(async () => {
  site = await startHttpServer((request, response) => {
    const packed = request.url === '/packed';
    response.writeHead(200, { 'content-type': 'text/html', ...(packed ? { 'content-encoding': 'gzip' } : {}) });
    response.end(packed ? gzipSync('hello') : 'hello');
  });
  workerd = await startBareWorkerd(WORKER, COMPATIBILITY_FLAGS);
});

afterAll(async () => {
  await workerd.dispose();
  await site.stop();
});

// aeo.reach.compression rests on this; the same for Node is proven in test/audit/reach/checks/start-transfer.test.ts.
test.each([
  ['/packed', 'gzip'],
  ['/plain', null],
])('workerd decodes %s and leaves its Content-Encoding as %s', async (path, coding) => {
  const answer = await workerd.dispatchFetch(`http://auditor.test/?url=${encodeURIComponent(site.url + path)}`);
  expect(await answer.json()).toEqual({ coding, text: 'hello' });
});
