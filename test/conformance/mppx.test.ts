import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSIWxPayload, encodeSIWxHeader, type SIWxExtension } from '@x402/extensions/sign-in-with-x';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../local/chain/chain.ts';
import { demoEngines } from '../../local/demo-engines.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { exampleBodies } from '../../src/capabilities/bodies.ts';
import { isAboutSite } from '../../src/capabilities/capability.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../../src/capabilities/credit-packs.ts';
import { examplePanelBody } from '../../src/capabilities/panel-bodies.ts';
import { formatPanelPath, panels } from '../../src/capabilities/panels.ts';
import { soldRoutes } from '../../src/capabilities/sold-routes.ts';
import { formatToolPath, soldTools } from '../../src/capabilities/sold-tools.ts';
import { exampleMonitorBody } from '../../src/monitors/core/monitor-body.ts';
import { BASE } from '../../src/payment/terms/networks-data.ts';
import { fillIn, listCode, listPrinted, readPage, runPrinted } from '../support/guides/printed.ts';
import { type MppPayment, proveRepeat, signChallenge } from '../support/stack/mpp-signing.ts';
import { type Mppx, startMppx } from '../support/stack/mppx-buyer.ts';
import { requiredOf } from '../support/stack/official-client.ts';
import { codeOf, presentWith } from '../support/stack/presenting.ts';
import { type Browser, formsOf, newBrowser } from './support/browser.ts';
import { connect, type Era } from './support/mcp-client.ts';
import { signIn } from './support/person.ts';

const CLI = fileURLToPath(new URL('node_modules/mppx/dist/bin.js', import.meta.url));

let stack: Stack;
let buyer: Account;
let mppx: Mppx;
beforeAll(async () => {
  stack = await startStack({ bindings: demoEngines });
  buyer = await stack.chain.freshAccount(400_000_000n);
  mppx = startMppx();
});
afterAll(async () => {
  await mppx?.stop();
  await stack?.stop();
});

type Priced = Pick<SoldRow, 'name' | 'priceMicroUsdc'>;
type Sold = { path: string; row: Priced; body: () => object | undefined };

const bodyOf = (row: (typeof catalog)[number]): object => {
  if (!isAboutSite(row)) return exampleBodies[row.name];
  const url = row.name.startsWith('generate_') ? stack.sites.good : stack.sites.poor;
  return { url, ...(row.name === 'compare' ? { competitor: stack.sites.good } : {}) };
};

/** Everything that is sold. */
const sold: readonly Sold[] = [
  ...catalog.map((row): Sold => ({ path: `/api/agent/${row.name}`, row, body: () => bodyOf(row) })),
  ...panels.map((row): Sold => ({ path: formatPanelPath(row), row, body: () => examplePanelBody })),
  ...soldTools.map((row): Sold => ({ path: formatToolPath(row), row, body: () => ({ url: `${stack.sites.good}/` }) })),
  ...creditPacks.map((row): Sold => ({ path: packPath(row), row, body: () => undefined })),
  ...creditPacks.map((row): Sold => ({
    path: `${packPath(row)}/monitor`,
    row,
    body: () => ({
      ...exampleMonitorBody,
      subject: { kind: 'site', url: stack.sites.good },
      receivers: [{ kind: 'feed' }],
    }),
  })),
];

type Check = { label: string; detail?: string; severity: string };
type Report = {
  discovery: { found: boolean; checks: readonly Check[] };
  endpoints: readonly { method: string; path: string; challenge: readonly Check[]; errorHandling: readonly Check[] }[];
  summary: { failed: number; warnings: number; suggested: number };
};

/** The command writes to a file: it ends before a pipe has taken all. */
async function validate(url: string): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-mppx-'));
  try {
    const file = join(folder, 'report.json');
    const command = [CLI, 'validate', url, '--output-json'];
    await once(spawn(process.execPath, command, { stdio: ['ignore', openSync(file, 'w'), 'ignore'] }), 'exit');
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('everything that has a price is bought here', () => {
  const paths = sold.map(({ path }) => path).filter((path) => !path.endsWith('/monitor'));
  expect(paths).toEqual(soldRoutes.map(({ path }) => path));
});

test('mppx validate finds every route, and each of them passes', async () => {
  const report = await validate(stack.api.url);
  expect(report.discovery.checks.filter(({ severity }) => severity !== 'pass')).toEqual([]);
  const paths = sold.map(({ path }) => path.replace(/\/(?:5|20|100)\/monitor$/, '/{pack}/monitor'));
  expect(new Set(report.endpoints.map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set(paths.map((path) => `POST ${path}`)),
  );
  for (const { path, challenge, errorHandling } of report.endpoints) {
    const wrong = [...challenge, ...errorHandling].filter(({ severity }) => severity !== 'pass');
    expect({ path, wrong }).toEqual({ path, wrong: [] });
    expect(challenge.map(({ label }) => label)).toContain('Realm matches server hostname');
    expect(errorHandling.map(({ label }) => label)).toContain('Error response includes fresh challenge');
  }
  expect(report.summary).toMatchObject({ failed: 0, warnings: 0, suggested: 0 });
});

describe('the official client of MPP', () => {
  test.each(sold.map((one) => [one.path, one] as const))('buys POST %s', async (path, { row, body }) => {
    const before = await balances();
    const given = body();
    const answer = await mppx.buy({ key: buyer.privateKey }, `${stack.api.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(given === undefined ? {} : { body: JSON.stringify(given) }),
    });
    expect([answer.status, answer.status === 200 ? '' : answer.body]).toEqual([200, '']);
    const receipt = (await mppx.do('receipt', { value: answer.headers['payment-receipt'] })) as { reference: Hex };
    expect(receipt).toMatchObject({ status: 'success', method: 'evm', chainId: 8453 });
    expect(answer.headers['cache-control']).toContain('private');
    expect((await stack.chain.client.getTransactionReceipt({ hash: receipt.reference })).status).toBe('success');
    const after = await balances();
    expect({ paid: before.buyer - after.buyer, received: after.seller - before.seller }).toEqual({
      paid: BigInt(row.priceMicroUsdc),
      received: BigInt(row.priceMicroUsdc),
    });
    expect(JSON.parse(answer.body)).toMatchObject({
      capability: row.name,
      payment: { method: 'mpp', transaction: receipt.reference, amount: String(row.priceMicroUsdc) },
    });
  });
});

describe('what mppx bought', () => {
  const CAPABILITY = 'check_schema';
  let own: Account;
  let reportId = '';
  let transaction = '';
  beforeAll(async () => {
    own = await stack.chain.freshAccount(10_000_000n);
    const answer = await mppx.buy({ key: own.privateKey }, `${stack.api.url}/api/agent/${CAPABILITY}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: stack.sites.good }),
    });
    const bought = JSON.parse(answer.body) as { report_id: string; payment: { transaction: string } };
    reportId = bought.report_id;
    ({ transaction } = bought.payment);
  });

  test('is bought by MPP in the list of its wallet', async () => {
    const url = `${stack.api.url}/reports`;
    const asked = (await (await fetch(url)).json()) as { extensions: { 'sign-in-with-x': SIWxExtension } };
    const { info, supportedChains } = asked.extensions['sign-in-with-x'];
    const [chain] = supportedChains;
    if (chain === undefined) throw new Error('the challenge names no chain');
    const proof = encodeSIWxHeader(await createSIWxPayload({ ...info, ...chain }, own.account, url));
    const { reports } = (await (await fetch(url, { headers: { 'SIGN-IN-WITH-X': proof } })).json()) as {
      reports: unknown[];
    };
    expect(reports).toEqual([expect.objectContaining({ report_id: reportId, paid_by: 'wallet', method: 'mpp' })]);
  });

  test('and in its account, on the page and in the file of everything', async () => {
    const browser = newBrowser(stack.api.url);
    expect((await signIn(browser, own.account)).status).toBe(200);
    expect((await browser.open('/account/reports')).html).toMatch(/<td data-column="Paid by">\s*wallet, MPP\s*<\/td>/);
    const file = (await (await browser.request('/account/export.json')).json()) as { reports: unknown[] };
    expect(file).toMatchObject({ reports: [{ reportId, by: 'wallet', method: 'mpp' }] });
  });

  test('and in the console: payments, their file, and revenue', async () => {
    const console = newBrowser(stack.file.control ?? '');
    const filter = `?payer=${own.address.toLowerCase()}`;
    const listed = await openConsole(console, `/console/payments${filter}`);
    expect(listed).toContain(transaction);
    expect(listed).toContain('<td data-column="Paid by">mpp</td>');
    const [head = '', line = '', ...others] = (await (await console.request(`/console/payments.csv${filter}`)).text())
      .trim()
      .split('\r\n');
    const at = head.split(',').indexOf('paid_by');
    expect([line.split(',')[at], line.includes(transaction), others]).toEqual(['mpp', true, []]);
    const revenue = await (await console.request('/console/money/lines.csv?days=7')).text();
    expect(revenue).toContain(`,${CAPABILITY},mpp,`);
  });
});

/** A page of the console, signed in where it asks. The books hear of a sale a second later. */
async function openConsole(console: Browser, path: string): Promise<string> {
  const page = await console.open(path);
  const form = formsOf(page.html).find(({ action }) => action === '/console/signin');
  if (form !== undefined) await console.submit(page, form, { secret: stack.file.operator?.secret ?? '' });
  await expect
    .poll(async () => (await console.open(path)).html, { timeout: 20_000, interval: 500 })
    .toContain('<td data-column="Paid by">');
  return (await console.open(path)).html;
}

describe('the guide, as it is printed', () => {
  const guide = readPage('guides/pay-with-mpp.md');
  const [program = '', payment = '', proof = ''] = listCode(guide, 'ts');
  const [install = '', command = ''] = listCode(guide, 'sh');
  const price = BigInt(catalog.find(({ name }) => name === 'full_audit')?.priceMicroUsdc ?? 0);
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-mpp-guide-'));
    symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (): Promise<string> =>
    runPrinted(
      fillIn(command, {
        'https://sightline.example': stack.api.url,
        '0x...': buyer.privateKey,
        'https://example.com/': `${stack.sites.poor}/`,
      }),
      folder,
    );

  test('has no code that is not run here', () => {
    expect(
      listPrinted(guide)
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual([program, payment, proof, install, command].toSorted());
    const modules = [program, payment, proof].flatMap((text) => [...text.matchAll(/ from '([^'/:]+)[^']*'/g)]);
    const packages = new Set(modules.map(([, name]) => name).filter((name) => name !== 'node'));
    // The newest viem wants an mppx that is not published yet.
    const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const versions = Object.entries(dependencies).filter(([name]) => packages.has(name));
    expect(versions).toHaveLength(packages.size);
    expect(install.trim()).toBe(`npm install ${versions.map((pair) => pair.join('@')).join(' ')}`);
  });

  test('buys an audit by its program and its command', async () => {
    writeFileSync(join(folder, 'buy.ts'), program);
    const before = await balances();
    expect(await run()).toMatch(/^http:\/\/localhost:\d+\/reports\/[0-9a-f]{32}\n$/);
    expect(before.buyer - (await balances()).buyer).toBe(price);
  });

  test('gets the result of a lost answer again for one payment', async () => {
    const [beginning = ''] = program.split('const answer');
    writeFileSync(join(folder, 'buy.ts'), `${beginning}${payment}${proof}`);
    const before = await balances();
    const first = await run();
    expect(first).toMatch(/^200 \{/);
    expect(await run()).toBe(first);
    expect(before.buyer - (await balances()).buyer).toBe(price);
    writeFileSync(join(folder, 'buy.ts'), `${beginning}${payment}${proof.replace(", 'payer-proof': proof", '')}`);
    expect(await run()).toMatch(/^409 .*"code":"payment_already_used"/);
  });

  test('names the command that checks every route', () => {
    expect(guide).toContain('`mppx validate https://sightline.example`'); // What `validate` above runs.
  });
});

async function balances(): Promise<{ buyer: bigint; seller: bigint }> {
  const { chain, seller } = stack;
  return { buyer: await chain.balance(buyer.address), seller: await chain.balance(seller.address) };
}

describe('one authorization', () => {
  const order = { capability: 'check_llms_txt' };
  const priceOf = (name: string): bigint => BigInt(catalog.find((row) => row.name === name)?.priceMicroUsdc ?? 0);

  /** What a client of x402 would send, over what a client of MPP signed. */
  async function asX402({ authorization }: MppPayment, capability: string): Promise<string> {
    const { payload } = JSON.parse(Buffer.from(authorization.slice('Payment '.length), 'base64url').toString()) as {
      payload: Record<string, string>;
    };
    const { type: _type, signature, ...signed } = payload;
    const required = await requiredOf(stack, { capability });
    const accepted = required.accepts[0];
    const envelope = { x402Version: 2, accepted, payload: { signature, authorization: signed } };
    return Buffer.from(JSON.stringify(envelope)).toString('base64');
  }

  test('shown by MPP and by x402 at the same time, also for something else of the same price, is one sale', async () => {
    const other = { capability: 'check_schema' };
    expect(priceOf(other.capability)).toBe(priceOf(order.capability));
    const before = await balances();
    const payment = await signChallenge(stack, buyer, order);
    const { authorization } = payment;
    const [mine, theirs] = [await asX402(payment, order.capability), await asX402(payment, other.capability)];
    const answers = await Promise.all([
      presentWith(stack, order, { authorization }),
      presentWith(stack, order, { 'payment-signature': mine }),
      presentWith(stack, other, { 'payment-signature': theirs }),
      presentWith(stack, other, { authorization }),
      presentWith(stack, order, { authorization }),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // Whoever comes while it is sold, or after: a conflict, and never "pay again".
    expect(statuses.filter((status) => status !== 200)).toEqual([409, 409, 409, 409]);
    const after = await balances();
    expect(before.buyer - after.buyer).toBe(priceOf(order.capability));
    expect(after.seller - before.seller).toBe(priceOf(order.capability));
  });

  test('both rails in one request are refused, and the payment is still good', async () => {
    const payment = await signChallenge(stack, buyer, order);
    const { authorization } = payment;
    const both = { authorization, 'payment-signature': await asX402(payment, order.capability) };
    const refused = await presentWith(stack, order, both);
    expect([refused.status, await codeOf(refused)]).toEqual([400, 'several_payments']);
    expect((await presentWith(stack, order, { authorization })).status).toBe(200);
  });

  test('P1: a lost answer comes again by a proof of the payer, and not by the credential alone', async () => {
    const { authorization, nonce } = await signChallenge(stack, buyer, order);
    const first = await presentWith(stack, order, { authorization });
    const again = await presentWith(stack, order, { authorization });
    expect([again.status, await codeOf(again)]).toEqual([409, 'payment_already_used']);
    const proof = await proveRepeat(stack, buyer, nonce, order);
    const repeat = await presentWith(stack, order, { authorization, 'payer-proof': proof });
    expect(repeat.status).toBe(200);
    expect(await repeat.text()).toBe(await first.text());
    expect(repeat.headers.get('payment-receipt')).toBe(first.headers.get('payment-receipt'));
    const stranger = await stack.chain.freshAccount();
    const forged = await proveRepeat(stack, stranger, nonce, order);
    const stolen = await presentWith(stack, order, { authorization, 'payer-proof': forged });
    expect([stolen.status, await codeOf(stolen)]).toEqual([400, 'payer_proof_invalid']);
  });
});

test('A12: another scheme of Authorization is no payment, and of ours nothing goes into an answer or the log', async () => {
  const bearer = await presentWith(stack, {}, { authorization: 'Bearer a-token-of-someone' });
  expect([bearer.status, await codeOf(bearer)]).toEqual([402, 'payment_required']);
  const secret = Buffer.from('{"challenge":"a-secret-of-mine"}').toString('base64url');
  const garbage = await presentWith(stack, {}, { authorization: `Payment ${secret}` });
  expect(garbage.status).toBe(402);
  expect(garbage.headers.get('www-authenticate')).toMatch(/^Payment id="/);
  expect(await garbage.text()).not.toContain(secret);
});

describe('the MCP client of mppx', () => {
  const TOOL = 'check_llms_txt';

  test.each<Era>(['modern', 'legacy'])('pays a call by _meta and reads its receipt, %s era', async (era) => {
    const client = await connect(`${stack.api.url}/mcp`, era);
    try {
      const call = { name: TOOL, arguments: { url: stack.sites.good } };
      const unpaid = await client.callTool(call);
      const { calls } = (await mppx.do('callTool', { key: buyer.privateKey, domain: BASE.domain, result: unpaid })) as {
        calls: { _meta: Record<string, unknown> }[];
      };
      const before = await balances();
      const paid = await client.callTool({ ...call, _meta: calls[1]?._meta ?? {} });
      expect(paid.isError ?? false).toBe(false);
      expect(before.buyer - (await balances()).buyer).toBe(
        BigInt(catalog.find(({ name }) => name === TOOL)?.priceMicroUsdc ?? 0),
      );
      const judged = (await mppx.do('callTool', {
        key: buyer.privateKey,
        domain: BASE.domain,
        result: unpaid,
        paid,
      })) as {
        outcome: { receipt: Record<string, unknown> };
      };
      expect(judged.outcome.receipt).toMatchObject({ status: 'success', method: 'evm', chainId: 8453 });
      const again = await client.callTool({ ...call, _meta: calls[1]?._meta ?? {} });
      expect(again).toMatchObject({ isError: true, structuredContent: { code: 'payment_already_used' } });
    } finally {
      await client.close();
    }
  });
});
