import {
  type DeadLetters,
  listRegisters,
  mergeDeadLetters,
  mergeRuns,
  type RunRecord,
} from '../../../src/visibility/run/run-register.ts';
import type { DirectOrder } from './direct-order.ts';
import { ask } from './stack.ts';

/** Asks the api Worker of a stored stack for what no route of the service does. @throws Error when it does not answer 200 */
export async function askDirectly<T>(order: DirectOrder): Promise<T> {
  const answer = await ask({ at: 'api', call: 'POST /stored', body: order });
  if (answer.status !== 200) throw new Error(`${order.do} answers ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T; // As the Worker made it.
}

/** Prompts that the recording kept, and how many others were consumed. */
export const readPrompts = (): Promise<{ kept: readonly unknown[]; consumed: number }> =>
  askDirectly({ do: 'prompts' });

/** Names of the stored reports. */
export const listReports = (): Promise<string[]> => askDirectly({ do: 'reports' });

/** Prompts that came to the queue of dead letters since 2020, by the registers. */
export async function countDeadPrompts(): Promise<number> {
  const found = await askRegisters<DeadLetters[]>('listDeadLetters', '2020-01-01');
  return mergeDeadLetters(found).reduce((sum, { count }) => sum + count, 0);
}

/** The newest runs, by the registers. */
export const listRuns = async (): Promise<RunRecord[]> =>
  mergeRuns(await askRegisters<RunRecord[]>('listRuns', MAX_RUNS), MAX_RUNS);

const MAX_RUNS = 10;
const askRegisters = <T>(method: string, argument: string | number): Promise<T[]> =>
  Promise.all(
    listRegisters().map((name) =>
      askDirectly<T>({ do: 'call', binding: 'OPERATIONS_REGISTER', name, method, args: [argument] }),
    ),
  );
