import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
import { exampleMonitorBody } from '../../src/monitors/core/monitor-body.ts';
import { type Mppx, startMppx } from '../support/stack/mppx-buyer.ts';

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
      payment: { transaction: receipt.reference, amount: String(row.priceMicroUsdc) },
    });
  });
});

async function balances(): Promise<{ buyer: bigint; seller: bigint }> {
  const { chain, seller } = stack;
  return { buyer: await chain.balance(buyer.address), seller: await chain.balance(seller.address) };
}
