import { WorkerEntrypoint } from 'cloudflare:workers';
import { createControlApp } from '../../routes/control/app.ts';
import type { ControlEnv } from '../../routes/control/bindings/env.ts';
import { Operations } from '../../routes/api/bindings/operations-entrypoint.ts';
import { PaymentLedger as Ours } from '../../durable-objects/payment-ledger.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import type { ClaimRequest } from '../../src/payment/ledger/protocol.ts';
import { TOTALS_SCHEMA } from '../../src/payment/ledger/totals-rows.ts';
import { formatDay, TOTALS_DAYS } from '../../src/payment/ledger/totals.ts';
import { decideClaim } from '../../src/payment/ledger/claim.ts';
import { beginSettlement, releaseClaim, settleRow } from '../../src/payment/ledger/ledger.ts';
import { isUndecided } from '../../src/payment/ledger/row.ts';
import { type LedgerRows, openLedgerRows } from '../../src/payment/ledger/rows.ts';

export { AuthorizationStore } from '../../durable-objects/authorization-store.ts';
export { EngineMeter } from '../../durable-objects/engine-meter.ts';
export { EntryStore } from '../../durable-objects/entry-store.ts';
export { OperationsRegister } from '../../durable-objects/operations-register.ts';
export { RateCounter } from '../../durable-objects/rate-counter.ts';
export { ResourceStore } from '../../durable-objects/resource-store.ts';
export { TenantRegistry } from '../../durable-objects/tenant-registry.ts';
export { Operations };

const DAY_MS = 86_400_000;
const PAYERS = 5_000;
/** Capabilities of the days before: each shard has every fourth day. */
const OLD_CAPABILITIES = 6;
const OLD_EVERY = 4;

const hexOf = (number: number, digits: number): string => `0x${number.toString(16).padStart(digits, '0')}`;

/** The ledger as deployed, which can sell a great deal to itself. */
export class PaymentLedger extends Ours {
  /**
   * Books of an earlier version for the days before, then sales over the last day: by the steps of a real one, in one
   * task, so that the disk is written to once.
   */
  async fill(shard: number, first: number, sales: number): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec(TOTALS_SCHEMA);
    const startMs = Date.now();
    for (let day = 1 + (shard % OLD_EVERY); day < TOTALS_DAYS; day += OLD_EVERY)
      for (const { name, priceMicroUsdc } of catalog.slice(0, OLD_CAPABILITIES))
        sql.exec(
          `INSERT INTO day_totals VALUES (?, 'sale', ?, 'x402', '', 2, ?)`,
          formatDay(startMs - day * DAY_MS),
          name,
          2 * priceMicroUsdc,
        );
    const rows = openLedgerRows(sql, DAY_MS / 1000);
    for (let at = first; at < first + sales; at += 1)
      sell(rows, at, startMs - Math.floor(((first + sales - at) / sales) * DAY_MS * 0.9));
  }
}

function sell(rows: LedgerRows, at: number, nowMs: number): void {
  const row = catalog[at % catalog.length];
  if (row === undefined) throw new Error('no row to sell');
  const nonce = hexOf(at, 64);
  const payer = hexOf((at * 7_919) % PAYERS, 40);
  const request: ClaimRequest = {
    key: `eip3009:eip155:8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:${payer}:${nonce}`,
    method: 'x402',
    capability: row.name,
    fingerprint: nonce.slice(2),
    credentialSha256: nonce.slice(2),
    hasSecret: true,
    proven: false,
    payer,
    amountMicroUsdc: row.priceMicroUsdc,
    digest: nonce.slice(2),
    engineBacked: false,
    authorization: { nonce, validBeforeS: Math.floor(nowMs / 1000) + 300 },
  };
  const { write } = decideClaim(undefined, request, rows.claimContext(request, nowMs), nowMs);
  if (write === undefined) throw new Error('the payment was not claimed');
  rows.write(write);
  // One in fifty is given back.
  const isGivenBack = at % 50 === 0;
  const next = isGivenBack
    ? releaseClaim(write, write.attempt, { failed: true, nowMs })
    : beginSettlement(write, write.attempt, nonce.slice(2, 34), nowMs);
  if (next === undefined) throw new Error('the payment was not its own');
  rows.advance(write, next);
  if (isUndecided(next)) rows.advance(next, settleRow(next, hexOf(at + 1, 64), false, nowMs));
}

const app = createControlApp({ chats: {}, local: true });
const session = {
  operator: { id: 'b'.repeat(32), name: 'operator' },
  signedInAtMs: Date.now(),
  expiresAtMs: Number.MAX_SAFE_INTEGER,
};
/** Every browser is signed in: asking who it is, is measured elsewhere. */
const access = {
  session: async () => ({ ...session, signedInAtMs: Date.now() }),
  hasOperators: async () => true,
  usage: async () => ({}),
};

type BenchEnv = ControlEnv & { PAYMENT_LEDGER: DurableObjectNamespace<PaymentLedger> };

/** `POST /fill/<shard>/<first>/<sales>` fills; everything else is the control Worker's. */
export default class Bench extends WorkerEntrypoint<BenchEnv> {
  override async fetch(request: Request): Promise<Response> {
    const [, what, shard = '', first, sales] = new URL(request.url).pathname.split('/');
    if (what === 'fill') {
      const number = Number.parseInt(shard, 16);
      await this.env.PAYMENT_LEDGER.getByName(shard).fill(number, Number(first), Number(sales));
      return new Response('filled');
    }
    const { Operations: operations } = this.ctx.exports as unknown as { Operations: ControlEnv['OPERATIONS'] };
    const env = { ...this.env, OPERATIONS: operations, CONSOLE_ACCESS: access } as unknown as ControlEnv;
    return app.fetch(request, env, this.ctx);
  }
}
