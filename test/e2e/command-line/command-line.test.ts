import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyPatch, parsePatch } from 'diff';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHttpServer } from '../../../local/http-server.ts';
import { startSites, type Sites } from '../../../local/sites/sites.ts';
import { isAboutSite } from '../../../src/capabilities/capability.ts';
import { catalog } from '../../../src/capabilities/catalog.ts';
import type { WireScore } from '../../../src/audit/core/report.ts';
import { budgetFor } from '../../support/runner/budget.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const MAX_OUTPUT_BYTES = 100_000_000;
/** Audits of one site that are compared byte by byte. */
const SAME_RUNS = budgetFor(2, 10);
const { PATH = '', HOME = '' } = process.env;

let sites: Sites;
let folder = '';
beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command in this process, which costs a fraction of a process of its own. */
const sightline = (...args: readonly string[]): Promise<Ended> => runCli(args, { cwd: folder, env: { PATH, HOME } });

/** Runs the built command line as a program; the sites are served by this process, so it must not block. */
const startProgram = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES }, (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

type Report = { scores: Record<string, WireScore>; requests: { ms: number }[] };
const jsonOf = ({ out }: Ended): Report => JSON.parse(out) as Report;
const withoutTimes = (report: Report): string =>
  JSON.stringify({ ...report, requests: report.requests.map((request) => ({ ...request, ms: 0 })) });

describe('sightline audit', () => {
  const scoresOf = async (url: string, ...args: string[]): Promise<number[]> =>
    Object.values(jsonOf(await sightline('audit', url, '--json', ...args)).scores).map(({ score }) => score);

  test('gives the start page of the good demo site 95 or more in all four scores, and the poor one in none', async () => {
    const [good, poor] = [await scoresOf(sites.good, '--max-pages', '1'), await scoresOf(sites.poor)];
    expect(good).toHaveLength(4);
    expect(Math.min(...good)).toBeGreaterThanOrEqual(95);
    expect(Math.max(...poor)).toBeLessThan(60);
    expect(poor[3]).toBe(0);
  });

  test('gives all pages of the good demo site together 85 or more', async () => {
    expect(Math.min(...(await scoresOf(sites.good)))).toBeGreaterThanOrEqual(85);
  });

  test('makes at most 60 requests, and each run gives the same bytes but for times', async () => {
    const runs: string[] = [];
    for (let run = 0; run < SAME_RUNS; run += 1) {
      const report = jsonOf(await sightline('audit', sites.good, '--json'));
      expect(report.requests.length).toBeLessThanOrEqual(60);
      runs.push(withoutTimes(report));
    }
    expect(new Set(runs).size).toBe(1);
  });

  test.each([
    ['json', /^\{\n {2}"capability": "full_audit"/],
    ['md', /^# AI visibility report\n/],
    ['html', /^<!doctype html><html lang="en">/],
    ['sarif', /"version": "2\.1\.0"/],
    ['junit', /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites/],
    ['text', /^AEO {4}[█░]{24} +\d+ [A-F]/m],
  ])('prints %s', async (format, start) => {
    const { status, out, err } = await sightline('audit', sites.poor, '--format', format);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(start);
  });

  test('a minimum that is missed ends with 1, one that is met with 0', async () => {
    expect((await startProgram('audit', sites.poor, '--min-score', 'aeo=80')).status).toBe(1);
    expect((await sightline('audit', sites.good, '--min-score', 'aeo=80,mcp=50')).status).toBe(0);
    expect((await sightline('audit', sites.poor, '--min-score', 'mcp=50')).status).toBe(2);
  });

  test('a baseline fails on what got worse and on nothing else', async () => {
    writeFileSync(join(folder, 'good.json'), (await sightline('audit', sites.good, '--json')).out);
    writeFileSync(join(folder, 'poor.json'), (await sightline('audit', sites.poor, '--json')).out);
    const worse = await sightline('audit', sites.poor, '--baseline', 'good.json');
    expect(worse.status).toBe(1);
    expect(worse.err).toContain('aeo.meta.title');
    expect((await sightline('audit', sites.poor, '--baseline', 'poor.json')).status).toBe(0);
    expect((await sightline('audit', sites.good, '--baseline', 'poor.json')).status).toBe(0);
  });

  test('a snapshot replays offline to the same bytes', async () => {
    const audited = await sightline('audit', sites.good, '--json', '--snapshot', 'kept.json');
    expect((await startProgram('replay', 'kept.json', '--json')).out).toBe(replayOrder(audited.out));
    const one = await sightline('audit', sites.poor, '--json', '--only', 'geo', '--snapshot', 'geo.json');
    expect((await sightline('replay', 'geo.json', '--json')).out).toBe(replayOrder(one.out));
  });

  test.each([
    [['audit'], /<url> is missing/],
    [['audit', 'http://127.0.0.1:1/', '--format', 'odt'], /--format takes one of text, json/],
    [['audit', 'http://127.0.0.1:1/', '--max-pages', '26'], /--max-pages takes a number from 1 to 25/],
    [['audit', 'http://127.0.0.1:1/', '--baseline', 'nowhere.json'], /baseline cannot be read/],
    [['audit', 'http://127.0.0.1:1/', '--only', 'aeo,geo', '--snapshot', 'x'], /--snapshot keeps/],
    [['replay', 'nowhere.json'], /nowhere\.json: cannot be read \(ENOENT\)/],
    [['run', 'visibility_check', 'https://a.example/'], /not done on this machine/],
    [['run', 'nothing', 'https://a.example/'], /Unknown capability nothing/],
    [['fix', 'http://127.0.0.1:1/'], /--out is missing/],
    [['compare', 'http://127.0.0.1:1/'], /<second> is missing/],
  ])('%j is wrong usage', async (args, message) => {
    const { status, err } = await sightline(...args);
    expect(status).toBe(2);
    expect(err).toMatch(message);
  });
});

/** Warnings stand last in a replay, as they do in the answer of the service. */
function replayOrder(text: string): string {
  const { warnings, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return `${JSON.stringify({ ...rest, warnings }, null, 2)}\n`;
}

describe('F1: a private address is read only where it was typed', () => {
  test('a typed site that points at another private origin gets no request there, though that one is typed too', async () => {
    let asked = 0;
    const inner = await startHttpServer((_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Inner</title><h1>Inner</h1>');
    });
    const pointing = await startHttpServer((request, response) => {
      if (request.url === '/hop') return void response.writeHead(302, { location: `${inner.url}/from-hop` }).end();
      const isText = request.url === '/llms.txt' || request.url === '/robots.txt';
      const text = `# Links\n\n> To another host.\n\n## All\n\n- [Inner](${inner.url}/from-llms): inner\n- [Hop](/hop): inner\n`;
      const page = `<title>Pointing</title><link rel="canonical" href="${inner.url}/from-canonical"><h1>x</h1><p><a href="${inner.url}/from-link">x</a> <a href="/hop">hop</a></p>`;
      return void response
        .writeHead(200, { 'content-type': isText ? 'text/plain' : 'text/html' })
        .end(isText ? text : page);
    });
    try {
      await sightline('audit', pointing.url);
      expect(asked).toBe(0);
      const { out } = await startProgram('compare', pointing.url, inner.url, '--json');
      const { sites: compared } = JSON.parse(out) as {
        sites: Record<'url', { requests: { url: string; failure?: string }[] }>;
      };
      const foreign = compared.url.requests.filter(({ url }) => url.startsWith(inner.url));
      expect(foreign.length).toBeGreaterThan(0);
      expect(new Set(foreign.map(({ failure }) => failure))).toEqual(new Set(['private_target']));
    } finally {
      await Promise.all([inner.stop(), pointing.stop()]);
    }
  });
});

describe('sightline fix', () => {
  test('writes what is to be read, diffs, files to deploy and a skill, and keeps what is there', async () => {
    const first = await startProgram('fix', sites.poor, '--out', 'out');
    expect({ status: first.status, err: first.err }).toEqual({ status: 0, err: '' });
    const written = readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' });
    for (const path of ['FIXES.md', 'report.json', 'site/index.html', 'drafts/index.html', 'drafts/llms.txt'])
      expect(written).toContain(path);
    expect(written.filter((path) => path.endsWith('SKILL.md'))).toHaveLength(1);
    expect(written.filter((path) => path.endsWith('.diff')).length).toBeGreaterThan(5);
    const fixes = new Set(written.filter((path) => /^fixes\/\d{3}-/.test(path)).map((path) => path.slice(6, 9))).size;
    expect(first.out).toMatch(/^\d+ fixes in out\/; start with out\/FIXES\.md\n/);
    expect(Number.parseInt(first.out, 10)).toBeGreaterThanOrEqual(fixes);
    expect(first.out).toMatch(
      /\nFacts to fill in: \d+ in out\/facts\.json; .*\nNext: fill in the facts, then run sightline fix /,
    );
    expect(first.out.split('\n').length).toBeLessThan(8);
    const again = await sightline('fix', sites.poor, '--out', 'out');
    expect(again.status).toBe(2);
    expect(again.err).toContain('--force');
    expect((await sightline('fix', sites.poor, '--out', 'out', '--force')).status).toBe(0);
  });

  const textsIn = (path: string): readonly string[] =>
    readdirSync(join(folder, path), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));

  test('puts no file with an open slot into site/, asks for the facts, and takes them', async () => {
    await sightline('fix', sites.poor, '--out', 'out');
    expect(textsIn('out/site').filter((text) => text.includes('[FACT NEEDED'))).toEqual([]);
    expect(textsIn('out/drafts').filter((text) => !text.includes('[FACT NEEDED'))).toEqual([]);
    const asked = JSON.parse(readFileSync(join(folder, 'out/facts.json'), 'utf8')) as Record<string, string>;
    expect(Object.keys(asked)).toEqual(expect.arrayContaining(['name', 'logo', 'siteSummary']));
    expect(readFileSync(join(folder, 'out/QUESTIONS.md'), 'utf8')).toContain('`siteSummary`: one sentence');
    const facts = { ...asked, language: 'en', siteSummary: 'Acme sells <b>oak</b> racks & "shelves".', name: 'Acme' };
    writeFileSync(join(folder, 'facts.json'), JSON.stringify(facts));
    const again = await sightline('fix', sites.poor, '--out', 'filled', '--facts', 'facts.json');
    expect({ status: again.status, err: again.err }).toEqual({ status: 0, err: '' });
    expect(readFileSync(join(folder, 'filled/site/llms.txt'), 'utf8')).toContain('> Acme sells');
    expect(readFileSync(join(folder, 'filled/site/index.html'), 'utf8')).toContain('<html lang="en"');
    expect(JSON.parse(readFileSync(join(folder, 'filled/facts.json'), 'utf8'))).toMatchObject({
      name: 'Acme',
      logo: '',
    });
    expect(textsIn('filled/site').filter((text) => text.includes('[FACT NEEDED'))).toEqual([]);
  });

  test.each([
    ['{"logoo": "x"}', /"logoo" is no fact that a fix asks for/],
    ['{"logo": "x"}', /"logo" must be an https address/],
    ['{"logo": 1}', /values are texts/],
    ['{', /is not valid JSON/],
  ])('refuses the facts %s, writes nothing, and says why', async (text, reason) => {
    writeFileSync(join(folder, 'facts.json'), text);
    const ended = await sightline('fix', sites.poor, '--out', 'out', '--facts', 'facts.json');
    expect(ended).toMatchObject({ status: 2, out: '', err: expect.stringMatching(reason) });
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  test('refuses a facts file that is not there', async () => {
    const ended = await sightline('fix', sites.poor, '--out', 'out', '--facts', 'none.json');
    expect(ended).toMatchObject({ status: 2, err: expect.stringContaining('none.json cannot be read') });
  });

  test('X2: writes nothing outside its folder', async () => {
    await sightline('fix', sites.poor, '--out', 'deep/out');
    expect(readdirSync(folder)).toEqual(['deep']);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['out']);
  });

  test('its diffs apply to the page that was fetched', async () => {
    await sightline('fix', sites.poor, '--out', 'out');
    const page = await (await fetch(sites.poor)).text();
    const diffs = readdirSync(join(folder, 'out/fixes'))
      .filter((name) => name.endsWith('.diff'))
      .flatMap((name) => parsePatch(readFileSync(join(folder, 'out/fixes', name), 'utf8')))
      .filter(({ oldFileName = '' }) => oldFileName.endsWith('index.html'));
    expect(diffs.length).toBeGreaterThan(5);
    for (const diff of diffs) {
      const patched = applyPatch(page, diff, { fuzzFactor: 0 });
      expect(patched).not.toBe(false);
      expect(patched).not.toBe(page);
    }
  });
});

test('a mistake, help and the version as a program', async () => {
  const wrong = await startProgram('audit', '--formt', '--json');
  expect(wrong).toMatchObject({ status: 2, out: '' });
  expect(JSON.parse(wrong.err)).toMatchObject({ reason: 'usage', exit: 2 });
  expect(await startProgram('help', 'audit')).toMatchObject({
    status: 0,
    out: expect.stringContaining('Usage: sightline audit'),
  });
  expect(await startProgram('init', 'example.com')).toMatchObject({ status: 0, err: '' });
  expect(existsSync(join(folder, 'sightline.config.json'))).toBe(true);
  expect(await startProgram('completion', 'bash')).toMatchObject({
    status: 0,
    out: expect.stringContaining('complete '),
  });
});

test('the built program writes the page of a report with its styles', async () => {
  expect(await startProgram('audit', sites.good, '--format', 'html', '-o', 'report.html')).toMatchObject({ status: 0 });
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/<style>[^<]{9000,}<\/style>/);
});

describe('sightline run', () => {
  test.each(catalog.filter((row) => isAboutSite(row)).map(({ name }) => [name]))(
    '%s gives a whole result',
    async (name) => {
      const fields = name === 'compare' ? [`competitor=${sites.good}`] : [];
      // From an empty page nothing can be generated.
      const site = name.startsWith('generate_') ? sites.good : sites.poor;
      const { status, out, err } = await sightline('run', name, site, ...fields, '--json');
      expect({ status, err }).toEqual({ status: 0, err: '' });
      const { capability, url, competitor: _named, ...result } = JSON.parse(out) as Record<string, unknown>;
      expect({ capability, url }).toEqual({ capability: name, url: `${site}/` });
      const { warnings, ...rest } = result;
      expect(catalog.find((row) => row.name === name)?.result.parse(rest)).toEqual(rest);
      expect(warnings).toEqual([]);
    },
  );

  test.each(['generate_llms_txt', 'generate_mcp_json'])(
    '%s says what an empty page lacks, and ends with 1',
    async (name) => {
      const { status, out, err } = await sightline('run', name, sites.poor);
      expect([status, out]).toEqual([1, '']);
      expect(err).toContain('Missing: ');
    },
  );

  test('writes the files of a generator', async () => {
    await startProgram('run', 'generate_llms_txt', sites.good, '--out', 'public');
    expect(existsSync(join(folder, 'public/llms.txt'))).toBe(true);
  });
});
