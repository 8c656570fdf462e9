import type { CapabilityTools, TopUpRefusal } from '../capabilities/capability.ts';
import type { SoldRow } from '../capabilities/credit-packs.ts';
import { AUDIT_BYTES, type AuditRoom, SITE_BYTES } from '../net/held-bytes.ts';
import type { ChainReader } from '../payment/chain/chain.ts';
import type { SvmReader } from '../payment/chain/svm-chain.ts';
import type { Sightings, AccountCodes } from '../payment/chain/chain-memory.ts';
import type { PledgeRequest } from '../payment/credits/protocol.ts';
import type { Facilitator } from '../payment/facilitator/facilitator.ts';
import type { TrustKeeper } from '../payment/facilitator/trust.ts';
import type { UnverifiedChecks } from '../payment/facilitator/unverified-checks.ts';
import { METER_WINDOW_MS, type MeterVerdict } from '../payment/ledger/engine-meter.ts';
import { type LedgerShard, LedgerUnavailable } from '../payment/ledger/protocol.ts';
import type { RunProgress } from '../visibility/run/run.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import type { Watcher } from './event-stream.ts';
import type { PaymentGuard } from './failure-guard.ts';
import type { OrderInput } from './read-order.ts';
import type { ReportStore } from './reports/report-store.ts';
import type { CreditAccounts } from './credit-accounts.ts';
import type { OfferPorts, Seller } from './seller.ts';
import type { AddressPolicy } from '../net/address-policy.ts';
import type { Limiter } from '../rate-limits/caller-counts.ts';

type ClaimHandle = { ledger: Pick<LedgerShard, 'release'>; key: string; attempt: number };
type Metering = Pick<PurchaseTools, 'meter' | 'log'>;

/**
 * What the meter counts runs by: few of one id may be unpaid within its hour. `spent` is the answer to more. `isPrepaid`: the
 * money has arrived, so what others owe keeps no run of it from beginning.
 */
export type Metered = { id: string; spent: PurchaseAnswer; isPrepaid?: boolean };

/** A payment pays for one run. */
export const buildMeteredPayment = (key: string): Metered => ({
  id: key,
  spent: refusePayment('too_many_failures', undefined, METER_WINDOW_MS / 1000),
});

/** Why no engine money is spent on what is held now (rule P5); its claim is free again then. */
export async function refuseByMeter(
  { meter }: Metering,
  order: OrderInput,
  { ledger, key, attempt }: ClaimHandle,
  { id, spent, isPrepaid = false }: Metered,
): Promise<PurchaseAnswer | undefined> {
  try {
    const verdict = await meter.reserve(id, order, isPrepaid);
    if (verdict === 'admitted') return undefined;
    await ledger.release(key, attempt, false, true);
    return verdict === 'full' && !isPrepaid ? refusePayment('transfers_only') : spent;
  } catch (error) {
    if (error instanceof LedgerUnavailable) await ledger.release(key, attempt, false, true);
    throw error;
  }
}

/** A failed report counts for its hour longer, and costs no buyer an answer. */
export async function markMeterPaid({ meter, log }: Metering, id: string): Promise<void> {
  try {
    await meter.paid(id);
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    log({ event: 'meter_unavailable' });
  }
}

/** How long an isolate trusts its last answer, in milliseconds: a facilitator may go on lying for that long. */
const ASK_EVERY_MS = 30_000;

/** Whether the facilitator's word is enough to deliver a sale below 1 USD. */
type TrustTool = {
  /** True as well when the keeper cannot be asked: the receipt is read then. */
  readsEveryReceipt: () => Promise<boolean>;
  /** Reports that a settlement was found on chain while every receipt is read. */
  foundOnChain: () => Promise<void>;
};

/** What this isolate last learned. */
export type TrustMemory = { isDistrusted: boolean; askedAtMs: number };

export function createTrustTool(
  keeper: () => TrustKeeper,
  memory: TrustMemory,
  { now, log }: { now: () => number; log: (event: Record<string, unknown>) => void },
): TrustTool {
  return {
    async readsEveryReceipt() {
      if (now() - memory.askedAtMs < ASK_EVERY_MS) return memory.isDistrusted;
      try {
        memory.isDistrusted = await keeper().isDistrusted();
        memory.askedAtMs = now();
        return memory.isDistrusted;
      } catch (error) {
        log({ event: 'facilitator_trust_unknown', error: String(error).slice(0, 200) });
        return true;
      }
    },
    async foundOnChain() {
      try {
        await keeper().noteGoodLook();
      } catch (error) {
        log({ event: 'facilitator_trust_unknown', error: String(error).slice(0, 200) }); // The next one counts.
      }
    },
  };
}

/** Counts engine money that is spent before it is paid for (rule P5), by payment: what the engines of its order cost. A meter that is down throws LedgerUnavailable. */
export type EngineMeterTool = {
  reserve: (paymentKey: string, order: OrderInput, isPrepaid: boolean) => Promise<MeterVerdict>;
  paid: (paymentKey: string) => Promise<void>;
};

/** Everything one purchase may touch; made once per request, so that the steps know no binding. */
export type PurchaseTools = {
  seller: Seller;
  /** The ledger shard of a payer (signed payloads) or of a transaction hash (transfers), with its name. */
  shardOf: (text: string) => Promise<{ shard: string; ledger: LedgerShard }>;
  reports: ReportStore;
  facilitator: Facilitator;
  trust: TrustTool;
  /** Past half of the facilitator's budget the payer's balance is read before the facilitator is asked (rule P12). */
  facilitatorIsBusy: () => boolean;
  chain: ChainReader;
  /** In place of `chain`, where the payment is on Solana. */
  svm?: SvmReader | undefined;
  sightings: Sightings;
  /** Which payers are contract wallets, as far as it was asked lately. */
  accountCodes: AccountCodes;
  /** Payloads that are being verified because their signature cannot be judged here. */
  unverifiedChecks: UnverifiedChecks;
  work: Pick<CapabilityTools, 'guardedFetch' | 'openBrowser' | 'atTarget' | 'newRewriter'>;
  /** The measurement that this payment and request lead to; undefined where its engines are not configured. */
  measurerOf: (paymentKey: string, order: OrderInput) => Promise<Measurer | undefined>;
  meter: EngineMeterTool;
  /** Memory for the work; who gives the tools out releases it. */
  room: AuditRoom;
  /** Promises the account of a paying address an amount for when its payment is settled; LedgerUnavailable when it cannot be. */
  topUp: (payer: string, pledge: PledgeRequest) => Promise<TopUpRefusal | undefined>;
  /** Whether a paying address was removed from its account, which it opens no more. LedgerUnavailable when no one can say. */
  isShutOut: (payer: string) => Promise<boolean>;
  /** Makes a sold report public: badge and history of its site show it from now on. */
  publish: (reportId: string) => Promise<void>;
  /** Why nothing new can be sold here now, decided before the payment is looked at; what was sold is served all the same. */
  closed?: PurchaseAnswer;
  /** Who follows this purchase as an event stream. */
  watcher?: Watcher;
  /** Aborted when the buyer calls the purchase off: nothing is settled for it any more. */
  signal?: AbortSignal;
  /** Unix milliseconds. */
  now: () => number;
  /** Keeps the Worker alive until the promise settles, whether or not the buyer still listens (rule P26). */
  waitUntil: (promise: Promise<unknown>) => void;
  /** Does a step with a span of its own, named by a constant. */
  timed: <T>(step: string, work: () => Promise<T>) => Promise<T>;
  /** One JSON line; never payment headers, secrets or full URLs. */
  log: (event: Record<string, unknown>) => void;
};

/** The same for a payment that comes with the request, and so meets the limits of paid requests. */
export type PaymentTools = PurchaseTools & { guard: PaymentGuard };

/** What the work of a row counts for before it has read anything: a check of one subject reads a few documents. */
export const computeRoomBytes = ({ name, engineBacked }: Pick<SoldRow, 'name' | 'engineBacked'>): number =>
  engineBacked || name.startsWith('check_') || name.startsWith('credits') ? AUDIT_BYTES : SITE_BYTES;

/** Runs of one purchase: its measurement, by an object that only this payment and request lead to. */
export type Measurer = {
  measure: NonNullable<CapabilityTools['measure']>;
  /** How far each run of this purchase is by now; waits until more than `seen` prompts are done. Undefined: one is not there (yet). */
  follow: (seen: number) => Promise<readonly RunProgress[] | undefined>;
};

/** Who follows a purchase, and who may call it off before it is paid. */
export type PurchaseFollower = { watcher?: Watcher; signal?: AbortSignal };

/**
 * What the services that sell work with, whichever way a request came: made once per request by the Worker, so that they
 * know no binding.
 */
export type SalesPorts = OfferPorts & {
  /** The tools of one purchase from this seller. */
  toolsOf: (seller: Seller, given: PurchaseFollower & { room: AuditRoom }) => PurchaseTools;
  /** Which addresses may be fetched. */
  policy: AddressPolicy;
  credits: CreditAccounts;
  /** Records a call that prepaid credits paid for in the operator's register. It never fails. */
  registerCreditCall: (capability: string, microUsdc: number) => Promise<void>;
  /** Counts failed payments for all isolates. */
  failedPayments: Limiter;
};
