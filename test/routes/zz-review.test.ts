import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decode, emptyChain, encode, get, ledgerRows, PAYER, post, problemOf, settledBy, signedCredential, type World, world, block } from './world.ts';
let seen: World;
beforeEach(() => { seen = world(); });
afterEach(() => { vi.restoreAllMocks(); });
const later = (s: number) => { const real = Date.now.bind(Date); const spy = vi.spyOn(Date, 'now').mockImplementation(() => real() + s * 1000); return spy; };

test.each([210, 301, 3000])('1 repeat of a settled sale %i s later', async (s) => {
  const credential = await signedCredential();
  expect((await post({ credential })).status).toBe(200);
  later(s);
  const again = await post({ credential });
  console.warn('REPEAT', s, again.status, again.status === 200 ? '' : (await again.json() as any).code);
});

test('1b settlement unknown, paid on chain, repeat after validBefore', async () => {
  seen.settle = () => Promise.reject(new TypeError('lost'));
  const credential = await signedCredential();
  const first = await post({ credential });
  console.warn('UNKNOWN first', first.status, (await first.json() as any).code);
  later(310);
  const again = await post({ credential });
  console.warn('UNKNOWN again', again.status, (await again.json() as any).code);
});

test('2 garbage signatures for a victim fill its places', async () => {
  let n = 0; let open: (() => void) | undefined; const gate = new Promise<void>((r) => { open = r; });
  seen.verify = async () => { n += 1; if (n <= 4) { await gate; return Response.json({ isValid: false, invalidReason: 'invalid_exact_evm_signature' }); } return Response.json({ isValid: true, payer: PAYER }); };
  const attacks = [];
  for (let i = 0; i < 4; i += 1) attacks.push(post({ credential: await signedCredential('check_health', { authorization: {} , }) }));
  await vi.waitFor(() => expect(seen.calls.verify).toHaveLength(4));
  const victim = await post({ credential: await signedCredential() });
  console.warn('VICTIM', victim.status, (await victim.json() as any).code);
  open?.(); await Promise.all(attacks);
});

test('3 random hashes are never counted', async () => {
  const headers = { 'cf-connecting-ip': '203.0.113.77' };
  const statuses = new Map<string, number>();
  for (let i = 0; i < 60; i += 1) { const a = await post({ credential: `0x${(i + 1).toString(16).padStart(64, 'e')}`, headers }); const k = `${a.status} ${(await a.json() as any).code}`; statuses.set(k, (statuses.get(k) ?? 0) + 1); }
  console.warn('RANDOM', JSON.stringify([...statuses]), 'rpc', seen.calls.rpc.length);
});

test('3b concurrent garbage passes the failure limit', async () => {
  seen.verify = { isValid: false, invalidReason: 'invalid_exact_evm_signature' };
  const headers = { 'cf-connecting-ip': '203.0.113.78' };
  const creds = []; for (let i = 0; i < 15; i += 1) creds.push(await signedCredential('check_health', { authorization: { from: `0x${(i + 5).toString(16).padStart(40, 'd')}` } }));
  const res = await Promise.all(creds.map((credential) => post({ credential, headers })));
  console.warn('CONC', res.map((r) => r.status).join(','));
});

test('4 refused settlements are free work', async () => {
  seen.settle = { success: false, errorReason: 'invalid_exact_evm_transaction_failed' };
  const headers = { 'cf-connecting-ip': '203.0.113.79' };
  const out = [];
  for (let i = 0; i < 26; i += 1) { const body = JSON.stringify({ url: `https://s${i}.example/` }); const a = await post({ credential: await signedCredential(), headers, body }); out.push(`${a.status} ${(await a.json() as any).code}`); }
  console.warn('REFUSED', JSON.stringify([...new Set(out)]), out.length, 'site', seen.calls.site.length);
}, 60000);

test('5 nonce used on chain by a third party but verify says simulation failed / insufficient', async () => {
  const credential = await signedCredential();
  const auth = (decode(credential) as any).payload.authorization;
  const tx = `0x${'aa'.repeat(32)}`; const b = block(990n); const pad = (a: string) => `0x${a.slice(2).toLowerCase().padStart(64, '0')}`;
  const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
  const base = { address: USDC, blockHash: b.hash, blockNumber: b.number, transactionHash: tx, transactionIndex: '0x0', removed: false };
  const logs = [ { ...base, logIndex: '0x0', topics: ['0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5', pad(auth.from), auth.nonce], data: '0x' },
    { ...base, logIndex: '0x1', topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', pad(auth.from), pad(env.PAY_TO)], data: `0x${(60000).toString(16).padStart(64, '0')}` } ];
  const receipt = { transactionHash: tx, status: '0x1', blockNumber: b.number, blockHash: b.hash, logs, transactionIndex: '0x0', from: PAYER, to: USDC, cumulativeGasUsed: '0x1', gasUsed: '0x1', effectiveGasPrice: '0x1', type: '0x2', logsBloom: '0x', contractAddress: null };
  seen.rpc = (m, p) => m === 'eth_call' ? `0x${'1'.padStart(64, '0')}` : m === 'eth_getLogs' ? [logs[0]] : m === 'eth_getTransactionReceipt' ? receipt : emptyChain(m, p);
  for (const word of ['invalid_exact_evm_transaction_simulation_failed', 'invalid_exact_evm_insufficient_balance', 'invalid_transaction_state', 'invalid_exact_evm_nonce_already_used']) {
    seen.verify = { isValid: false, invalidReason: word };
    const a = await post({ credential });
    console.warn('ELSEWHERE', word, a.status, a.status === 200 ? '' : (await a.json() as any).code);
  }
});

test('6 doubt lost after settle', async () => {
  seen.settle = () => Promise.reject(new TypeError('lost'));
  const real = env.PAYMENT_LEDGER.getByName.bind(env.PAYMENT_LEDGER);
  vi.spyOn(env.PAYMENT_LEDGER, 'getByName').mockImplementation(((name: string) => { const s = real(name) as any; return new Proxy({}, { get: (_t, k) => k === 'doubt' ? () => Promise.reject(new Error('down')) : (...a: unknown[]) => s[k](...a) }); }) as never);
  const a = await post({ credential: await signedCredential() });
  console.warn('DOUBT', a.status, JSON.stringify(await a.json()));
});

test('7 report between row prune and 26 h', async () => {
  const credential = await signedCredential();
  const { report_id: id } = (await (await post({ credential })).json()) as any;
  const shards = [...Array(256).keys()].map((i) => i.toString(16).padStart(2, '0'));
  void shards;
  const { runInDurableObject, listDurableObjectIds } = await import('cloudflare:test');
  later(25 * 3600 + 11 * 60);
  for (const oid of await listDurableObjectIds(env.PAYMENT_LEDGER)) await runInDurableObject(env.PAYMENT_LEDGER.get(oid), (o: any) => o.alarm());
  console.warn('REPORT rows', await ledgerRows(), 'status at 25h11', (await get(`/reports/${id}.json`)).status);
});

test('8 lost result of a settled sale whose target is down', async () => {
  const credential = await signedCredential();
  const { report_id: id } = (await (await post({ credential })).json()) as any;
  await env.REPORTS.delete(`reports/${id}.json`);
  seen.site = () => Promise.reject(new TypeError('down'));
  const a = await post({ credential });
  console.warn('LOST', a.status, JSON.stringify(await a.json()));
});

test('9 settle reply 429/500 with success false', async () => {
  seen.settle = () => Response.json({ success: false, errorReason: 'rate_limited' }, { status: 429 });
  const a = await post({ credential: await signedCredential() });
  console.warn('S429', a.status, (await a.json() as any).code);
  seen.verify = () => Response.json({ isValid: false, invalidReason: 'rate_limited' }, { status: 429 });
  const b = await post({ credential: await signedCredential() });
  console.warn('V429', b.status, (await b.json() as any).code);
});
