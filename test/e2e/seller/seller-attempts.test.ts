import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEngines } from '../../../local/demo-engines.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { fillIn, listCode, listPrinted, putCommand, readPage, runPrinted } from '../../support/guides/printed.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';
import { ALL_PASS, listAttempts } from '../../support/seller/attempt-outcomes.ts';
import { type CarelessFault, startCarelessSeller } from '../../support/seller/careless-seller.ts';

type Report = {
  score: number;
  attempts: { signed: number; spent: string };
  checks: { id: string; status: string; note: string }[];
};

let stack: Stack;
let folder: string;
let wallet: string;
beforeAll(async () => {
  stack = await startStack({ bindings: demoEngines });
  folder = mkdtempSync(join(tmpdir(), 'sightline-seller-'));
  wallet = join(folder, 'stack.json');
  writeFileSync(wallet, JSON.stringify(stack.file), { mode: 0o600 });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const seller = (...args: string[]): Promise<Ended> => runCli(['seller', ...args], { cwd: folder });
const attack = async (url: string, ...more: string[]): Promise<Report> => {
  const ended = await seller(url, '--test-wallet', wallet, '--i-own-this', '--json', ...more);
  expect(ended.err).toBe('');
  return JSON.parse(ended.out) as Report;
};

describe('our own service', () => {
  test('passes every row, and sells three times for what was paid three times', async () => {
    const data = JSON.stringify({ url: stack.sites.good });
    const url = `${stack.api.url}/api/agent/check_schema`;
    const report = await attack(url, '--data', data, '--other-route', '/api/agent/check_llms_txt');
    expect(listAttempts(report)).toEqual(ALL_PASS);
    const open = report.checks.filter(({ status }) => !['pass', 'not_applicable'].includes(status));
    // Cloudflare's edge adds Date; workerd by itself sends none.
    expect(open.map(({ id, status }) => [id, status])).toEqual([['seller.clock.date', 'unknown']]);
    expect(report.attempts).toEqual({ protocol: 'x402', signed: 7, spent: '210000' });
  });

  test('stops at the cap', async () => {
    const data = JSON.stringify({ url: stack.sites.good });
    const report = await attack(`${stack.api.url}/api/agent/check_health`, '--data', data, '--max-usd', '0.1');
    expect(report.attempts).toEqual({ protocol: 'x402', signed: 1, spent: '0', not_tried: ['cap_reached'] });
    expect(report.checks.find(({ id }) => id === 'seller.pays.honest')).toMatchObject({ status: 'unknown' });
  });
});

describe('a careless seller', () => {
  const faults: readonly [CarelessFault, Record<string, string>][] = [
    ['none', {}],
    [
      'takes anything',
      {
        'forged-signature': 'fail',
        'wrong-amount': 'fail',
        'wrong-network': 'fail',
        expired: 'fail',
        replay: 'fail',
        'other-route': 'fail',
        'double-spend': 'fail',
      },
    ],
    ['takes the amount that is said', { 'wrong-amount': 'fail' }],
    ['takes any network', { 'wrong-network': 'fail' }],
    ['binds no route', { 'other-route': 'fail' }],
    ['forgets payments', { replay: 'fail', 'double-spend': 'fail' }],
    ['claims too late', { 'double-spend': 'fail' }],
    ['keeps no answers', { 'lost-answer': 'fail' }],
    [
      'never delivers',
      {
        honest: 'fail',
        replay: 'unknown',
        'other-route': 'unknown',
        'double-spend': 'unknown',
        'lost-answer': 'unknown',
      },
    ],
  ];

  test.each(faults)('that %s is seen', async (fault, seen) => {
    const careless = await startCarelessSeller({
      fault,
      rpcUrl: stack.chain.rpcUrl,
      facilitatorUrl: stack.facilitator.url,
      payTo: stack.seller.address,
    });
    try {
      const report = await attack(careless.url, '--other-route', '/paid/other');
      expect(listAttempts(report)).toEqual({ ...ALL_PASS, ...seen });
    } finally {
      await careless.stop();
    }
  });
});

describe('money that could be real', () => {
  test('is never signed for: without a word of ownership, elsewhere than here, or by a key of one’s own on Base', async () => {
    const url = `${stack.api.url}/api/agent/check_health`;
    expect(await seller(url, '--test-wallet', wallet)).toMatchObject({ status: 2 });
    const key = join(folder, 'key');
    writeFileSync(key, `0x${'ab'.repeat(32)}\n`, { mode: 0o600 });
    const own = await seller(url, '--test-wallet', key, '--i-own-this', '--rpc', stack.chain.rpcUrl);
    expect(own).toMatchObject({ status: 2 });
    expect(own.err).toContain('Base Sepolia only');
    writeFileSync(key, '0xshort', { mode: 0o600 });
    expect(await seller(url, '--test-wallet', key, '--i-own-this')).toMatchObject({ status: 2 });
    const open = join(folder, 'open.json');
    writeFileSync(open, JSON.stringify(stack.file), { mode: 0o644 });
    expect((await seller(url, '--test-wallet', open, '--i-own-this')).err).toContain('chmod 600');
    const other = await seller(
      url,
      '--test-wallet',
      wallet,
      '--i-own-this',
      '--other-route',
      'https://elsewhere.example/paid',
    );
    expect(other).toMatchObject({ status: 2 });
  });
});

describe('the guide, as it is printed', () => {
  const page = readPage('guides/seller-doctor.md');
  const [look = '', inCi = '', attempts = '', bought = ''] = listCode(page, 'sh');
  const run = (text: string, meant: Readonly<Record<string, string>>): Promise<string> =>
    runPrinted(fillIn(text, meant), folder, {
      PATH: join(folder, 'bin'),
      URL: `${stack.api.url}/api/agent/check_health`,
    });
  beforeAll(() => {
    putCommand(join(folder, 'bin'));
    mkdirSync(join(folder, '.local'), { recursive: true });
    writeFileSync(join(folder, '.local/stack.json'), JSON.stringify(stack.file), { mode: 0o600 });
  });

  test('has no command that is not run here', () => {
    expect(listPrinted(page).map(({ code }) => code)).toEqual([look, inCi, attempts, bought]);
  });

  test('looks at a seller, also in CI', async () => {
    const paid = `${stack.api.url}/api/agent/check_health`;
    expect(await run(look, { 'https://api.example.com/paid/report': paid })).toContain(paid);
    await run(inCi, { 'http://localhost:8787': stack.api.url });
    expect(JSON.parse(readFileSync(join(folder, 'seller.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
  });

  test('tries a seller with test money', async () => {
    const before = await stack.chain.balance(stack.seller.address);
    await run(attempts, { 'http://localhost:8787': stack.api.url, 'http://127.0.0.1:8080': stack.sites.good });
    expect((await stack.chain.balance(stack.seller.address)) - before).toBe(210_000n);
  });

  test('buys the look from a service', async () => {
    const before = await stack.chain.balance(stack.seller.address);
    const meant = {
      'https://api.example.com/paid/report': `${stack.sites.good}/`,
      'https://audits.example': stack.api.url,
    };
    await run(bought, meant);
    expect((await stack.chain.balance(stack.seller.address)) - before).toBe(150_000n);
  });
});
