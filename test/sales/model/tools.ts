import { BASE } from '../../../src/payment/terms/networks-data.ts';
import type { ChainReader } from '../../../src/payment/chain/chain.ts';
import type { Facilitator } from '../../../src/payment/facilitator/facilitator.ts';
import type { LedgerShard } from '../../../src/payment/ledger/protocol.ts';
import { type Sightings, createAccountCodes } from '../../../src/payment/chain/chain-memory.ts';
import { auditRoom, createHeldBytes } from '../../../src/net/held-bytes.ts';
import { createUnverifiedChecks } from '../../../src/payment/facilitator/unverified-checks.ts';
import { createPaymentGuard } from '../../../src/sales/failure-guard.ts';
import type { handlePurchase } from '../../../src/sales/purchase.ts';
import type { ReportStore } from '../../../src/sales/reports/report-store.ts';

type Tools = Parameters<typeof handlePurchase>[0];

type Given = {
  caller: string;
  now: () => number;
  chain: ChainReader;
  shardOf: (text: string) => Promise<{ shard: string; ledger: LedgerShard }>;
  sightings: Sightings;
  salt: string;
  payTo: string;
  verify: Facilitator['verify'];
  settle: Facilitator['settle'];
  waitUntil: (promise: Promise<unknown>) => void;
  reports: Pick<ReportStore, 'put' | 'get' | 'delete'>;
};

const never = (): never => {
  throw new Error('nothing of this is sold here');
};

/** What a purchase of the model may touch: the real parts where there are some, and what nobody uses throws. */
export function toolsOf({
  caller,
  now,
  chain,
  shardOf,
  sightings,
  salt,
  payTo,
  verify,
  settle,
  waitUntil,
  reports,
}: Given): Tools {
  return {
    seller: {
      network: BASE,
      payTo,
      rpcUrl: '',
      facilitatorUrl: '',
      facilitatorAuthorization: undefined,
      facilitatorBudget: { count: () => undefined, isTight: () => false },
      ledgerSecret: 'a secret of thirty-two bytes, or more',
      placingSecret: 'a secret of thirty-two bytes, or more',
      paymentsSinceS: 0,
      transferMaxAgeS: 86_400,
      confirmations: { small: 0, large: 'safe' },
      // Every transfer needs its payer's proof: what a bare hash buys is its first presenter's, by the terms of sale.
      proofFromMicroUsdc: 0,
      proofSalt: salt,
      isClosed: false,
      offers: new Map(),
      on: new Map([[BASE.id, {} as Tools['seller']]]), // Only its names are read.
    },
    shardOf,
    reports: {
      ...reports,
      describe: never,
      reportsOfRun: never,
      find: never,
      snapshot: never,
      keep: never,
      dropKept: never,
    },
    facilitator: { verify, settle },
    facilitatorIsBusy: () => false,
    trust: { readsEveryReceipt: () => Promise.resolve(false), foundOnChain: () => Promise.resolve() },
    chain,
    sightings,
    accountCodes: createAccountCodes(),
    unverifiedChecks: createUnverifiedChecks(),
    room: auditRoom('purchase', undefined, createHeldBytes()),
    guard: createPaymentGuard(caller, { limit: () => Promise.resolve({ success: true }) }, now),
    work: { guardedFetch: never, atTarget: never, newRewriter: never },
    measurerOf: () => Promise.resolve(undefined),
    meter: { reserve: () => Promise.resolve('admitted'), paid: () => Promise.resolve() },
    topUp: never,
    isShutOut: () => Promise.resolve(false),
    publish: never,
    now,
    waitUntil,
    timed: (_step, work) => work(),
    log: () => undefined,
  };
}
