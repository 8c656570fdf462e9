import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RUBRIC_VERSION } from '../../../src/audit/core/rubric-version.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const TITLED =
  '<!doctype html><html lang="en"><title>The Oak, an inn in Bath</title><h1>The Oak</h1><p>Eight rooms.</p>';
const UNTITLED = TITLED.replace(/<title>.*<\/title>/, '');
/** The first audit of a process loads the engine, which takes long on a busy machine. */
const FIRST_AUDIT_MS = 60_000;
const EARLIER = { version: '2.0.0', sha256: '0'.repeat(64) };

let page = TITLED;
let requests = 0;
const server = createServer(({ url = '' }, answer) => {
  requests += 1;
  answer.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
  answer.end(url === '/' ? page : 'Not found');
});
let site = '';
let folder = '';

const run = (...args: string[]): Promise<Ended> => runCli(args, { cwd: folder });
const readJson = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>;
/** The same file as one of another rubric. */
const age = (file: string, into: string): void =>
  writeFileSync(join(folder, into), JSON.stringify({ ...readJson(file), rubric: EARLIER }));

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  folder = mkdtempSync(join(tmpdir(), 'sightline-rubric-'));
  const { out, status, err } = await run('audit', site, '--json', '--snapshot', 'kept.json');
  if (status !== 0) throw new Error(err);
  writeFileSync(join(folder, 'report.json'), out);
  age('kept.json', 'old-kept.json');
  age('report.json', 'old-report.json');
}, FIRST_AUDIT_MS);

beforeEach(() => {
  page = TITLED;
  requests = 0;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a baseline of another rubric', () => {
  test('is refused before anything is asked, with the reason and what to do', async () => {
    const { status, out, err } = await run('audit', site, '--baseline', 'old-report.json');
    expect([status, out, requests]).toEqual([2, '', 0]);
    expect(err).toContain(`judged by rubric 2.0.0, and this build judges by ${RUBRIC_VERSION}`);
    expect(err).toContain('audit again to make a new one');
    expect(err).not.toContain('sightline audit <url>');
  });

  test('is judged again from its snapshot: the same site is no worse, and it is said', async () => {
    const { status, err } = await run('audit', site, '--baseline', 'old-kept.json');
    expect(status).toBe(0);
    expect(err).toContain(
      `The baseline was judged by rubric 2.0.0; its snapshot was judged again by ${RUBRIC_VERSION}.`,
    );
  });

  test('judged again, it fails on what got worse', async () => {
    page = UNTITLED;
    const { status, err } = await run('audit', site, '--baseline', 'old-kept.json');
    expect(status).toBe(1);
    expect(err).toContain('aeo.meta.title: pass before, fail now');
    expect(err).toMatch(/aeo \d+ before, \d+ now \(of the \d+ checks that both could judge\)/);
  });

  test('a snapshot that lacks what new checks ask for rings nothing', async () => {
    const kept = readJson('old-kept.json') as { snapshots: { exchanges: { role: string }[] }[] };
    for (const snapshot of kept.snapshots)
      snapshot.exchanges = snapshot.exchanges.filter(({ role }) => ['page', 'robots'].includes(role));
    writeFileSync(join(folder, 'short.json'), JSON.stringify(kept));
    expect((await run('audit', site, '--baseline', 'short.json')).status).toBe(0);
  });

  test('a snapshot of this rubric is a baseline like its report, and nothing is said of rubrics', async () => {
    const { status, err } = await run('audit', site, '--baseline', 'kept.json');
    expect([status, err]).toEqual([0, expect.not.stringContaining('rubric')]);
    expect((await run('audit', site, '--baseline', 'report.json')).status).toBe(0);
  });

  test('a snapshot of a capability without scores is refused', async () => {
    writeFileSync(
      join(folder, 'health.json'),
      JSON.stringify({ ...readJson('kept.json'), capability: 'check_health' }),
    );
    const { status, err } = await run('audit', site, '--baseline', 'health.json');
    expect([status, err]).toEqual([2, expect.stringContaining('check_health, which has no scores')]);
  });
});

describe('a gate over what is stored', () => {
  test('judges a snapshot of another rubric again', async () => {
    const { status, err } = await run('replay', 'old-kept.json', '--min-score', 'aeo=100');
    expect(status).toBe(1);
    expect(err).toContain(`another rubric (2.0.0); ${RUBRIC_VERSION} judges it again`);
    expect(err).toMatch(/aeo \d+ < 100/);
    expect((await run('replay', 'old-kept.json', '--min-score', '0')).status).toBe(0);
    expect((await run('replay', 'kept.json', '--baseline', 'old-kept.json')).status).toBe(0);
  });

  test.each([
    ['--min-score', 'aeo=1'],
    ['--baseline', 'kept.json'],
  ])('refuses a report of another rubric: %s %s', async (...gate) => {
    const { status, out, err } = await run('replay', 'old-report.json', ...gate);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('The report was judged by rubric 2.0.0');
  });

  test('judges a report of this rubric as it is', async () => {
    expect((await run('replay', 'report.json', '--min-score', 'aeo=1')).status).toBe(0);
    const { status, err } = await run('replay', 'report.json', '--min-score', '100');
    expect([status, err]).toEqual([1, expect.stringMatching(/aeo \d+ < 100/)]);
  });

  test('a stored report of another rubric stays readable, with its rubric named', async () => {
    const { status, out, err } = await run('replay', 'old-report.json', '--json');
    expect([status, JSON.parse(out)]).toEqual([0, readJson('old-report.json')]);
    expect(err).toContain('another rubric (2.0.0)');
    expect((await run('replay', 'old-report.json', '--format', 'sarif')).status).toBe(2);
  });
});

describe('--rubric', () => {
  test.each(['2', '2.0.0', '30', '3.1', `${RUBRIC_VERSION.split('.')[0]}0`])(
    '%s refuses gates that were made for another rubric',
    async (version) => {
      const { status, err } = await run('audit', site, '--min-score', '0', '--rubric', version);
      expect([status, requests]).toEqual([2, 0]);
      expect(err).toContain(`--rubric names ${version}, but this build uses rubric ${RUBRIC_VERSION}`);
    },
  );

  test.each([RUBRIC_VERSION, RUBRIC_VERSION.split('.')[0] ?? ''])('%s is this one', async (version) => {
    expect((await run('audit', site, '--only', 'geo', '--min-score', '0', '--rubric', version)).status).toBe(0);
  });

  test.each(['x', '3.', '3.0.0.0', ''])('%j is no version', async (version) => {
    const { status, err } = await run('audit', site, '--rubric', version);
    expect([status, err]).toEqual([2, expect.stringContaining('--rubric takes a version')]);
  });
});
