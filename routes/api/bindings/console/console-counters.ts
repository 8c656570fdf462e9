import type { OperationsRegister, RegisterDays } from '../../../../durable-objects/operations-register.ts';
import { computeSha256Hex, generateRandomHex } from '../../../../src/lib/digest.ts';
import { mergeCreditUses } from '../../../../src/payment/credits/credit-usage.ts';
import type { GivenBack } from '../../../../src/payment/credits/given-back.ts';
import { createUnpaidCounter } from '../../../../src/payment/ledger/unpaid.ts';
import {
  chooseRegister,
  type DeadLetters,
  listRegisters,
  mergeDeadLetters,
  mergeRuns,
  type RunRecord,
} from '../../../../src/visibility/run/run-register.ts';
import type { Env } from '../env.ts';

type Log = (event: Record<string, unknown>) => void;
type Bound = Pick<Env, 'OPERATIONS_REGISTER'>;

type Register = DurableObjectStub<OperationsRegister>;

/** Any of the registers: counts are added up when they are read. */
const getAnyRegister = (env: Bound): Register =>
  env.OPERATIONS_REGISTER.getByName(chooseRegister(generateRandomHex(2)));

/** Asks every register. @throws what one of them throws: a part of the counts would look like all of them */
const askEach = <T>(env: Bound, ask: (register: Register) => Promise<T>): Promise<T[]> =>
  Promise.all(listRegisters().map((name) => ask(env.OPERATIONS_REGISTER.getByName(name))));

/** What all registers hold together. */
export const readRegisters = (env: Bound) => ({
  listRuns: async (limit: number): Promise<RunRecord[]> =>
    mergeRuns(await askEach(env, async (register) => register.listRuns(limit)), limit),
  /** All that is counted by day, each part merged. */
  readDays: async (sinceDay: string) => {
    const found: RegisterDays[] = await askEach(env, async (register) => register.readDays(sinceDay));
    return {
      creditUses: mergeCreditUses(found.map(({ creditUses }) => creditUses)),
      givenBack: mergeCreditUses(found.map(({ givenBack }) => givenBack)),
      unpaid: found.flatMap(({ unpaid }) => unpaid),
      runs: found.flatMap(({ runs }) => runs),
      deadLetters: mergeDeadLetters(found.map(({ deadLetters }) => deadLetters)),
    };
  },
  listDeadLetters: async (sinceDay: string): Promise<DeadLetters[]> =>
    mergeDeadLetters(await askEach(env, async (register) => register.listDeadLetters(sinceDay))),
});

const unpaid = createUnpaidCounter(() => Date.now());

/** Counts an answer that named the price of a row and took nothing. Now and then what came together is sent, unawaited. */
export function countUnpaidAnswer(
  env: Bound,
  capability: string,
  { log, waitUntil }: { log: Log; waitUntil: (work: Promise<unknown>) => void },
): void {
  const counts = unpaid.count(capability);
  if (counts !== undefined) waitUntil(tryOrLog(log, () => getAnyRegister(env).countUnpaid(counts)));
}

/** Counts a call that prepaid credits paid for. Never fails: no answer depends on it. */
export const registerCreditCall = (env: Bound, log: Log, capability: string, microUsdc: number): Promise<void> =>
  tryOrLog(log, () => getAnyRegister(env).creditCall(capability, microUsdc));

/** Counts a purchase that was given back, once for its id, which is not stored. Never fails: the credits are in the account. */
export const registerGivenBack = (env: Bound, log: Log, given: GivenBack): Promise<void> =>
  tryOrLog(log, async () => {
    const id = await computeSha256Hex(given.id);
    await env.OPERATIONS_REGISTER.getByName(chooseRegister(id)).gaveBack({ ...given, id });
  });

/** Counts prompts that came to the dead-letter queue. Never fails. */
export const registerDeadLetters = (env: Bound, log: Log, count: number): Promise<void> =>
  tryOrLog(log, () => getAnyRegister(env).deadLetters(count));

async function tryOrLog(log: Log, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    log({ event: 'register_unavailable', name: error instanceof Error ? error.name : typeof error });
  }
}
