import type { OperationsRegister } from '../../../durable-objects/operations-register.ts';
import { OPERATIONS_REGISTER_NAME } from '../../../src/visibility/run/run-register.ts';
import type { Env } from './env.ts';

type Log = (event: Record<string, unknown>) => void;
type Bound = Pick<Env, 'OPERATIONS_REGISTER'>;

export const getOperationsRegister = (env: Bound): DurableObjectStub<OperationsRegister> =>
  env.OPERATIONS_REGISTER.getByName(OPERATIONS_REGISTER_NAME);

/** Counts a call that prepaid credits paid for. Never fails: no answer depends on it. */
export const registerCreditCall = (env: Bound, log: Log, capability: string, microUsdc: number): Promise<void> =>
  tryOrLog(log, () => getOperationsRegister(env).creditCall(capability, microUsdc));

/** Counts prompts that came to the dead-letter queue. Never fails. */
export const registerDeadLetters = (env: Bound, log: Log, count: number): Promise<void> =>
  tryOrLog(log, () => getOperationsRegister(env).deadLetters(count));

async function tryOrLog(log: Log, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    log({ event: 'register_unavailable', name: error instanceof Error ? error.name : typeof error });
  }
}
