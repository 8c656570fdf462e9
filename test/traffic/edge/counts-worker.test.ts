import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countsBody, parseCounts } from '../../../src/traffic/edge/counts-body.ts';
import {
  buildCountsWorker,
  buildCountsWorkerText,
  COUNTS_WORKER_FILE,
  COUNTS_WORKER_TEXT_FILE,
} from '../../../scripts/crawler-counts/generate.ts';
import { createLogReader } from '../../../src/traffic/formats/log-reader.ts';
import type { LogFormat } from '../../../src/traffic/formats/formats-data.ts';
import type { LogRecord } from '../../../src/traffic/record.ts';
import { type LabelledLine, readJsonLines } from '../../support/traffic/labelled.ts';

type Env = Record<string, string>;
type Context = { waitUntil: (work: Promise<unknown>) => void };
type Site = { fetch: (request: Request, env: Env, ctx: Context) => Promise<Response> };
type TailEvent = { event: { request: { method: string; url: string; headers: object }; response: { status: number } } };
type CountsWorker = {
  countVisitors: (site: Site) => Site;
  tailCounter: { tail: (events: readonly TailEvent[], env: Env, ctx: Context) => Promise<void> };
};

/** The file runs as it is; each test has it with memory of its own. */
const loadWorker = async (): Promise<CountsWorker> => {
  const url = `${new URL('../../../docs/examples/crawler-counts/crawler-counts.js', import.meta.url).href}?${Math.random()}`;
  return (await import(/* @vite-ignore */ url)) as CountsWorker;
};

const received: { token: string | undefined; body: string }[] = [];
let status = 202;
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    received.push({ token: request.headers.authorization, body: Buffer.concat(parts).toString() });
    response.writeHead(status).end('{}');
  });
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/counts`;
});
afterAll(() => void server.close());
beforeEach(() => {
  received.length = 0;
  status = 202;
});

async function openSite(answer: () => Response | Promise<Response> = () => new Response('hello')) {
  const { countVisitors, tailCounter } = await loadWorker();
  const work: Promise<unknown>[] = [];
  const site = countVisitors({ fetch: async () => answer() });
  const env = { SIGHTLINE_COUNTS_URL: url, SIGHTLINE_COUNTS_TOKEN: 'sht_x', SIGHTLINE_GATHER_MS: '1' };
  const waitUntil = (promise: Promise<unknown>): void => void work.push(promise);
  const tail = (path: string, headers: object) => {
    const request = { method: 'GET', url: `https://www.example.com${path}`, headers };
    return tailCounter.tail([{ event: { request, response: { status: 200 } } }], env, { waitUntil });
  };
  const visit = (path: string, headers: Record<string, string>, cf?: object) =>
    site.fetch(Object.assign(new Request(`https://www.example.com${path}`, { headers }), { cf }), env, {
      waitUntil,
    });
  const settle = async (): Promise<void> => void (await Promise.all(work.splice(0)));
  return { visit, tail, settle };
}

const rowsOf = () => received.flatMap(({ body }) => countsBody.parse(JSON.parse(body)).rows);
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.4; +https://openai.com/gptbot)';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0';

test('its roster is that of the service', () => {
  const worker = readFileSync(COUNTS_WORKER_FILE, 'utf8');
  expect(worker, 'run `node scripts/crawler-counts/generate.ts`').toBe(buildCountsWorker(worker));
  expect(readFileSync(COUNTS_WORKER_TEXT_FILE, 'utf8')).toBe(buildCountsWorkerText(worker));
});

test('what it sends is accepted, added up, and names no one', async () => {
  const { visit, settle } = await openSite();
  const secrets = { cookie: 'session=abc', 'cf-connecting-ip': '192.0.2.77' };
  for (let turn = 0; turn < 3; turn += 1)
    await visit('/docs?token=geheim', { 'user-agent': GPTBOT, ...secrets }, { verifiedBotCategory: 'AI Crawler' });
  const person = { 'user-agent': FIREFOX, accept: 'text/html', referer: 'https://chatgpt.com/c/123', ...secrets };
  await visit('/users/jane@example.com?q=secret', person);
  await visit('/logo.png', { 'user-agent': FIREFOX, accept: 'image/png', ...secrets });
  await settle();
  expect(received).toHaveLength(1);
  expect(received[0]?.token).toBe('Bearer sht_x');
  const parsed = parseCounts(JSON.parse(received[0]?.body ?? ''), Date.now());
  expect(parsed).toMatchObject({
    ok: true,
    batch: {
      dropped: 0,
      rows: [
        { agent: 'GPTBot', verification: 'verified', path: '/docs', n: 3 },
        { agent: 'person', path: '/users/{email}', n: 1, referral: 'ChatGPT' },
      ],
    },
  });
  expect(received[0]?.body).not.toMatch(/192\.0|session|geheim|secret|jane|Mozilla|Firefox|chatgpt\.com/);
});

test.each([
  ['/u/anna%2540example.com', '/u/{email}'],
  ['/u/anna%EF%BC%A0example.com', '/u/{email}'],
  ['/whois/1.2.3.4', '/whois/{id}'],
  ['/whois/2001:db8::1', '/whois/{id}'],
  ['/whois/2001%3Adb8%3A%3A1/x', '/whois/{id}/x'],
  ['/whois/::ffff:1.2.3.4', '/whois/{id}'],
  ['/search%3Fq=anna', '/search'],
  ['/cart;session=anna', '/cart'],
  ['/docs/v1.2.3', '/docs/v1.2.3'],
])('of %s it sends %s', async (path, sent) => {
  const { visit, settle } = await openSite();
  await visit(path, { 'user-agent': GPTBOT });
  await settle();
  expect(rowsOf()).toMatchObject([{ path: sent }]);
});

test('what a visitor or the site writes does not spoil a batch', async () => {
  const lengths = ['7', 'none', '1.5', '-3', '9'.repeat(30)];
  const { visit, settle } = await openSite(
    () => new Response('x', { headers: { 'content-length': lengths.shift() ?? '1' } }),
  );
  const person = { 'user-agent': FIREFOX, accept: 'text/html' };
  for (const source of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'chatgpt'])
    await visit(`/?utm_source=${source}`, person);
  await settle();
  expect(rowsOf()).toMatchObject([
    { n: 4, bytes: 7 },
    { n: 1, bytes: 0, referral: 'ChatGPT' },
  ]);
  expect(rowsOf()[0]).not.toHaveProperty('referral');
});

test('as a tail Worker it gathers, and sends one batch for many requests', async () => {
  const { tail, settle } = await openSite();
  for (let turn = 0; turn < 50; turn += 1) await tail('/docs', { 'user-agent': GPTBOT });
  expect(received).toHaveLength(0);
  await settle();
  expect(received).toHaveLength(1);
  expect(rowsOf()).toMatchObject([{ agent: 'GPTBot', path: '/docs', n: 50 }]);
});

describe('a visitor is answered', () => {
  test('while the service is down, and what could not be sent comes once later', async () => {
    const { visit, settle } = await openSite();
    status = 503;
    expect(await (await visit('/', { 'user-agent': GPTBOT })).text()).toBe('hello');
    await settle();
    status = 202;
    await visit('/next', { 'user-agent': GPTBOT });
    await settle();
    const ids = received.map(({ body }) => countsBody.parse(JSON.parse(body)).batch_id);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(ids[1]);
    expect(rowsOf().map(({ path }) => path)).toEqual(['/', '/', '/next']);
  });

  test('before counts are sent, and with the site’s own errors', async () => {
    const { visit, settle } = await openSite(() => {
      throw new Error('the site is broken');
    });
    await expect(visit('/', { 'user-agent': GPTBOT })).rejects.toThrow('the site is broken');
    expect(received).toHaveLength(0);
    await settle();
    expect(rowsOf()).toMatchObject([{ status: 500, n: 1 }]);
  });

  test('when there is too much to count, which is said', async () => {
    const { visit, settle } = await openSite();
    for (let turn = 0; turn < 620; turn += 1) await visit(`/p${turn}`, { 'user-agent': GPTBOT });
    await settle();
    const batch = countsBody.parse(JSON.parse(received[0]?.body ?? ''));
    expect([batch.rows.length, batch.dropped]).toEqual([500, 120]);
  });

  test('and a scanner leaves room for agents', async () => {
    const { visit, settle } = await openSite();
    for (let turn = 0; turn < 620; turn += 1) await visit(`/p${turn}`, { 'user-agent': 'scanner/1.0' });
    await visit('/docs', { 'user-agent': GPTBOT });
    await settle();
    expect(rowsOf().at(-1)).toMatchObject({ agent: 'GPTBot', path: '/docs', n: 1 });
  });
});

/** Lines that one batch has room for. */
const CHUNK = 400;

test('it names agents, people and assistants as the labelled lines do', async () => {
  const labelled = readJsonLines('lines.jsonl') as readonly LabelledLine[];
  const { visit, settle } = await openSite();
  const wrong = { agent: [] as string[], class: [] as string[], referral: [] as string[] };
  for (let from = 0; from < labelled.length; from += CHUNK) {
    const lines = labelled.slice(from, from + CHUNK);
    received.length = 0;
    for (const [index, { line, format }] of lines.entries()) {
      const { userAgent, referrer, path } = readRecord(line, format);
      const source = /[?&](utm_source=[\w.-]*)/.exec(path)?.[1] ?? '';
      const headers = { 'user-agent': userAgent, referer: referrer, accept: 'text/html' };
      await visit(`/l${index}?${source}`, headers);
    }
    await settle();
    const rows = new Map(rowsOf().map((row) => [row.path, row]));
    for (const [index, label] of lines.entries()) {
      const row = rows.get(`/l${index}`);
      const isAgent = label.token !== null;
      if ((isAgent ? label.token : label.class) !== row?.agent)
        wrong[isAgent || (row?.agent !== 'person' && row?.agent !== 'automation') ? 'agent' : 'class'].push(
          `${label.id}: ${row?.agent}, not ${label.token ?? label.class}`,
        );
      if (row?.agent === 'person' && label.referral !== (row.referral ?? null))
        wrong.referral.push(`${label.id}: ${row.referral}, not ${label.referral}`);
    }
  }
  expect(labelled.length).toBeGreaterThan(2_000);
  expect(wrong.agent).toEqual([]);
  expect(wrong.referral).toEqual([]);
  expect(wrong.class.length / labelled.length).toBeLessThan(0.02);
});

function readRecord(line: string, format: LogFormat): LogRecord {
  let found: LogRecord | undefined;
  const reader = createLogReader((record) => (found = { ...record }), format);
  reader.push(Buffer.from(line).toString('latin1'));
  reader.end();
  if (found === undefined) throw new Error(`no request in ${line}`);
  return found;
}
