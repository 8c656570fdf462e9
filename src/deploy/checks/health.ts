import { askFor, describeNotReached, failCheck, leaveUnknown, passCheck } from './asking.ts';
import { type CheckOrder, type CheckPorts, type CheckResult, workerNames } from './check.ts';

/** Whether each Worker answers `/health`. */
export async function checkHealth({ addresses }: CheckOrder, ports: CheckPorts): Promise<readonly CheckResult[]> {
  const named = workerNames.flatMap((worker) => {
    const origin = addresses[worker];
    return origin === undefined ? [] : [{ worker, origin }];
  });
  return Promise.all(
    named.map(async ({ worker, origin }): Promise<CheckResult> => {
      const name = { id: `health.${worker}`, title: `The ${worker} Worker answers` };
      const answer = await askFor(ports, `${origin}/health`);
      if (!answer.reached)
        return leaveUnknown(name, describeNotReached(answer), `Check the address of the ${worker} Worker`);
      if (answer.status === 200) return passCheck(name, `${answer.url} answers 200`);
      return failCheck(name, `${answer.url} answers ${answer.status}`, 'Read the log: npx wrangler tail');
    }),
  );
}
