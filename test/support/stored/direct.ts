import * as z from 'zod';
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

/** Prompts that came to the queue of dead letters since 2020, by the register. */
export async function countDeadPrompts(): Promise<number> {
  const days = await askDirectly<{ count: number }[]>({ ...REGISTER, method: 'listDeadLetters', args: ['2020-01-01'] });
  return days.reduce((sum, { count }) => sum + count, 0);
}

const REGISTER = { do: 'call', binding: 'OPERATIONS_REGISTER', name: 'operations' } as const;
const runsSchema = z.array(z.object({ runId: z.string(), state: z.string() }));

/** The newest runs, by the register. */
export const listRuns = async (): Promise<z.infer<typeof runsSchema>> =>
  runsSchema.parse(await askDirectly({ ...REGISTER, method: 'listRuns', args: [10] }));
