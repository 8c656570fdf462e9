import { wrapFetchWithPayment } from '@x402/fetch';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from 'web-bot-auth';
import { verifierFromJWK } from 'web-bot-auth/crypto';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { officialClient } from '../../support/stack/official-client.ts';

const PAGE = '<!doctype html><html lang="en"><title>A shop</title><h1>A shop</h1><p>It sells shoes.</p></html>';
const directorySchema = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), x: z.string() })) });

type DirectoryKey = z.infer<typeof directorySchema>['keys'][number];

let site: Server;
let origin = '';
let stack: Stack;
const seen: { url: string; headers: IncomingHttpHeaders; atMs: number }[] = [];

beforeAll(async () => {
  process.env['BOT_SIGNING_KEY'] = randomBytes(32).toString('base64url');
  site = createServer(({ url = '', headers }, response) => {
    seen.push({ url: `${origin}${url}`, headers, atMs: Date.now() });
    response.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(url === '/' ? PAGE : 'none');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  stack = await startStack({});
});

afterAll(async () => {
  delete process.env['BOT_SIGNING_KEY'];
  await stack.stop();
  site.close();
});

/** The key that a request names, as the owner of a site finds it: from the directory of the agent that it names. */
async function findKey(headers: IncomingHttpHeaders): Promise<DirectoryKey> {
  const agent = JSON.parse(String(headers['signature-agent'])) as string;
  const response = await fetch(`${agent}/.well-known/http-message-signatures-directory`);
  expect(response.headers.get('content-type')).toBe('application/http-message-signatures-directory+json');
  const { keys } = directorySchema.parse(await response.json());
  const keyid = /;keyid="([^"]+)"/.exec(String(headers['signature-input']))?.[1];
  const key = keys.find(({ kid }) => kid === keyid);
  if (key === undefined) throw new Error('the directory lacks the key of the request');
  return key;
}

test('the owner of an audited site verifies what asks it, by the directory alone; other names are not signed', async () => {
  const bought = await wrapFetchWithPayment(fetch, officialClient(stack.buyer))(
    `${stack.api.url}/api/agent/check_health`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${origin}/` }),
    },
  );
  expect(bought.status).toBe(200);
  const own = seen.filter(({ headers }) => headers['user-agent']?.startsWith('SightlineBot/'));
  const others = seen.filter(({ headers }) => !headers['user-agent']?.startsWith('SightlineBot/'));
  expect(own.length).toBeGreaterThan(3);
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter(({ headers }) => headers['signature'] ?? headers['signature-agent'])).toEqual([]);
  for (const { url, headers } of own) {
    const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    await verify({ method: 'GET', url, headers: flat }, await verifierFromJWK(await findKey(headers)));
  }
  const text = JSON.stringify(await bought.json());
  expect(text).not.toMatch(/signature-input|web-bot-auth"/);
});
