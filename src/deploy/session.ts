import { findAccount, type PlatformAccount, readWorkersPlan, type WorkersPlan } from './account.ts';
import { type HeldLock, type LockOrder, RENEW_EVERY_MS, takeDeployLock } from './lock.ts';
import type { DeployEnvironment } from './configuration.ts';
import type { DeployRefusal } from './refusal.ts';
import type { StepPorts } from './run.ts';

export type SessionOrder = { env: DeployEnvironment; account: string | undefined; isDryRun: boolean };

export type SessionPorts = Pick<StepPorts, 'api' | 'say'> & {
  chooseAccount: ((accounts: readonly PlatformAccount[]) => Promise<PlatformAccount | undefined>) | undefined;
  /** The account of every call from now on. */
  useAccount: (id: string) => void;
  lock: Pick<LockOrder, 'holder' | 'isGone'>;
  /** Calls `work` now and then until it is stopped. */
  every: (ms: number, work: () => Promise<void>) => () => void;
};

/** Does `work` in the account of an order while no other run may change the same environment. A dry run changes nothing and takes no lock. */
export async function runInSession<T>(
  order: SessionOrder,
  ports: SessionPorts,
  work: (account: PlatformAccount, isHeld: () => boolean) => Promise<T>,
): Promise<T | DeployRefusal> {
  const found = await findAccount(ports.api, order.account, ports.chooseAccount);
  if (!found.ok) return found;
  const { account } = found;
  ports.useAccount(account.id);
  const plan = await readWorkersPlan(ports.api, account.id);
  if (!plan.ok) return plan;
  ports.say({ step: 'account', title: 'Account', kind: 'found', text: formatAccount(account, plan.plan) });
  if (order.isDryRun) return work(account, () => true);
  const lock = await takeDeployLock(ports.api, { accountId: account.id, env: order.env, ...ports.lock });
  if (!lock.ok) return lock;
  return runHolding(lock, ports, (isHeld) => work(account, isHeld));
}

const formatAccount = ({ name, id }: PlatformAccount, plan: WorkersPlan): string =>
  plan === 'unknown'
    ? `${name} (${id}); this login may not read its plan, so the platform will refuse what the free one cannot do`
    : `${name} (${id}), on the paid Workers plan`;

/** Runs `work` while the lock is renewed, and gives it back. */
async function runHolding<T>(
  lock: HeldLock,
  { every }: SessionPorts,
  work: (isHeld: () => boolean) => Promise<T>,
): Promise<T> {
  let isHeld = true;
  const stop = every(RENEW_EVERY_MS, async () => {
    isHeld = isHeld && (await lock.renew());
  });
  try {
    return await work(() => isHeld);
  } finally {
    stop();
    if (isHeld) await lock.release();
  }
}
