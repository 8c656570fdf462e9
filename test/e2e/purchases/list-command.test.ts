import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { withBazaar } from '@x402/extensions/bazaar';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

let stack: Stack;
let folder = '';
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-list-'));
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack.file));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]): Promise<Ended> => runCli(words, { cwd: folder, env: { HOME: folder } });
const list = (...words: readonly string[]): Promise<Ended> => run('list', ...words);
const pay = (...words: readonly string[]): Promise<Ended> =>
  list('--self-pay', '--yes', '--site', stack.sites.good, '--competitor', stack.sites.poor, ...words);

type Route = { name: string; url: string; listed: boolean; paid?: string };
const routesOf = ({ out }: Ended): readonly Route[] => (JSON.parse(out) as { routes: Route[] }).routes;
const readRevenue = (): Promise<bigint> => stack.chain.balance(stack.seller.address);
const priceOf = (...names: readonly string[]): bigint =>
  BigInt(
    catalog.filter(({ name }) => names.includes(name)).reduce((sum, { priceMicroUsdc }) => sum + priceMicroUsdc, 0),
  );

/** What an official client reads of the directory. */
const readDirectory = async (): Promise<readonly { resource: string; serviceName?: string; tags?: string[] }[]> => {
  const client = withBazaar(new HTTPFacilitatorClient({ url: stack.file.facilitator }));
  return (await client.extensions.bazaar.listResources({ payTo: stack.seller.address, limit: 100 })).items;
};

test('without --self-pay it only looks: nothing is listed, nothing is paid, status 1', async () => {
  const before = await readRevenue();
  const looked = await list('check_health', 'compare');
  expect([looked.status, looked.err]).toEqual([1, '']);
  expect(looked.out).toContain('not listed    0.060000  check_health');
  expect(looked.out).toContain('2 routes not listed.');
  expect(await readRevenue()).toBe(before);
});

test('buys each route once, after which the directory has it with its name and tags; again it buys none', async () => {
  const before = await readRevenue();
  const paid = await pay('check_health', 'compare', 'credits_5', '--max-usd', '10', '--json');
  expect([paid.status, paid.err]).toEqual([0, expect.any(String)]);
  expect(routesOf(paid)).toEqual([
    expect.objectContaining({ name: 'check_health', listed: true, paid: 'paid' }),
    expect.objectContaining({ name: 'compare', listed: true, paid: 'paid' }),
    expect.objectContaining({ name: 'credits_5', listed: true, paid: 'paid' }),
  ]);
  expect(paid.err).toContain('3 routes to buy, ');
  const spent = priceOf('check_health', 'compare') + 5_000_000n;
  expect((await readRevenue()) - before).toBe(spent);
  const found = await readDirectory();
  expect(found.map(({ resource }) => resource).toSorted()).toEqual(
    ['/api/agent/check_health', '/api/agent/compare', '/api/credits/5']
      .map((path) => `${stack.api.url}${path}`)
      .toSorted(),
  );
  for (const { serviceName, tags } of found)
    expect({ serviceName, tags }).toEqual({ serviceName: 'Sightline', tags: ['audit', 'seo', 'aeo', 'geo', 'mcp'] });

  const again = await pay('check_health', 'compare', 'credits_5', '--max-usd', '10');
  expect([again.status, again.out.includes('All of them are listed.')]).toEqual([0, true]);
  expect((await readRevenue()) - before).toBe(spent);
  const one = await pay('check_health', '--all');
  expect(one.status).toBe(0);
  expect((await readRevenue()) - before).toBe(spent + priceOf('check_health'));
});

describe('A9: nothing is signed', () => {
  test.each([
    [
      'where the sum is over the limit',
      ['full_audit', 'fix_pack', '--max-usd', '0.5'],
      1,
      /is more than your limit of 0.5 USD/,
    ],
    ['where no one agreed', ['full_audit', '--no-yes'], 2, /agree to the price, or give --yes/],
    ['for a name that is not sold', ['nothing'], 2, /The catalogue has no nothing/],
    ['for a limit that is none', ['full_audit', '--max-usd', 'much'], 2, /--max-usd takes an amount/],
  ])('%s', async (_what, words, status, message) => {
    const before = await readRevenue();
    const isAsked = words.includes('--no-yes');
    const ended = isAsked ? await list('--self-pay', 'full_audit') : await pay(...words);
    expect([ended.status, message.test(ended.err)]).toEqual([status, true]);
    expect(await readRevenue()).toBe(before);
  });

  test('by the key of the environment for a service on this machine', async () => {
    const env = { HOME: folder, SIGHTLINE_WALLET_KEY: `0x${'11'.repeat(32)}` };
    rmSync(join(folder, '.local'), { recursive: true });
    const words = ['list', '--self-pay', '--yes', '--base', stack.api.url, '--facilitator', stack.file.facilitator];
    const ended = await runCli([...words, 'check_mcp', '--site', stack.sites.good], { cwd: folder, env });
    expect([ended.status, ended.err.includes('no_local_stack')]).toEqual([2, true]);
  });
});

describe('a facilitator', () => {
  let server: Server;
  let answer: { status: number; body: string } = { status: 200, body: '' };
  let asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterAll(() => void server.close());
  const at = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/platform/v2/x402/`;

  test.each([
    ['has no directory', 404, 'not found', 'listing_unreadable'],
    ['answers something else', 200, '{"items":"many"}', 'listing_unreadable'],
    ['leads elsewhere', 302, '', 'redirected'],
  ])('that %s is named, and nothing is bought', async (_what, status, body, reason) => {
    answer = { status, body };
    const before = await readRevenue();
    const ended = await pay('check_mcp', '--facilitator', at());
    expect([ended.status, ended.err.includes(reason)]).toEqual([1, true]);
    expect(await readRevenue()).toBe(before);
  });

  test('that lists without end is read to a limit, below its own path', async () => {
    asked = [];
    const items = Array.from({ length: 100 }, (_none, index) => ({ resource: `https://other.example/${index}` }));
    answer = { status: 200, body: JSON.stringify({ items, pagination: { total: 1_000_000 } }) };
    expect((await list('check_mcp', '--facilitator', at())).status).toBe(1);
    expect(asked).toHaveLength(20);
    expect(asked[1]).toMatch(
      /^\/platform\/v2\/x402\/discovery\/resources\?type=http&payTo=0x[0-9a-fA-F]{40}&limit=100&offset=100$/,
    );
  });
});

describe('sightline buy --dry-run', () => {
  test('says price, rails and that the site answers, and pays nothing', async () => {
    const before = await readRevenue();
    const said = await run('buy', 'full_audit', stack.sites.good, '--dry-run');
    expect([said.status, said.err]).toEqual([0, '']);
    expect(said.out).toContain('full_audit costs 0.350000 USDC. Nothing was signed or paid.');
    expect(said.out).toContain('Paid by: x402, mpp, direct-transfer, credits.');
    expect(said.out).toMatch(/ answers 200\./);
    const { price } = JSON.parse((await run('buy', 'full_audit', stack.sites.good, '--dry-run', '--json')).out) as {
      price: object;
    };
    expect(price).toEqual({ amount: '350000', usd: '0.350000', currency: 'USDC' });
    expect(await readRevenue()).toBe(before);
  });

  test('names what the service refuses', async () => {
    const refused = await run('buy', 'full_audit', 'http://10.0.0.1/', '--dry-run');
    expect([refused.status, refused.err.includes('target_refused')]).toEqual([1, true]);
  });
});
