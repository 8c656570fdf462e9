import * as z from 'zod';
import type { TopUpRefusal } from '../capabilities/capability.ts';
import { creditPacks } from '../capabilities/credit-packs.ts';
import { readCardKeys } from '../payment/cards/keys.ts';
import type { CardLedgerObject } from '../payment/cards/protocol.ts';
import type { CreditAccountObject, PledgeRequest } from '../payment/credits/protocol.ts';
import { LedgerUnavailable } from '../payment/ledger/protocol.ts';
import { formatUsdBalance } from '../payment/terms/constants.ts';
import { BASE, type PaymentNetwork } from '../payment/terms/networks-data.ts';
import { reach, runOrUnavailable } from './ledger-client.ts';
import { getPaymentNetwork } from './seller.ts';
import { type ApiWorkerSettings, isClosedForSale } from './settings.ts';

type Log = (event: Record<string, unknown>) => void;

/** Prepaid accounts as sales reach them. */
export type CreditAccounts = {
  open: (account: string) => CreditAccountObject;
  /**
   * The account id of an address, made when it is new; undefined for a wallet that was removed from its account and opens it
   * no more. @throws LedgerUnavailable
   */
  ofAddress: (address: string) => Promise<string | undefined>;
};

/**
 * The name of the object with the credits of an account. Those of a test network have another: what was bought with coins
 * that are worth nothing must not be spent where the deployment is paid on Base later.
 */
export const formatAccountObject = (account: string, { id }: PaymentNetwork): string =>
  id === BASE.id ? account : `${id}:${account}`;

/**
 * A prepaid account as the Worker sees it: whatever goes wrong on the way to its object is LedgerUnavailable (rule P31).
 * @param object looks the object up, each time
 */
export function createCreditAccountClient(object: () => CreditAccountObject, log: Log): CreditAccountObject {
  const callStub = <T>(method: string, call: () => Promise<T>): Promise<T> => reach(log, `credits.${method}`, call);
  return {
    pledge: (request) => callStub('pledge', () => object().pledge(request)),
    view: () => callStub('view', () => object().view()),
    reports: () => callStub('reports', () => object().reports()),
    lines: (query) => callStub('lines', () => object().lines(query)),
    line: (place) => callStub('line', () => object().line(place)),
    applyCard: (target) => callStub('applyCard', () => object().applyCard(target)),
    holdCard: (hold) => callStub('holdCard', () => object().holdCard(hold)),
    forfeit: (isAccepted) => callStub('forfeit', () => object().forfeit(isAccepted)),
    reserve: (request) => callStub('reserve', () => object().reserve(request)),
    renew: (id, attempt) => callStub('renew', () => object().renew(id, attempt)),
    capture: (id, attempt, reportId) => callStub('capture', () => object().capture(id, attempt, reportId)),
    release: (id, attempt, failed) => callStub('release', () => object().release(id, attempt, failed)),
    releaseClient: (clientId) => callStub('releaseClient', () => object().releaseClient(clientId)),
    standing: (id) => callStub('standing', () => object().standing(id)),
    adjust: (order) => callStub('adjust', () => object().adjust(order)),
    entries: (beforeMs) => callStub('entries', () => object().entries(beforeMs)),
  };
}

/**
 * Promises the account of a paying address an amount, or says why it has none. @throws LedgerUnavailable when it cannot be:
 * nothing may be settled then.
 */
export async function recordCreditPledge(
  accounts: CreditAccounts,
  log: Log,
  payer: string,
  pledge: PledgeRequest,
): Promise<TopUpRefusal | undefined> {
  const account = await accounts.ofAddress(payer);
  if (account === undefined) return 'wallet_removed';
  if (await accounts.open(account).pledge(pledge)) return undefined;
  log({ event: 'too_many_top_ups' });
  throw new LedgerUnavailable('too many top-ups of this account are open');
}

/** The key of a call in results and measurements, as `paymentKey` is that of a payment. */
export const buildCreditCallKey = (account: string, id: string): string => `credit:${account}:${id}`;

/** The parts of such a key. */
export function parseCreditCallKey(key: string): { account: string; id: string } {
  const [, account = '', id = ''] = key.split(':');
  return { account, id };
}

/** Whether the report of a call may be read: once it is captured under this very id. */
export async function readCreditReportState(
  accounts: CreditAccounts,
  reportId: string,
  key: string,
): Promise<'settled' | 'unsettled'> {
  const { account, id } = parseCreditCallKey(key);
  const standing = await accounts.open(account).standing(id);
  return standing.state === 'captured' && standing.reportId === reportId ? 'settled' : 'unsettled';
}

/** What a client without access has reserved is free again (rule A5); unreachable, its leases end by themselves soon. */
export async function releaseReserves(accounts: CreditAccounts, account: string, clientId: string): Promise<void> {
  await runOrUnavailable(() => accounts.open(account).releaseClient(clientId), undefined);
}

const paidBody = z.object({ payment: z.object({ payer: z.string() }) });

/**
 * The answer of the sale of a pack with what the account can spend now; a repeat goes without, since another client may
 * send it. Reading the balance is what credits the top-up; where the account cannot be reached, its own alarm does so,
 * and the balance is null.
 * @param body the answer as JSON
 */
export async function addBalance(accounts: CreditAccounts, body: string): Promise<string> {
  const { payer } = paidBody.parse(JSON.parse(body)).payment;
  const balance = await runOrUnavailable(async () => {
    const account = await accounts.ofAddress(payer);
    if (account === undefined) return null; // It is not this payer's to read any more.
    return formatUsdBalance((await accounts.open(account).view()).balanceMicroUsdc);
  }, null);
  return `${body.slice(0, -1)},"balance":${JSON.stringify(balance)}}`;
}

const CENTS_PER_DOLLAR = 100;

/** A pack as a card pays it: its price is that in USDC, to the cent. */
export function findCardPack(dollars: string): { pack: string; cents: number; dollars: number } | undefined {
  const row = creditPacks.find((one) => String(one.dollars) === dollars);
  return row && { pack: row.name, cents: row.dollars * CENTS_PER_DOLLAR, dollars: row.dollars };
}

/** Whether cards buy credits here now. */
export const canSellByCard = (settings: ApiWorkerSettings, isLocal: boolean): boolean =>
  !isClosedForSale(settings) && readCardKeys(settings, { network: getPaymentNetwork(settings), isLocal }).ok;

/**
 * The purchases by card as the Worker sees them: whatever goes wrong on the way to their object is LedgerUnavailable
 * (rule P31).
 * @param object looks the object up, each time
 */
export function createCardLedgerClient(object: () => CardLedgerObject, log: Log): CardLedgerObject {
  const callStub = <T>(method: string, call: () => Promise<T>): Promise<T> => reach(log, `cards.${method}`, call);
  return {
    begin: (order, places) => callStub('begin', () => object().begin(order, places)),
    visit: (id, account) => callStub('visit', () => object().visit(id, account)),
    receive: (event) => callStub('receive', () => object().receive(event)),
    purchases: (asked) => callStub('purchases', () => object().purchases(asked)),
    purchase: (id) => callStub('purchase', () => object().purchase(id)),
    locate: (reference) => callStub('locate', () => object().locate(reference)),
    paidOn: (fromDay, toDay) => callStub('paidOn', () => object().paidOn(fromDay, toDay)),
    owed: () => callStub('owed', () => object().owed()),
    refund: (asked) => callStub('refund', () => object().refund(asked)),
    days: (sinceDay) => callStub('days', () => object().days(sinceDay)),
    endOpen: (account) => callStub('endOpen', () => object().endOpen(account)),
  };
}
