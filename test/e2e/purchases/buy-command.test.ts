import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { isAboutSite } from '../../../src/capabilities/capability.ts';
import { catalog, findCapability } from '../../../src/capabilities/catalog.ts';
import { listCode, putCommand, readPage, runPrinted } from '../../support/guides/printed.ts';
import { runOnFullDisk, runWithoutReader } from '../../support/runner/gone-reader.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const execute = promisify(execFile);
const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const PRICE = 60_000n;
const AUDIT_PRICE = BigInt(findCapability('full_audit')?.priceMicroUsdc ?? 0);
const REPORT = /[0-9a-f]{32}/;

let stack: Stack;
let folder = '';
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-buy-'));
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack.file));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const buy = (...words: readonly string[]): Promise<Ended> =>
  runCli(['buy', ...words], { cwd: folder, env: { HOME: folder } });

/** The demo site as a person types it: it speaks http alone. */
const typeSite = (): string => new URL(stack.sites.good).host;
const readRevenue = (): Promise<bigint> => stack.chain.balance(stack.seller.address);

/** What the results of some capabilities are called. */
const NAMED = new Map([
  ['visibility_check', 'A measurement'],
  ['visibility_vs_competitor', 'A measurement'],
  ['compare', 'A comparison'],
]);

describe('a command that was killed', () => {
  /** Loaded into the program before it begins: it dies as its payment leaves, or as the answer to it comes. */
  const buildDeath = (when: 'before' | 'after'): string =>
    `data:text/javascript,${encodeURIComponent(`
      const real = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        const isPaid = input instanceof Request && input.headers.has('payment-signature');
        if (!isPaid) return real(input, init);
        if (${when === 'after'}) await (await real(input, init)).text();
        process.kill(process.pid, 'SIGKILL');
      };
    `)}`;

  const die = (when: 'before' | 'after', words: readonly string[]): Promise<NodeJS.Signals | null> =>
    new Promise((resolve) => {
      const args = ['--import', buildDeath(when), CLI, 'buy', ...words];
      const program = spawn(process.execPath, args, { cwd: folder, env: { HOME: folder }, stdio: 'ignore' });
      program.once('exit', (_status, signal) => resolve(signal));
    });

  test.each<['before' | 'after', string, readonly string[]]>([
    ['before', 'a signed payment arrives', []],
    ['after', 'a signed payment did its work', []],
    ['before', 'the hash of a transfer arrives', ['--transfer']],
    ['after', 'the hash of a transfer did its work', ['--transfer']],
    ['after', 'a proven transfer did its work', ['--transfer', '--proof']],
  ])('%s %s: the same command again pays once in all', async (when, _what, more) => {
    const before = await readRevenue();
    const words = ['check_health', typeSite(), ...more];
    expect(await die(when, words)).toBe('SIGKILL');
    const again = await buy(...words, '--json');
    expect([again.status, JSON.parse(again.out)]).toMatchObject([0, { capability: 'check_health' }]);
    expect(JSON.parse(again.err)).toMatchObject({ note: expect.stringMatching(/^This is the result of the payment/) });
    expect(await readRevenue()).toBe(before + PRICE);
    expect(readdirSync(join(folder, '.local', 'orders'))).toEqual([]);
  });

  test('--new that is killed says how not to pay a third time, and the same without --new gets its result', async () => {
    const before = await readRevenue();
    const words = ['check_health', typeSite()];
    expect(await die('after', words)).toBe('SIGKILL');
    expect(await die('after', [...words, '--new'])).toBe('SIGKILL');
    expect((await buy(...words)).status).toBe(0);
    expect(await readRevenue()).toBe(before + 2n * PRICE);
    expect(readdirSync(join(folder, '.local', 'orders'))).toEqual([]);
  });

  test('--new pays for another one', async () => {
    const before = await readRevenue();
    expect(await die('after', ['check_health', typeSite()])).toBe('SIGKILL');
    expect(await buy('check_health', typeSite(), '--new')).toMatchObject({ status: 0, err: '' });
    expect(await readRevenue()).toBe(before + 2n * PRICE);
  });
});

test('a purchase that ended is not repeated: the same command buys again', async () => {
  const before = await readRevenue();
  expect(await buy('check_health', typeSite())).toMatchObject({ status: 0, err: '' });
  expect(await buy('check_health', typeSite())).toMatchObject({ status: 0, err: '' });
  expect(await readRevenue()).toBe(before + 2n * PRICE);
});

describe('what cannot be written is refused before anything is paid', () => {
  const credits = ['credits_5', '--max-usd', '5'];
  test.each<[readonly string[], string]>([
    [['check_health', 'example.com', '-o', 'missing/report.json'], 'missing/report.json cannot be written (ENOENT).'],
    [['check_health', 'example.com', '-o', '.local'], '.local cannot be written (EISDIR).'],
    [[...credits, '--format', 'md'], 'Credits are no report to write as md.'],
    [[...credits, '--format', 'html'], 'Credits are no report to write as html.'],
    [[...credits, '--format', 'pdf', '-o', 'a.pdf'], 'Credits are no report to write as pdf.'],
    ...['sarif', 'junit'].flatMap((format): [readonly string[], string][] => [
      [[...credits, '--format', format], `Credits are no report to write as ${format}.`],
      ...catalog
        .filter(({ result }) => !('checks' in result.shape) && !('scores' in result.shape))
        .map(({ name }): [readonly string[], string] => [
          [name, '--format', format],
          `${NAMED.get(name) ?? `The result of ${name}`} has no checks to write as ${format}.`,
        ]),
    ]),
    [['check_health'], 'check_health: url: is missing.'],
  ])('%j', async (words, message) => {
    const { status, out, err } = await buy(...words);
    expect({ status, out, message: err.split('\n')[0] }).toEqual({ status: 2, out: '', message });
    expect(readdirSync(folder, { recursive: true })).toEqual(['.local', '.local/stack.json']);
  });
});

test.each([
  ['a reader that is gone', runWithoutReader],
  ['a full device', runOnFullDisk],
])('%s: the result is not lost, and the same command gets it free', async (_what, runProgram) => {
  const before = await readRevenue();
  const { status, err } = await runProgram(CLI, ['buy', 'check_health', typeSite(), '--json'], {
    cwd: folder,
    env: { HOME: folder },
  });
  expect(status).toBe(2);
  expect(err).toMatch(/\/reports\/[0-9a-f]{32}/);
  expect((await buy('check_health', typeSite(), '--json')).status).toBe(0);
  expect(await readRevenue()).toBe(before + PRICE);
});

test('a disk that gets full in the middle of the result: the command fails, and a repeat gets the result free', async () => {
  const before = await readRevenue();
  // A file may have 32 or 64 KiB, as the shell counts: more than a saved payment, less than the result.
  const shell = `ulimit -f 64; exec "$@" > "${join(folder, 'result.json')}"`;
  const words = [process.execPath, CLI, 'buy', 'full_audit', typeSite(), '--json'];
  const full = await execute('sh', ['-c', shell, 'sh', ...words], { cwd: folder, env: { HOME: folder } }).catch(
    (error: unknown) => z.object({ code: z.number(), stderr: z.string() }).parse(error),
  );
  expect(full).toMatchObject({ code: 2, stderr: expect.stringContaining('Standard output cannot be written (EFBIG)') });
  expect((await buy('full_audit', typeSite(), '--json')).status).toBe(0);
  expect(await readRevenue()).toBe(before + AUDIT_PRICE);
});

test('credits by a transfer, which needs a proof, are bought by one command', async () => {
  const { status, err } = await buy('credits_5', '--transfer', '--max-usd', '5');
  expect([status, err]).toEqual([0, '']);
});

test.each([
  [[], 'Run the same command again, with another file'],
  [['--new'], 'Run the same command without --new again, with another file'],
])(
  'a disk that is full after the payment (%j): the report is named, and another file gets it free',
  async (more, next) => {
    const before = await readRevenue();
    const full = await buy('check_health', typeSite(), '-o', '/dev/full', ...more);
    expect(full.err).toContain(next);
    expect(full).toMatchObject({ status: 2, out: '' });
    expect(full.err).toContain('/dev/full cannot be written (ENOSPC).\n');
    const [place = ''] = /http:\S+\/reports\/[0-9a-f]{32}/.exec(full.err) ?? [];
    expect(await (await fetch(`${place}.json`)).json()).toMatchObject({ capability: 'check_health' });
    const again = await buy('check_health', typeSite(), '-o', 'report.json', '--json');
    expect(again.status).toBe(0);
    const { report_id: id } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as { report_id: string };
    expect(place.endsWith(id)).toBe(true);
    expect(await readRevenue()).toBe(before + PRICE);
  },
);

describe('a bare host whose server speaks http alone is read', () => {
  const ofSites = catalog.filter((row) => isAboutSite(row));
  test('there are capabilities of sites', () => expect(ofSites.length).toBeGreaterThan(10));

  test.each(ofSites.map(({ name, body }) => [name, 'competitor' in body.shape] as const))(
    '%s',
    async (name, hasCompetitor) => {
      const words = hasCompetitor ? [typeSite(), new URL(stack.sites.poor).host] : [typeSite()];
      const ended = await buy(name, ...words, '--max-usd', '2', '--json');
      expect(ended).toMatchObject({ status: 0, err: '' });
      expect(JSON.parse(ended.out)).toMatchObject({ capability: name, report_id: expect.stringMatching(REPORT) });
    },
  );
});

test('the command of the guide to credits, as it is printed, buys a pack', async () => {
  const [command = ''] = listCode(readPage('guides/credits.md'), 'sh');
  const bin = join(folder, 'bin');
  putCommand(bin);
  const before = await readRevenue();
  await runPrinted(command, folder, { HOME: folder, PATH: bin });
  expect((await readRevenue()) - before).toBe(5_000_000n);
});
