import dns from 'node:dns';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runSellerCommand } from '../../../src/cli/seller/command.ts';
import { createBuyerFetch } from '../../../src/cli/seller/send-as-buyer.ts';

/** Ports that a public name may be read on. */
const PORTS = [8443, 8080];

let seen: { request: string; headers: Record<string, unknown> }[];
let server: Server;
beforeEach(() => {
  seen = [];
  server = createServer(({ method, url, headers }, response) => {
    seen.push({ request: `${method} ${url}`, headers });
    response.end('{"secret":"of an internal service"}');
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

async function listen(ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    const isOpen = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    if (isOpen) return (server.address() as AddressInfo).port;
  }
  throw new Error('no port is free');
}

/** The owner of each name points it inside. */
function leadInside(): void {
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue([{ address: '127.0.0.1', family: 4 }] as never);
  vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, options: { all?: boolean }, done: Function) =>
    options.all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)) as never);
}

describe('a public name that leads to this machine', () => {
  test('gets no request of the command', async () => {
    const port = await listen(PORTS);
    leadInside();
    const file = join(mkdtempSync(join(tmpdir(), 'sightline-inside-')), 'report.json');
    const ended = await runSellerCommand([`http://inside.example.com:${port}/containers/prune`, '--json', '-o', file]);
    expect(ended).toMatchObject({ reason: 'private_target' });
    expect(seen).toEqual([]);
  });

  test('gets no payment, also where it led elsewhere while it was read', async () => {
    const port = await listen(PORTS);
    leadInside();
    const url = `http://inside.example.com:${port}/paid`;
    const answer = await createBuyerFetch(url)({ url, method: 'POST', headers: { 'payment-signature': 'x' } });
    expect(answer).toMatchObject({ ok: false, reason: 'private_target' });
    expect(seen).toEqual([]);
  });
});

test('an address of this machine that was typed is reached, without the Via of audits', async () => {
  const url = `http://127.0.0.1:${await listen([0])}/paid`;
  const ask = createBuyerFetch(url);
  expect(await ask({ url, method: 'POST', body: '{}' })).toMatchObject({ ok: true, status: 200 });
  expect(seen.map(({ request, headers }) => [request, headers['via']])).toEqual([['POST /paid', undefined]]);
  await expect(ask({ url: 'http://127.0.0.1:1/paid' })).rejects.toThrow(TypeError);
});
