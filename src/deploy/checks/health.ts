import { type CheckOrder, type CheckPorts, type CheckResult, workerNames } from './check.ts';

/** Whether each Worker answers `/health`. */
export async function checkHealth({ addresses }: CheckOrder, { fetch }: CheckPorts): Promise<readonly CheckResult[]> {
  const named = workerNames.flatMap((worker) => {
    const origin = addresses[worker];
    return origin === undefined ? [] : [{ worker, origin }];
  });
  return Promise.all(
    named.map(async ({ worker, origin }): Promise<CheckResult> => {
      const result = { id: `health.${worker}`, title: `The ${worker} Worker answers` };
      try {
        const { status } = await fetch(`${origin}/health`);
        if (status === 200) return { ...result, status: 'pass', detail: `${origin}/health answers 200` };
        return { ...result, status: 'fail', detail: `${origin}/health answers ${status}` };
      } catch {
        return { ...result, status: 'unknown', detail: `${origin} could not be reached` };
      }
    }),
  );
}
