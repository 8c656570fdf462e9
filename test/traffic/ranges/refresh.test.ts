import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runRefresh } from '../../../scripts/ranges/refresh.ts';
import { type PublishedList, publishedLists } from '../../../src/traffic/ranges/agent-ranges-data.ts';
import { agentSources } from '../../../src/traffic/ranges/agent-sources-data.ts';
import { readRangesText } from '../../../src/traffic/ranges/read-ranges-file.ts';

const data = join(import.meta.dirname, '../../data/traffic/ranges');
const recorded = (name: string): string => readFileSync(join(data, name), 'utf8');

type Answer = { status?: number; body: string; length?: number };
const json = (body: string): Answer => ({ body });
const good = (): Map<string, Answer> =>
  new Map(
    agentSources.map(({ list, form }) => [
      new URL(list).pathname,
      json(form === 'page' ? recorded('amazonbot.html') : recorded('perplexitybot.json')),
    ]),
  );

let answers = good();
let server: Server;
let from: string;
const folder = mkdtempSync(join(tmpdir(), 'ranges-'));

beforeAll(async () => {
  server = createServer((request, response) => {
    const { status = 200, body, length } = answers.get(request.url ?? '') ?? { status: 404, body: 'not found' };
    response.writeHead(status, length === undefined ? {} : { 'content-length': length });
    response.write(body);
    if (length === undefined) response.end();
    else response.socket?.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  answers = good();
});

/** Runs the command, and loads the data file that it wrote. */
async function refresh(
  name: string,
): Promise<{ code: number; lines: string[]; lists: readonly PublishedList[]; file: string }> {
  const lines: string[] = [];
  const out = join(folder, `${name}.ts`);
  const code = await runRefresh(['--from', from, '--out', out, '--json', `${out}.json`], (line) => lines.push(line));
  const written = (await import(/* @vite-ignore */ out)) as { publishedLists: readonly PublishedList[] };
  return { code, lines, lists: written.publishedLists, file: readFileSync(out, 'utf8') };
}

const PERPLEXITY = 'https://www.perplexity.com/perplexitybot.json';
const pathOf = (url: string): string => new URL(url).pathname;
const findList = (lists: readonly PublishedList[], source: string): PublishedList | undefined =>
  lists.find((list) => list.source === source);

test('every owner that answers has the list of today, dated by its owner, with no copy', async () => {
  answers.set(pathOf('https://index.commoncrawl.org/ccbot.json'), json(recorded('ccbot.json')));
  answers.set('/static/crawling/ipranges/user-triggered-agents.json', json(recorded('user-triggered-agents.json')));
  const { code, lines, lists } = await refresh('all');
  expect(code).toBe(0);
  expect(lines.at(-1)).toBe(`All ${agentSources.length} lists were read.`);
  const today = new Date().toISOString().slice(0, 10);
  expect(lists.map(({ source, copy }) => [source, copy])).toEqual(agentSources.map(({ list }) => [list, '']));
  expect(lists.every(({ read }) => read >= today || read === today)).toBe(true);
  expect(findList(lists, 'https://index.commoncrawl.org/ccbot.json')).toMatchObject({
    date: '2026-08-11',
    prefixes: '3.41.188.32/29 18.97.9.168/29 18.97.14.80/29 18.97.14.88/30 2600:1f28:365:8000::/56',
  });
  expect(
    lists
      .find(({ source }) => source.endsWith('user-triggered-agents.json'))
      ?.prefixes.trim()
      .split(/\s+/),
  ).toEqual([
    '74.125.232.0/25',
    '136.121.16.0/24',
    '136.121.24.0/21',
    '136.121.40.0/21',
    '136.122.0.0/16',
    '2001:4860:c::/121',
  ]);
  expect(findList(lists, 'https://developer.amazon.com/amazonbot/ip-addresses/')).toMatchObject({
    date: '2026-04-30',
    prefixes: '3.81.253.213 3.89.170.186 184.73.239.35',
  });
});

test('its file for `--ranges` is read', async () => {
  await refresh('json');
  const file = readRangesText(readFileSync(join(folder, 'json.ts.json'), 'utf8'));
  expect(file.ok && file.rows.flatMap(({ tokens }) => tokens)).toEqual(agentSources.flatMap(({ tokens }) => tokens));
});

test('a mirror with nothing leaves the file as it is, byte by byte', async () => {
  answers = new Map();
  const { code, file, lines } = await refresh('none');
  expect(code).toBe(1);
  expect(file).toBe(
    readFileSync(join(import.meta.dirname, '../../../src/traffic/ranges/agent-ranges-data.ts'), 'utf8'),
  );
  expect(lines.at(-1)).toBe(`${agentSources.length} of ${agentSources.length} lists were not read.`);
});

describe('the list of an owner stays, is named, and the run fails, where there comes', () => {
  const list = recorded('perplexitybot.json');
  test.each<[string, Answer, string]>([
    ['404', { status: 404, body: list }, 'status 404'],
    ['an error of the server', { status: 503, body: '' }, 'status 503'],
    ['a page', json('<!doctype html><title>Just a moment...</title>'), 'no JSON came'],
    ['half of the JSON', json(list.slice(0, 200)), 'no JSON came'],
    ['a body that breaks off', { body: list.slice(0, 200), length: 9_999 }, 'terminated'],
    ['an empty list', json('{"creationTime":"2026-09-01T00:00:00","prefixes":[]}'), 'no prefixes'],
    ['another form', json('{"ranges":["1.2.3.0/24"]}'), 'prefixes'],
    ['half of the internet', json('{"prefixes":[{"ipv4Prefix":"0.0.0.0/1"}]}'), 'wider than /8'],
    ['too wide a block of IPv6', json('{"prefixes":[{"ipv6Prefix":"2000::/8"}]}'), 'wider than /8'],
    ['code', json('{"prefixes":[{"ipv4Prefix":"`+process.exit()+`"}]}'), 'neither a CIDR block nor an address'],
    ['more bytes than are read', json(' '.repeat(5 * 1024 * 1024)), 'more than'],
  ])('%s', async (what, answer, detail) => {
    answers.set(pathOf(PERPLEXITY), answer);
    const { code, lines, lists } = await refresh(what.replaceAll(/\W/g, '-'));
    expect(code).toBe(1);
    const before = findList(publishedLists, PERPLEXITY);
    expect(findList(lists, PERPLEXITY)).toEqual(before);
    const said = lines.filter((line) => line.includes('NOT READ'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`${PERPLEXITY}: NOT READ, that of ${before?.date} stays`);
    expect(said[0]).toContain(detail);
  });

  test('a page of Amazon without a list', async () => {
    answers.set('/amazonbot/ip-addresses/', json('<pre><code>User-agent: Amazonbot</code></pre>'));
    const { code, lines } = await refresh('amazon');
    expect(code).toBe(1);
    expect(lines.find((line) => line.includes('NOT READ'))).toContain('the page has no list as JSON');
  });
});
