import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpServer, readBody, startHttpServer } from '../../../local/http-server.ts';
import { encodeJson } from '../../../src/payment/rails/mpp/encoding.ts';
import { decodeBase64Text } from '../../../src/payment/terms/bytes.ts';
import { BASE, BASE_SEPOLIA, type PaymentNetwork, POLYGON } from '../../../src/payment/terms/networks-data.ts';
import { runCli } from '../../support/runner/run-cli.ts';
import { buildCharge, type Plant, startPlantedSeller } from '../../support/seller/planted-seller.ts';

type Report = {
  attempts: { signed: number; not_tried?: readonly string[] };
  checks: { id: string; status: string; note: string }[];
};

let folder: string;
let key: string;
let rpc: HttpServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-wallet-'));
  key = join(folder, 'key');
  writeFileSync(key, generatePrivateKey(), { mode: 0o600 });
  rpc = await startHttpServer(async (request, response) => {
    const { id, method } = JSON.parse(await readBody(request)) as { id: number; method: string };
    const block = { number: '0x0', hash: BASE_SEPOLIA.genesisHash, timestamp: '0x1', transactions: [] };
    const known: Record<string, unknown> = {
      eth_chainId: `0x${BASE_SEPOLIA.chainId.toString(16)}`,
      eth_getBlockByNumber: block,
    };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: known[method] ?? `0x${'f'.padStart(64, '0')}` }));
  });
});
afterAll(async () => {
  await rpc.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Credentials of the attempts on a planted seller, which refuses each, and the report. `isTried`: the attempts have begun. */
async function attack(build: (isTried: () => boolean) => Plant, ...more: string[]) {
  const credentials: string[] = [];
  const plant = build(() => credentials.length > 0);
  const seller = await startPlantedSeller({
    ...plant,
    answer: ({ credential }) => {
      if (credential !== undefined) credentials.push(credential);
      return undefined;
    },
  });
  try {
    const args = [seller.url, '--test-wallet', key, '--i-own-this', '--rpc', rpc.url, '--json', ...more];
    const ended = await runCli(['seller', ...args], { cwd: folder });
    expect(ended.err).toBe('');
    return { report: JSON.parse(ended.out) as Report, credentials: credentials.slice(1) }; // The first one is the garbage.
  } finally {
    await seller.stop();
  }
}

const offerOn = ({ id, usdc, domain, chainId }: PaymentNetwork, amount = '60000') => ({
  way: { network: id, asset: usdc, extra: { ...domain }, amount },
  request: encodeJson({ ...buildCharge(), amount, currency: usdc, methodDetails: { chainId, decimals: 6 } }),
});

/** The terms and challenges of a seller, at each 402 once the attempts have begun. */
const change = (isTried: () => boolean, next: () => ReturnType<typeof offerOn>): Plant => ({
  terms: (terms) => {
    if (isTried()) Object.assign(terms.accepts[0], next().way);
  },
  challenge: (params) => {
    if (isTried()) params['request'] = next().request;
  },
});

test.each(['x402', 'mpp'])(
  'a seller that offers Base once the wallet is open gets no payment by %s',
  async (protocol) => {
    const { report, credentials } = await attack(
      (isTried) => change(isTried, () => offerOn(BASE)),
      '--pay-by',
      protocol,
    );
    expect(credentials).toEqual([]);
    expect(report.attempts).toMatchObject({ signed: 0, not_tried: ['network_changed'] });
    const tried = report.checks.filter(({ id }) => id.startsWith('seller.pays.'));
    expect(new Set(tried.map(({ status, note }) => `${status}: ${note}`))).toEqual(
      new Set(['unknown: The seller offered another network later: not tried']),
    );
  },
);

test.each(['x402', 'mpp'])('a price that grows from answer to answer stops at --max-usd by %s', async (protocol) => {
  let amount = 0;
  const { report, credentials } = await attack(
    (isTried) =>
      change(isTried, () => {
        amount += 100_000;
        return offerOn(BASE_SEPOLIA, String(amount));
      }),
    '--pay-by',
    protocol,
  );
  const [, ...signed] = new Map(credentials.map(readPayment)).values(); // The first one is forged, and not signed.
  const sum = signed.reduce((total, value) => total + value, 0);
  expect(report.attempts.not_tried).toContain('cap_reached');
  expect(report.attempts.signed).toBeGreaterThan(0);
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThanOrEqual(1_000_000);
});

type Authorization = { value: string };

/** What a credential moves, in micro-USDC, by its signature: one payment may be shown twice. */
function readPayment(credential: string): [signature: string, microUsdc: number] {
  const [, request = ''] = /^Payment (.+)$/.exec(credential) ?? [];
  const text = request === '' ? decodeBase64Text(credential) : Buffer.from(request, 'base64url').toString();
  const { payload } = JSON.parse(text ?? '') as {
    payload: Authorization & { signature: string; authorization?: Authorization };
  };
  return [payload.signature, Number((payload.authorization ?? payload).value)];
}

test('a network that the wallet cannot sign for is skipped', async () => {
  const { report } = await attack(() => ({
    terms: (terms) => terms.accepts.unshift({ ...terms.accepts[0], ...offerOn(POLYGON).way }),
  }));
  expect(report.attempts).not.toHaveProperty('not_tried');
  expect(report.attempts.signed).toBeGreaterThan(0);
});
