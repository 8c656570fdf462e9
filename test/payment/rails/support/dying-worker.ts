import type { handlePurchase } from '../../../../src/sales/purchase.ts';

type Tools = Parameters<typeof handlePurchase>[0];
type Call = (...given: never[]) => Promise<unknown>;

/** A Worker that dies at one of its calls: before what the call does, or right after it, when its answer never arrives. */
export type Death = { call: number; when: 'before' | 'after' };

/** Never settles: what a dead Worker waits for. */
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/**
 * Counts the calls that a purchase makes to ledger, chain, facilitator, store and work, in their order, and dies at one of them.
 * `died` resolves when it has.
 */
export function makeDyingWorker(death?: Death) {
  const calls: string[] = [];
  let isDead = false;
  let tellDeath = (): void => undefined;
  const died = new Promise<'died'>((resolve) => {
    tellDeath = () => resolve('died');
  });
  const die = (): void => {
    isDead = true;
    tellDeath();
  };
  const wrap = (name: string, call: Call): Call => {
    const wrapped = async (...given: never[]): Promise<unknown> => {
      if (isDead) return never();
      const at = calls.push(name) - 1;
      if (death?.call === at && death.when === 'before') {
        die();
        return never();
      }
      const answer = await call(...given);
      if (death?.call === at) die();
      return isDead ? never() : answer;
    };
    return wrapped;
  };
  const wrapAll = <T extends object>(name: string, of: T): T =>
    Object.fromEntries(
      Object.entries(of).map(([method, call]) => [
        method,
        typeof call === 'function' ? wrap(`${name}.${method}`, call.bind(of) as Call) : call,
      ]),
    ) as T;
  const change = (tools: Tools): Tools => ({
    ...tools,
    chain: wrapAll('chain', tools.chain),
    ...(tools.svm === undefined ? {} : { svm: wrapAll('svm', tools.svm) }),
    facilitator: wrapAll('facilitator', tools.facilitator),
    reports: wrapAll('reports', tools.reports),
    shardOf: async (text) => {
      const { shard, ledger } = await tools.shardOf(text);
      return { shard, ledger: wrapAll('ledger', ledger) };
    },
  });
  return { calls, died, change };
}
