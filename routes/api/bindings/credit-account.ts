import type { CreditAccountObject, PledgeRequest } from '../../../src/payment/credits/protocol.ts';
import { LedgerUnavailable } from '../../../src/payment/ledger/protocol.ts';
import { getAuthorizationStore } from './people-store.ts';
import { logLine } from '../../shared/log.ts';
import type { Env } from './env.ts';
import { reach } from '../../../src/sales/ledger-client.ts';

type Log = (event: Record<string, unknown>) => void;

/** A prepaid account as the Worker sees it: whatever goes wrong on the way to its object is LedgerUnavailable (rule P31). */
export function getCreditAccount(env: Pick<Env, 'CREDIT_ACCOUNT'>, account: string, log: Log): CreditAccountObject {
  const object = () => env.CREDIT_ACCOUNT.getByName(account) as unknown as CreditAccountObject; // The class implements it.
  const callStub = <T>(method: string, call: () => Promise<T>): Promise<T> => reach(log, `credits.${method}`, call);
  return {
    pledge: (request) => callStub('pledge', () => object().pledge(request)),
    view: () => callStub('view', () => object().view()),
    reports: () => callStub('reports', () => object().reports()),
    reserve: (request) => callStub('reserve', () => object().reserve(request)),
    renew: (id, attempt) => callStub('renew', () => object().renew(id, attempt)),
    capture: (id, attempt, reportId) => callStub('capture', () => object().capture(id, attempt, reportId)),
    release: (id, attempt, failed) => callStub('release', () => object().release(id, attempt, failed)),
    releaseClient: (clientId) => callStub('releaseClient', () => object().releaseClient(clientId)),
    standing: (id) => callStub('standing', () => object().standing(id)),
  };
}

/** The account id of an address, made when it is new. */
export async function ensurePayerAccountId(
  env: Pick<Env, 'AUTHORIZATION_STORE'>,
  log: Log,
  address: string,
): Promise<string> {
  const { id } = await reach(log, 'payerAccount', () => getAuthorizationStore(env).payerAccount(address));
  return id;
}

/** Promises the account of a paying address an amount. @throws LedgerUnavailable when it cannot be: nothing may be settled then. */
export async function recordCreditPledge(env: Env, log: Log, payer: string, pledge: PledgeRequest): Promise<void> {
  const account = await ensurePayerAccountId(env, log, payer);
  if (await getCreditAccount(env, account, log).pledge(pledge)) return;
  log({ event: 'too_many_top_ups' });
  throw new LedgerUnavailable('too many top-ups of this account are open');
}

/** The key of a call in results and measurements, as `paymentKey` is that of a payment. */
export const buildCreditCallKey = (account: string, id: string): string => `credit:${account}:${id}`;

/** Whether the report of a call may be read: once it is captured under this very id. */
export async function readCreditReportState(env: Env, reportId: string, key: string): Promise<'settled' | 'unsettled'> {
  const [, account = '', id = ''] = key.split(':');
  const standing = await getCreditAccount(env, account, logLine).standing(id);
  return standing.state === 'captured' && standing.reportId === reportId ? 'settled' : 'unsettled';
}
