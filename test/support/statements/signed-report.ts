import { buildKeySet } from '../../../src/statements/key-set.ts';
import { addStatement, readStatement } from '../../../src/statements/result-statement.ts';
import { signReceipt } from '../../../src/statements/purchase-receipt.ts';
import { importSigningKey, type SigningKey } from '../../../src/statements/signing-key.ts';

export const ISSUER = 'https://sightline.example';
export const REPORT_ID = '0123456789abcdef0123456789abcdef';
const HASH = 'ab'.repeat(32);
const AT = Date.UTC(2026, 10, 29);

/** A key whose seed is one byte, repeated. */
export const keyOf = (byte: number): Promise<SigningKey> => importSigningKey(new Uint8Array(32).fill(byte));

/** A small result with all that can be hard to hash: floats, other scripts, half a pair, what looks like a statement. */
export const RESULT = {
  capability: 'full_audit',
  url: 'https://example.com/',
  report_id: REPORT_ID,
  scores: { aeo: { score: 61, coverage: 0.9300000000000002, p: 1e-7 } },
  rubric: { version: '3.0.0', sha256: HASH },
  notes: ['Grüße, 😀 \ud83d', ',"statement":"unsigned"}', '{"claims":{'],
  warnings: [],
};

export const SNAPSHOT_SHA256 = 'cd'.repeat(32);

/** A stored report, signed. */
export const signedText = async (result: object = RESULT, byte = 1): Promise<string> =>
  addStatement(
    JSON.stringify(result),
    { reportId: REPORT_ID, capability: 'full_audit', snapshotSha256: SNAPSHOT_SHA256, issuedAtMs: AT },
    { issuer: ISSUER, key: await keyOf(byte) },
  );

/** What its buyer got. `rail`: of the ledger; `method`: as the answer says it. */
export async function boughtText(
  byte = 1,
  { rail = 'x402', method = rail }: { rail?: string; method?: string } = {},
): Promise<string> {
  const text = await signedText();
  const claims = readStatement(text)?.claims;
  if (claims === undefined) throw new Error('the text has no statement');
  const isByCredits = rail === 'credits';
  const onChain = { network: 'eip155:8453', transaction: `0x${'ef'.repeat(32)}`, payer: `0x${'12'.repeat(20)}` };
  const facts = { rail, paymentId: 'x402:1', amount: '350000', amountUsd: '0.35', paidAtMs: AT };
  const receipt = await signReceipt(claims, isByCredits ? facts : { ...facts, onChain }, await keyOf(byte));
  const paid = { method, amount: '350000', amount_usd: '0.35' };
  const payment = isByCredits
    ? { ...paid, balance_usd: '4.65' }
    : { ...paid, ...onChain, settled_at: new Date(AT).toISOString() };
  return `${text.slice(0, -1)},${JSON.stringify({ publish_token: 'secret', payment, receipt, report_url: 'x' }).slice(1)}`;
}

/** The key set of a service with these keys, the first of results and the second of delivery figures. */
export const keySetText = async (results = 1, delivery = 2): Promise<string> =>
  JSON.stringify(await buildKeySet({ results: await keyOf(results), delivery: await keyOf(delivery), retired: [] }));
