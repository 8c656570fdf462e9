import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const OPEN = 'User-agent: *\nAllow: /\n';
const CLOSED = 'User-agent: *\nAllow: /\n\nUser-agent: OAI-SearchBot\nDisallow: /\n';
const page = '<!doctype html><html lang="en"><title>The Oak</title><h1>The Oak</h1><p>Eight rooms and a kitchen.</p>';

/** A site whose robots.txt and whose start page a test may change. */
const openSite = () => {
  const state = { robots: OPEN, status: 200 };
  const server = createServer(({ url = '' }, answer) => {
    if (url === '/robots.txt') return void answer.writeHead(200, { 'content-type': 'text/plain' }).end(state.robots);
    const status = url === '/' ? state.status : 404;
    answer.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(status === 200 ? page : 'No');
  });
  return { state, server };
};
const own = openSite();
const rival = openSite();
let address = '';
let rivalAddress = '';
let folder = '';

beforeAll(async () => {
  const listen = async ({ server }: typeof own): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  [address, rivalAddress] = [await listen(own), await listen(rival)];
});
afterAll(() => {
  own.server.close();
  rival.server.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-watch-'));
  Object.assign(own.state, { robots: OPEN, status: 200 });
  rival.state.robots = OPEN;
  configure({ urls: [address] });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const configure = (config: object): void =>
  writeFileSync(join(folder, 'sightline.config.json'), JSON.stringify(config));
const watch = (...args: string[]): Promise<Ended> => runCli(['watch', '-q', ...args], { cwd: folder });

/** The files of the only entry. */
function openHistory() {
  const root = join(folder, '.sightline/history');
  const [entry = ''] = readdirSync(root).filter((name) => !name.startsWith('.'));
  const place = join(root, entry);
  return { place, list: join(place, 'history.json'), names: () => readdirSync(place) };
}

type Change = { id: string; before: { status?: string } | null; after: { status?: string } | null };
type Alert = { kind: string; severity: string; competitor?: string; changes: Change[]; evidence: { changes: unknown } };
type Shown = { entries: { state: string; reason: string | null; compared_with: object | null; alerts: Alert[] }[] };
const read = ({ out }: Ended) => (JSON.parse(out) as Shown).entries;

test('an unchanged site rings nothing, a line of robots.txt does, with its check and line, and then no more', async () => {
  const first = await watch();
  expect(first.status).toBe(0);
  expect(first.out).toContain('The first run: there is nothing to compare with yet.');
  const same = await watch('--json');
  expect(same.status).toBe(0);
  expect(read(same)).toMatchObject([{ state: 'stored', alerts: [], compared_with: { run_id: expect.any(String) } }]);

  own.state.robots = CLOSED;
  const changed = await watch('--json');
  expect(changed.status).toBe(1);
  const [alert] = read(changed)[0]?.alerts ?? [];
  expect(alert?.changes).toMatchObject([
    { id: 'aeo.robots.ai-search-bots', before: { status: 'pass' }, after: { status: 'partial' } },
  ]);
  expect(alert?.evidence.changes).toMatchObject([{ after: [{ url: `${address}robots.txt`, line: 5 }] }]);

  const after = await watch();
  expect(after.status).toBe(0);
  expect(
    openHistory()
      .names()
      .filter((name) => name.endsWith('.gz')),
  ).toHaveLength(2);
});

test('Markdown names the change with both sides, and what a site says in code only', async () => {
  await watch();
  own.state.robots = `${CLOSED}# [x](https://evil.example) @everyone\n`;
  const { status, out } = await watch('--format', 'md');
  expect(status).toBe(1);
  expect(out).toMatch(/^# Sightline: 1 alert in 1 entry$/m);
  expect(out).toMatch(/before: `http:\/\/127\.0\.0\.1|after: `http:\/\/127\.0\.0\.1/);
  expect(out).toContain('OAI-SearchBot');
  expect(out.replaceAll(/`[^`]*`/g, '')).not.toMatch(/\]\(|@everyone|https?:\/\//);
});

test('one failure is said and rings nothing, the second rings, and coming back is only news', async () => {
  await watch();
  own.state.status = 503;
  const once = await watch('--json');
  expect(once.status).toBe(3);
  expect(read(once)[0]?.alerts).toEqual([]);
  const twice = await watch('--json');
  expect(twice.status).toBe(1);
  expect(read(twice)[0]?.alerts).toMatchObject([{ kind: 'site_unreadable' }]);
  own.state.status = 200;
  const back = await watch('--json');
  expect(back.status).toBe(0);
  expect(read(back)[0]?.alerts).toMatchObject([{ kind: 'site_readable', severity: 'info' }]);
});

test('a new rubric is no change of the site, whose snapshot is judged again', async () => {
  await watch();
  const { place, list, names } = openHistory();
  const file = join(place, names().find((name) => name.endsWith('.report.json.gz')) ?? '');
  const report = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    rubric: { version: string };
    scores: Record<string, { checks: { status: string; value: number }[] }>;
  };
  const other = { ...report.rubric, version: '0.9.0' };
  for (const { checks } of Object.values(report.scores))
    for (const one of checks) if (one.status === 'pass') Object.assign(one, { status: 'fail', value: 0 });
  writeFileSync(file, gzipSync(JSON.stringify({ ...report, rubric: other })));
  const kept = JSON.parse(readFileSync(list, 'utf8')) as { runs: { summary: { rubric: object } }[] };
  if (kept.runs[0] !== undefined) kept.runs[0].summary.rubric = other;
  writeFileSync(list, JSON.stringify(kept));
  const { status, out } = await watch('--json');
  expect(status).toBe(0);
  expect(read({ status, out, err: '' })[0]?.alerts).toMatchObject([{ kind: 'rubric_changed', severity: 'info' }]);
});

test('a history that is broken, foreign or has lost a file is refused, and left as it is', async () => {
  await watch();
  const { place, list, names } = openHistory();
  const good = readFileSync(list, 'utf8');
  for (const [text, words] of [
    [good.slice(0, -20), /history\.json is not JSON/],
    ['{"runs": []}', /is no history of sightline watch/],
    [good.replace('"version": 1', '"version": 2'), /is of version 2/],
    [good.replace('"state": "stored"', '"state": "lost"'), /is broken at runs\.0\.state/],
  ] as const) {
    writeFileSync(list, text);
    const { status, err } = await watch();
    expect(status).toBe(2);
    expect(err).toMatch(words);
    expect(readFileSync(list, 'utf8')).toBe(text);
  }
  writeFileSync(list, good);
  const report = join(place, names().find((name) => name.endsWith('.report.json.gz')) ?? '');
  writeFileSync(report, 'no gzip');
  const broken = await watch();
  expect([broken.status, broken.err]).toEqual([2, expect.stringMatching(/cannot be unpacked/)]);
  rmSync(report);
  expect((await watch()).err).toMatch(/report\.json\.gz is missing/);
  rmSync(list);
  writeFileSync(join(place, 'run_0123456789abcdef01234567-1.report.json.gz'), '');
  expect((await watch()).err).toMatch(/history\.json is missing/);
});

test('a competitor is read in the same run, and rings where the rules say so', async () => {
  configure({ watch: [{ name: 'The Oak', url: address, competitors: [rivalAddress], rules: { competitors: true } }] });
  await watch();
  rival.state.robots = CLOSED;
  const changed = await watch('--json');
  expect(changed.status).toBe(1);
  expect(read(changed)[0]?.alerts).toMatchObject([{ kind: 'verdict_changed', competitor: rivalAddress }]);
});

test('a brand is measured by the engines of the configuration, and its answers are kept for sightline history', async () => {
  configure({
    engines: [{ kind: 'simulated', name: 'trial' }],
    watch: [{ brand: 'Acme', niche: 'help desk software' }],
  });
  const run = (...args: string[]) =>
    runCli(['watch', '-q', ...args], { cwd: folder, env: { ANSWER_ENGINE_BRANDS: 'Acme=0.5' } });
  const first = await run();
  expect([first.status, first.err]).toEqual([0, '']);
  expect(first.out).toMatch(/trial .* % .*\(simulated\)/);
  expect((await run('--json')).status).toBe(0);
  const { place, names } = openHistory();
  const measured = names().filter((name) => name.startsWith('run_'));
  expect(measured).toHaveLength(2);
  const compared = await runCli(['history', ...measured.map((name) => join(place, name))], { cwd: folder });
  expect([compared.status, compared.err]).toEqual([0, '']);
});

test('what the configuration lacks is refused before anything runs', async () => {
  configure({ watch: [{ url: address, max_page: 3 }] });
  const unknown = await watch();
  expect(unknown.err).toMatch(/watch\.0: unknown setting max_page/);
  expect(unknown.err).toMatch(/Correct the file\.$/m);
  configure({ watch: [{ brand: 'Acme' }] });
  expect((await watch()).err).toMatch(/watch\.0\.niche: it is missing\./);
  configure({ watch: [{ url: address }, { url: address, name: 'again' }] });
  expect((await watch()).err).toMatch(/watch\.1 watches the same as entry 0/);
  configure({ watch: [{ brand: 'Acme', niche: 'help desk software' }] });
  expect(await watch()).toMatchObject({ status: 2, err: expect.stringMatching(/^watch\.0: Name the answer engine/) });
  configure({});
  expect((await watch()).err).toMatch(/nothing to watch/);
});

test('two runs never write to one folder; the lock of one that died an hour ago is no hindrance', async () => {
  await watch();
  const lock = join(folder, '.sightline/history/.lock');
  writeFileSync(lock, '');
  expect(await watch()).toMatchObject({ status: 2, err: expect.stringMatching(/Another sightline watch runs/) });
  const old = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(lock, old, old);
  expect((await watch()).status).toBe(0);
});
