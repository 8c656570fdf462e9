import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch';
import {
  extractReceiptFromResponse,
  extractReceiptPayload,
  type JWSSignedReceipt,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEngines } from '../../../local/demo-engines.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { listPrinted, readPage, runPrinted } from '../../support/guides/printed.ts';
import { findNode } from '../../support/runner/node-versions.ts';
import { officialClient } from '../../support/stack/official-client.ts';
import { present, presentUntilDecided, sign } from '../../support/stack/presenting.ts';
import { type InstalledCli, installPackedCli, type Ran, ROOT } from '../package/packed-cli.ts';

type Signed = { claims: Record<string, string>; jws: string };
type Bought = Record<string, unknown> & {
  report_id: string;
  statement: Signed;
  receipt: Signed;
  payment: Record<string, string>;
};

/** A program without a network: a namespace of its own where the system allows that. */
const CUT = canUnshare() ? ['unshare', '-rn'] : [];
/** For systems that do not: whatever opens a socket or looks a name up ends the program. */
const NO_SOCKETS = `--import data:text/javascript,${encodeURIComponent(
  'import net from "node:net"; import dns from "node:dns"; const no = () => { console.error("NETWORK"); process.exit(99); }; net.Socket.prototype.connect = no; dns.lookup = no;',
)}`;

function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['-rn', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // Of a container without user namespaces.
  }
}

let stack: Stack;
let cli: InstalledCli;
let folder: string;
let bought: Bought;
let answer: Response;
const fileOf = (name: string): string => join(folder, name);
const fetchText = async (path: string): Promise<string> => {
  const found = await fetch(`${stack.api.url}${path}`);
  expect(found.status).toBe(200);
  return found.text();
};

beforeAll(async () => {
  [stack, cli] = [await startStack({ bindings: demoEngines }), installPackedCli()];
  folder = mkdtempSync(join(tmpdir(), 'sightline-stranger-'));
  const pay = wrapFetchWithPayment(fetch, officialClient(stack.buyer));
  answer = await pay(`${stack.api.url}/api/agent/full_audit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: stack.sites.poor }),
  });
  bought = (await answer.clone().json()) as Bought;
  writeFileSync(fileOf('bought.json'), JSON.stringify(bought));
  writeFileSync(fileOf('report.json'), await fetchText(`/reports/${bought.report_id}.json?view=full`));
  writeFileSync(fileOf('snapshot.json'), await fetchText(`/reports/${bought.report_id}/snapshot`));
  writeFileSync(fileOf('jwks.json'), await fetchText('/.well-known/jwks.json'));
});
afterAll(async () => {
  cli?.remove();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  await stack?.stop();
});

/** Runs a program with these words in the folder of the files, cut off. */
const runCut = ([program = '', ...args]: readonly string[], env: Record<string, string>): Promise<Ran> =>
  new Promise((resolve) => {
    const [first = program, ...rest] = [...CUT, program, ...args];
    execFile(first, rest, { cwd: folder, env, timeout: 90_000 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });

const verify = (args: readonly string[], node = process.execPath): Promise<Ran> =>
  runCut([join(cli.project, 'node_modules/.bin/sightline'), 'verify', ...args], {
    ...cli.envFor(node),
    NODE_OPTIONS: NO_SOCKETS,
  });

const KEYS = ['--jwks', 'jwks.json'];
const expecting = (): readonly string[] => [...KEYS, '--issuer', stack.api.url];

describe('a stranger verifies a report with two files and no network', () => {
  test.each([20, 24])(
    'by the packed command line on Node %i, and its snapshot gives the same result',
    async (major) => {
      const node = findNode(major);
      const plain = await verify(['report.json', ...expecting()], node);
      expect({ code: plain.code, stderr: plain.stderr }).toEqual({ code: 0, stderr: '' });
      expect(plain.stdout).toContain('Every check passed.');
      expect(plain.stdout).toContain(stack.api.url);
      expect(plain.stdout).not.toContain('valid');
      const replayed = await verify(['report.json', ...expecting(), '--snapshot', 'snapshot.json', '--json'], node);
      expect({ code: replayed.code, stderr: replayed.stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(replayed.stdout)).toMatchObject({
        verified: true,
        issuer: stack.api.url,
        key: readKeys()[0]?.kid,
        replay: { kind: 'same' },
      });
    },
  );

  test('by Python and OpenSSL alone, with the commands of the guide', async () => {
    copyFileSync(join(ROOT, 'docs/examples/verify-report/verify.py'), fileOf('verify.py'));
    const guide = readFileSync(join(ROOT, 'docs/guides/verify-a-report.md'), 'utf8');
    const [, command = ''] = /^(python3 verify\.py .*)$/m.exec(guide) ?? [];
    const words = command.replace('"$SERVICE"', stack.api.url).split(' ');
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    const ran = await runCut(words, env);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('pass signature\npass report\npass result\npass snapshot');
    writeFileSync(fileOf('changed.json'), JSON.stringify({ ...bought, url: 'https://rival.example/' }));
    const changed = await runCut(
      words.map((word) => (word === 'report.json' ? 'changed.json' : word)),
      env,
    );
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('FAIL result');
  });

  test('and every command of the guide does what it says, as it is printed', async () => {
    const commands = listPrinted(readPage('guides/verify-a-report.md'));
    expect(commands.map(({ language }) => language)).toEqual(Array.from({ length: 5 }, () => 'sh'));
    const own = mkdtempSync(join(tmpdir(), 'sightline-verify-guide-'));
    try {
      copyFileSync(join(ROOT, 'docs/examples/verify-report/verify.py'), join(own, 'verify.py'));
      const env = { ...cli.envFor(process.execPath), SERVICE: stack.api.url, REPORT_ID: bought.report_id };
      const printed: string[] = [];
      for (const { code } of commands) printed.push(await runPrinted(code, own, env));
      const [, checked, replayed, byPython, figures] = printed;
      expect(checked).toContain('Every check passed.');
      expect(replayed).toMatch(/pass {2}replay/);
      expect(byPython).toContain('pass snapshot');
      expect(figures).toContain('Every check passed.');
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  test('and sees what was changed, whose keys are others, and what is unsigned', async () => {
    writeFileSync(fileOf('changed.json'), JSON.stringify({ ...bought, warnings: ['None at all'] }));
    writeFileSync(fileOf('unsigned.json'), JSON.stringify({ ...bought, statement: 'unsigned' }));
    writeFileSync(fileOf('empty.json'), JSON.stringify({ keys: [] }));
    const changed = await verify(['changed.json', ...expecting()]);
    expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining('FAIL  result')]);
    const other = await verify(['report.json', ...KEYS, '--issuer', 'https://other.example']);
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('FAIL  issuer')]);
    const keyless = await verify(['report.json', '--jwks', 'empty.json', '--issuer', stack.api.url]);
    expect([keyless.code, keyless.stdout]).toEqual([1, expect.stringContaining('FAIL  signature')]);
    const unsigned = await verify(['unsigned.json', ...expecting()]);
    expect([unsigned.code, unsigned.stderr]).toEqual([1, expect.stringContaining('The report is unsigned')]);
    const wrong = await verify(['report.json', '--jwks', 'jwks.json']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--issuer')]);
    const absent = await verify(['nothing.json', ...expecting()]);
    expect(absent.code).toBe(2);
    const snapshot = await verify(['report.json', ...expecting(), '--snapshot', 'report.json']);
    expect([snapshot.code, snapshot.stdout]).toEqual([1, expect.stringContaining('FAIL  snapshot')]);
  });
});

test.each([
  ['visibility_check', { brand: 'Example Desk', niche: 'help desk software' }],
  ['compare', () => ({ url: stack.sites.good, competitor: stack.sites.poor })],
  ['generate_llms_txt', () => ({ url: stack.sites.good })],
] as const)('what %s sold is signed, and its snapshot gives it again', async (capability, body) => {
  const order = { capability, body: typeof body === 'function' ? body() : body };
  const sold = await presentUntilDecided(stack, order, await sign(stack, stack.buyer, order));
  expect(sold.status).toBe(200);
  const result = (await sold.json()) as Bought & { run_id?: string };
  const source = result.run_id === undefined ? `/reports/${result.report_id}/snapshot` : `/runs/${result.run_id}.json`;
  writeFileSync(fileOf('sold.json'), JSON.stringify(result));
  writeFileSync(fileOf('source.json'), await fetchText(source));
  const ran = await verify(['sold.json', ...expecting(), '--snapshot', 'source.json']);
  expect({ code: ran.code, stderr: ran.stderr, replayed: ran.stdout.includes('pass  replay') }).toEqual({
    code: 0,
    stderr: '',
    replayed: true,
  });
});

const readKeys = (): { kid: string; signs: string[] }[] =>
  (JSON.parse(readFileSync(fileOf('jwks.json'), 'utf8')) as { keys: { kid: string; signs: string[] }[] }).keys;

describe('a purchase', () => {
  test('has a receipt of its payment, which no one else is shown', async () => {
    const { transaction, payer, amount } = bought.payment;
    expect(bought.receipt.claims).toMatchObject({
      ...bought.statement.claims,
      rail: 'x402',
      network: 'eip155:8453',
      transaction,
      payer,
      amount,
      amount_usd: bought.payment['amount_usd'],
      paid_at: bought.payment['settled_at'],
    });
    const stored = JSON.parse(readFileSync(fileOf('report.json'), 'utf8')) as Record<string, unknown>;
    expect(stored['statement']).toEqual(bought.statement);
    const everywhere = [
      JSON.stringify(stored),
      await fetchText(`/reports/${bought.report_id}.html`),
      await fetchText(`/reports/${bought.report_id}.md`),
      await fetchText(`/reports/${bought.report_id}.json?view=summary`),
    ];
    for (const text of everywhere) {
      expect(text).not.toContain('payment_id');
      expect(text.toLowerCase()).not.toContain(stack.buyer.address.toLowerCase());
      expect(text).not.toContain(transaction);
    }
    const verified = await verify(['bought.json', ...expecting()]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('pass  receipt')]);
  });

  test('has the receipt of x402, which the official package verifies by the address of the service', async () => {
    const receipt = extractReceiptFromResponse(answer) as JWSSignedReceipt;
    const payload = await verifyReceiptSignatureJWS(receipt); // By did:web, over the network.
    expect(payload).toEqual(extractReceiptPayload(receipt));
    const settled = decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '');
    expect(payload).toMatchObject({
      version: 1,
      network: 'eip155:8453',
      resourceUrl: `${stack.api.url}/api/agent/full_audit`,
      transaction: settled.transaction,
    });
    expect(payload.payer.toLowerCase()).toBe(stack.buyer.address.toLowerCase());
    const [header, , signature] = receipt.signature.split('.');
    const forged = Buffer.from(JSON.stringify({ ...payload, payer: '0x0' })).toString('base64url');
    await expect(
      verifyReceiptSignatureJWS({ format: 'jws', signature: `${header}.${forged}.${signature}` }),
    ).rejects.toThrow('signature');
  });

  test('that is repeated has the same bytes, receipt included', async () => {
    const credential = await sign(stack, stack.buyer);
    const first = await presentUntilDecided(stack, {}, credential);
    expect(first.status).toBe(200);
    const text = await first.text();
    const again = await present(stack, {}, credential);
    expect([again.status, await again.text()]).toEqual([200, text]);
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    expect((JSON.parse(text) as Bought).receipt.claims['rail']).toBe('x402');
  });
});

test('delivery figures count what was sold, are signed by a key of their own, and have a page', async () => {
  type Figures = { claims: { rows: Record<string, unknown>[] }; jws: string };
  const read = async (): Promise<Figures> => JSON.parse(await fetchText('/delivery.json')) as Figures;
  const figures = await read();
  const row = figures.claims.rows.find(({ capability }) => capability === 'full_audit');
  expect(row).toMatchObject({ delivered: 1, by_rail: { x402: 1 }, refused: 0, refunded: 0, timed: 1 });
  expect(row?.['p50_ms']).toBe(row?.['p95_ms']);
  expect(row?.['p50_ms']).toBeGreaterThan(0);
  writeFileSync(fileOf('delivery.json'), JSON.stringify(figures));
  const verified = await verify(['delivery.json', ...expecting(), '--json']);
  expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' });
  const [results, delivery] = readKeys();
  expect(JSON.parse(verified.stdout)).toMatchObject({ type: 'delivery-summary', key: delivery?.kid });
  expect(results?.signs).toEqual(['result-statement', 'purchase-receipt']);
  expect(delivery?.signs).toEqual(['delivery-summary']);
  const page = await fetch(`${stack.api.url}/delivery`, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('full_audit');
  expect(JSON.stringify(figures).toLowerCase()).not.toContain(stack.buyer.address.toLowerCase());
});
