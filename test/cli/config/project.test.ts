import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runInitCommand } from '../../../src/cli/config/init-command.ts';
import { CONFIG_FILE } from '../../../src/cli/config/schema.ts';
import { runCli } from '../../support/runner/run-cli.ts';
import { serveSiteFolder } from '../../support/runner/site-folder.ts';

/** A page with one plain fault: it has no title. */
const at = serveSiteFolder('<!doctype html><html lang="en"><h1>The Oak</h1><p>Eight rooms.</p>');
const { sightline, configure } = at;

type Report = {
  url: string;
  warnings: string[];
  ignored?: { check: string }[];
  scores: Record<string, { score: number; checks: { id: string; status: string }[] }>;
};

describe('sightline audit by a configuration', () => {
  test('audits its sites and holds them against its minimum; an option wins', async () => {
    configure({ urls: [at.site], 'min-score': { aeo: 99 } });
    const { status, err } = await sightline('audit', '--only', 'aeo');
    expect([status, err]).toEqual([1, expect.stringMatching(/aeo \d+ < 99/)]);
    expect((await sightline('audit', '--only', 'aeo', '--min-score', 'aeo=1')).status).toBe(0);
    expect((await sightline('audit', at.site, '--only', 'aeo')).status).toBe(1);
    expect(await sightline('audit', '--no-config')).toMatchObject({
      status: 2,
      err: expect.stringContaining('<url> is missing'),
    });
  });

  test('several sites are a list in JSON, and each is judged', async () => {
    configure({ urls: [at.site, `${at.site}?b`], 'min-score': 100 });
    const { status, out, err } = await sightline('audit', '--only', 'aeo', '--json');
    expect((JSON.parse(out) as Report[]).map(({ url }) => url)).toEqual([at.site, `${at.site}?b`]);
    expect(status).toBe(1);
    expect(JSON.parse(err)).toMatchObject({ reason: 'below_minimum', message: expect.stringContaining(at.site) });
    expect((await sightline('audit', '--format', 'html')).err).toContain('--format html holds one site');
  });

  test('an ignored check is named as ignored, is no pass, and holds no gate', async () => {
    const title = { check: 'aeo.meta.title', reason: 'Comes with the new design' };
    configure({ urls: [at.site], ignore: [title] });
    const report = JSON.parse((await sightline('audit', '--only', 'aeo', '--json')).out) as Report;
    const plain = JSON.parse(
      (await sightline('audit', at.site, '--no-config', '--only', 'aeo', '--json')).out,
    ) as Report;
    expect(report.ignored).toEqual([title]);
    expect(report.scores).toEqual(plain.scores);
    expect(report.scores['aeo']?.checks.find(({ id }) => id === title.check)?.status).toBe('fail');
    const { out } = await sightline('audit', '--only', 'aeo');
    expect(out).toContain('Ignored: aeo.meta.title (Comes with the new design)');
    expect(out).toContain('1 ignored');
    const named = 'aeo.meta.title is ignored: Comes with the new design';
    expect((await sightline('audit', '--only', 'aeo', '--format', 'md')).out).toContain(named);
    expect((await sightline('audit', '--only', 'aeo', '--format', 'html')).out).toContain(named);
    const above = String((plain.scores['aeo']?.score ?? 0) + 1);
    expect((await sightline('audit', at.site, '--no-config', '--only', 'aeo', '--min-score', above)).status).toBe(1);
    expect((await sightline('audit', '--only', 'aeo', '--min-score', above)).status).toBe(0);
  });

  test('an ignored check is not what to do first', async () => {
    type Summed = { summary: { text: string; fixes: { check_id: string; title: string }[] } };
    const read = async (): Promise<Summed['summary']> =>
      (JSON.parse((await sightline('audit', '--json')).out) as Summed).summary;
    configure({ urls: [at.site] });
    const [first] = (await read()).fixes;
    configure({ urls: [at.site], ignore: [{ check: first?.check_id, reason: 'Planned for spring' }] });
    const { text, fixes } = await read();
    expect(fixes.length).toBeGreaterThan(0);
    expect(fixes.map(({ check_id: id }) => id)).not.toContain(first?.check_id);
    expect(text).not.toContain(`"${first?.title}"`);
  });

  test('an exception that has ended, and an id of no check, are reported and ignore nothing', async () => {
    configure({
      urls: [at.site],
      ignore: [
        { check: 'aeo.meta.title', reason: 'For a while', expires: '2020-01-31' },
        { check: 'aeo.meta.tilte', reason: 'A slip' },
      ],
    });
    const report = JSON.parse((await sightline('audit', '--only', 'aeo', '--json')).out) as Report;
    expect(report.ignored).toBeUndefined();
    expect(report.warnings).toEqual([
      'aeo.meta.title is not ignored any more: its exception ended on 2020-01-31.',
      'The ignore list names aeo.meta.tilte, which is no check. Did you mean aeo.meta.title?',
    ]);
  });

  test('its baseline lies beside it, and is of one site', async () => {
    writeFileSync(join(at.folder, 'before.json'), (await sightline('audit', at.site, '--only', 'aeo', '--json')).out);
    configure({ urls: [at.site], baseline: 'before.json' });
    mkdirSync(join(at.folder, 'below'));
    const inside = await runCli(['audit', '--only', 'aeo'], { cwd: join(at.folder, 'below') });
    expect(inside.status).toBe(0);
    configure({ urls: [at.site], baseline: join(at.folder, 'before.json') });
    expect((await sightline('audit', '--only', 'aeo')).status).toBe(0);
    rmSync(join(at.folder, 'before.json'));
    expect((await sightline('audit', '--only', 'aeo')).err).toContain('baseline cannot be read');
    configure({ urls: [at.site, 'example.com'], baseline: 'before.json' });
    expect((await sightline('audit')).err).toContain('A baseline is a report of one site');
    configure({ urls: [at.site, 'example.com'] });
    expect((await sightline('audit', '--baseline', 'before.json')).err).toContain('A baseline is a report of one site');
  });
});

describe('the baseline of a configuration', () => {
  /** As good as it was, but for a title that was there. */
  const writeBetter = async (): Promise<void> => {
    const { out } = await sightline('audit', at.site, '--no-config', '--json');
    writeFileSync(
      join(at.folder, 'before.json'),
      out.replaceAll(/("id": "aeo.meta.title",[^}]*?"status": )"fail"(,\s+"value": )0/g, '$1"pass"$21'),
    );
  };

  test.each([
    ['as the file has it', ['127.0.0.1'], '127.0.0.1', []],
    ['with the scheme that the file leaves out', ['127.0.0.1'], 'http://127.0.0.1', []],
    ['with a path', ['127.0.0.1'], 'http://127.0.0.1/', []],
    ['of a file without urls', undefined, 'http://127.0.0.1/', []],
    ['that the file has not', ['example.com'], 'http://127.0.0.1/', []],
    ['of several in the file', ['example.com', '127.0.0.1'], 'http://127.0.0.1/', []],
    ['as JSON', ['127.0.0.1'], 'http://127.0.0.1/', ['--json', '-o', 'r.json']],
    ['as SARIF', ['127.0.0.1'], 'http://127.0.0.1/', ['--format', 'sarif', '-o', 'r.sarif', '-q']],
    ['of one score', ['127.0.0.1'], 'http://127.0.0.1/', ['--only', 'aeo']],
  ])('is held against an address %s', async (_name, urls, typed, more) => {
    const place = (text: string): string => text.replace('127.0.0.1', new URL(at.site).host);
    await writeBetter();
    configure({ ...(urls === undefined ? {} : { urls: urls.map(place) }), baseline: 'before.json' });
    const { status, err } = await sightline('audit', place(typed), ...more);
    expect([status, err]).toEqual([1, expect.stringContaining('aeo.meta.title: pass before, fail now')]);
  });

  test('of another site is held, and named as what it is', async () => {
    await writeBetter();
    configure({ baseline: 'before.json' });
    const { status, err } = await sightline('audit', at.site.replace('127.0.0.1', 'localhost'), '-q');
    expect([status, err]).toEqual([1, expect.stringContaining(`The baseline is a report of ${at.site}.`)]);
    writeFileSync(join(at.folder, 'before.json'), (await sightline('audit', at.site, '--no-config', '--json')).out);
    expect(await sightline('audit', at.site.replace('127.0.0.1', 'localhost'))).toMatchObject({
      status: 0,
      err: expect.stringContaining(`The baseline is a report of ${at.site}.`),
    });
    expect((await sightline('audit', at.site)).err).not.toContain('is a report of');
  });

  test('that shares no score with the audit is refused, and one that lacks a score says so', async () => {
    writeFileSync(join(at.folder, 'before.json'), (await sightline('audit', at.site, '--only', 'aeo', '--json')).out);
    configure({ urls: [at.site], baseline: 'before.json' });
    expect(await sightline('audit', '--only', 'geo')).toMatchObject({
      status: 2,
      err: expect.stringContaining('The baseline has aeo, and this audit geo: there is nothing to compare.'),
    });
    expect((await sightline('audit')).err).toContain('Not in the baseline, so not compared: geo, agent.');
  });

  test('of another kind of site says so', async () => {
    const { out } = await sightline('audit', at.site, '--profile', 'docs', '--json');
    writeFileSync(join(at.folder, 'before.json'), out);
    expect((await sightline('audit', at.site, '--profile', 'api', '--baseline', 'before.json')).err).toContain(
      'judged as docs and this audit as api',
    );
  });

  test.each([
    [['-o', './before.json', '--json'], /--output would replace \.\/before\.json, which is read \(the baseline\)/],
    [['--snapshot', 'before.json'], /--snapshot would replace before\.json, which is read \(the baseline\)/],
    [['--no-config', '--snapshot', 'a.json', '-o', './a.json'], /name the same file/],
  ])('is not replaced by the audit that is held against it: %j', async (more, said) => {
    writeFileSync(join(at.folder, 'before.json'), (await sightline('audit', at.site, '--only', 'aeo', '--json')).out);
    configure({ urls: [at.site], baseline: 'before.json' });
    const kept = readFileSync(join(at.folder, 'before.json'), 'utf8');
    const { status, err } = await sightline('audit', at.site, ...more);
    expect([status, err]).toEqual([2, expect.stringMatching(said)]);
    expect(readFileSync(join(at.folder, 'before.json'), 'utf8')).toBe(kept);
  });
});

describe('sightline visibility and the engines of the configuration', () => {
  const ask = ['visibility', '--brand', 'Acme', '--niche', 'tea', '--simulate', 'Acme=0.4', '--json'];

  test('asks all of them, and none with --no-config', async () => {
    expect((await sightline(...ask)).err).toContain('Name the answer engine');
    configure({ engines: [{ kind: 'simulated' }] });
    expect(JSON.parse((await sightline(...ask)).out)).toMatchObject({ engine: { kind: 'simulated' } });
    configure({
      engines: [
        { name: 'one', kind: 'simulated' },
        { name: 'two', kind: 'simulated' },
      ],
    });
    expect(JSON.parse((await sightline(...ask)).out)).toMatchObject({ engines: [{ name: 'one' }, { name: 'two' }] });
    const first = JSON.parse((await sightline(...ask, '--model', 'simulated-1')).out) as object;
    expect(first).toMatchObject({ engine: { kind: 'simulated' }, mention_rate: { n: 30 } });
    expect((await sightline(...ask, '--no-config')).status).toBe(2);
  });

  test.each<[string, readonly string[], string]>([
    ['a name that no engine has', ['--engines', 'one,three'], 'takes names of one, two, not three'],
    ['a name twice', ['--engines', 'one,one'], 'names an engine twice'],
    ['one engine and several', ['--engine', 'simulated', '--engines', 'one'], 'give one'],
    ['one model for several', ['--engines', 'one,two', '--model', 'm'], 'are of one engine'],
    ['names without a configuration', ['--no-config', '--engines', 'one'], 'there are none'],
  ])('%s is wrong usage', async (_what, more, message) => {
    configure({
      engines: [
        { name: 'one', kind: 'simulated' },
        { name: 'two', kind: 'simulated' },
      ],
    });
    const { status, out, err } = await sightline(...ask, ...more);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(JSON.parse(err)).toMatchObject({ message: expect.stringContaining(message) });
  });
});

describe('results in files', () => {
  test('--output writes the document and says so; --quiet does not', async () => {
    const loud = await sightline('audit', at.site, '--only', 'aeo', '--format', 'html', '--output', 'report.html');
    expect(loud).toEqual({ status: 0, out: '', err: 'Wrote report.html.\n' });
    expect(readFileSync(join(at.folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
    const quiet = await sightline('audit', at.site, '--only', 'aeo', '-q', '-o', 'report.txt');
    expect(quiet).toEqual({ status: 0, out: '', err: '' });
    expect(readFileSync(join(at.folder, 'report.txt'), 'utf8')).toContain('AEO');
    const nowhere = await sightline('audit', at.site, '--only', 'aeo', '-o', 'no/such/folder.txt');
    expect(nowhere).toMatchObject({ status: 2, err: 'no/such/folder.txt cannot be written (ENOENT).\n' });
  });
});

describe('sightline init', () => {
  const read = (): unknown => JSON.parse(readFileSync(join(at.folder, CONFIG_FILE), 'utf8'));

  test('writes a configuration from its options, and replaces none without --force', async () => {
    expect(await sightline('init', 'example.com', '--min-score', 'aeo=80,mcp=50', '--max-pages', '5')).toEqual({
      status: 0,
      out: `Wrote ${CONFIG_FILE}. Audit its sites: sightline audit\n`,
      err: '',
    });
    expect(read()).toMatchObject({ urls: ['example.com'], 'min-score': { aeo: 80, mcp: 50 }, 'max-pages': 5 });
    expect(await sightline('init', 'example.org')).toMatchObject({
      status: 2,
      err: expect.stringContaining('--force'),
    });
    expect((await sightline('init', 'example.org', '--force', '-q')).out).toBe('');
    expect(read()).toMatchObject({ urls: ['example.org'] });
  });

  test.each([
    [['example.com', '--min-score', '101'], 'min-score'],
    [['example.com', '--min-score', 'seo=1'], 'min-score'],
    [['example.com', '--max-pages', 'many'], 'max-pages'],
    [['ftp://example.com'], 'http'],
    [[], '<url> is missing'],
  ])('%j is wrong usage, and nothing is written', async (args, said) => {
    expect(await sightline('init', ...args)).toMatchObject({ status: 2, err: expect.stringContaining(said) });
    expect(existsSync(join(at.folder, CONFIG_FILE))).toBe(false);
  });

  test('asks for what is left out', async () => {
    const answers = ['example.com, example.org', '75'];
    const before = process.cwd();
    process.chdir(at.folder);
    try {
      expect(await runInitCommand(['-q'], async () => answers.shift() ?? '')).toBe(0);
    } finally {
      process.chdir(before);
    }
    expect(read()).toMatchObject({ urls: ['example.com', 'example.org'], 'min-score': 75 });
  });
});
