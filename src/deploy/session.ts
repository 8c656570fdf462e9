import { findAccount, type PlatformAccount, readWorkersPlan, type WorkersPlan } from './account.ts';
import { type HeldLock, LEASE_S, type LockOrder, RENEW_EVERY_MS, takeDeployLock } from './lock.ts';
import type { DeployEnvironment } from './configuration.ts';
import type { DeployRefusal } from './refusal.ts';
import type { AskHeld, StepPorts } from './run.ts';

export type SessionOrder = { env: DeployEnvironment; account: string | undefined; isDryRun: boolean };

export type SessionPorts = Pick<StepPorts, 'api' | 'say'> & {
  chooseAccount: ((accounts: readonly PlatformAccount[]) => Promise<PlatformAccount | undefined>) | undefined;
  /** The account of every call from now on. */
  useAccount: (id: string) => void;
  lock: Pick<LockOrder, 'holder' | 'isGone'>;
  /** Calls `work` now and then until it is stopped. */
  every: (ms: number, work: () => Promise<void>) => () => void;
  nowMs: () => number;
};

/** Does `work` in the account of an order while no other run may change the same environment. A dry run changes nothing and takes no lock. */
export async function runInSession<T>(
  order: SessionOrder,
  ports: SessionPorts,
  work: (account: PlatformAccount, askHeld: AskHeld) => Promise<T>,
): Promise<T | DeployRefusal> {
  const found = await findAccount(ports.api, order.account, ports.chooseAccount);
  if (!found.ok) return found;
  const { account } = found;
  ports.useAccount(account.id);
  const plan = await readWorkersPlan(ports.api, account.id);
  if (!plan.ok) return plan;
  ports.say({ step: 'account', title: 'Account', kind: 'found', text: formatAccount(account, plan.plan) });
  if (order.isDryRun) return work(account, () => Promise.resolve(true));
  const askedMs = ports.nowMs();
  const lock = await takeDeployLock(ports.api, { accountId: account.id, env: order.env, ...ports.lock });
  if (!lock.ok) return lock;
  return runHolding({ lock, askedMs }, ports, (askHeld) => work(account, askHeld));
}

const formatAccount = ({ name, id }: PlatformAccount, plan: WorkersPlan): string =>
  plan === 'unknown'
    ? `${name} (${id}); this login may not read its plan, so the platform will refuse what the free one cannot do`
    : `${name} (${id}), on the paid Workers plan`;

/** So long before its end a lease is renewed before anything else is done. */
const MARGIN_MS = 15_000;

/**
 * Runs `work` while the lock is renewed, and gives it back. A machine that slept, or had no network, renews nothing: the
 * clock says that the lease may have ended, and then it is asked for before the next call.
 */
async function runHolding<T>(
  { lock, askedMs }: { lock: HeldLock; askedMs: number },
  { every, nowMs }: SessionPorts,
  work: (askHeld: AskHeld) => Promise<T>,
): Promise<T> {
  let isLost = false;
  let endMs = askedMs + LEASE_S * 1_000;
  const renew = async (): Promise<boolean> => {
    const sentMs = nowMs();
    const outcome = await lock.renew();
    isLost ||= outcome === 'lost';
    if (outcome === 'held') endMs = sentMs + LEASE_S * 1_000;
    return outcome === 'held' && !isLost;
  };
  const stop = every(RENEW_EVERY_MS, async () => void (isLost || (await renew())));
  try {
    return await work(async () => !isLost && (nowMs() < endMs - MARGIN_MS || (await renew())));
  } finally {
    stop();
    if (!isLost) await lock.release();
  }
}
