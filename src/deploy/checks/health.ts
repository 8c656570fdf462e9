import { askFor, describeNotReached, failCheck, leaveUnknown, acceptCheck } from './asking.ts';
import { type CheckOrder, type CheckPorts, type DeploymentCheck, workerNames } from './check.ts';

/** Whether each Worker answers `/health`. */
export async function checkHealth({ addresses }: CheckOrder, ports: CheckPorts): Promise<readonly DeploymentCheck[]> {
  const named = workerNames.flatMap((worker) => {
    const origin = addresses[worker];
    return origin === undefined ? [] : [{ worker, origin }];
  });
  return Promise.all(
    named.map(async ({ worker, origin }): Promise<DeploymentCheck> => {
      const name = { id: `health.${worker}`, title: `The ${worker} Worker answers` };
      const answer = await askFor(ports, `${origin}/health`);
      if (!answer.reached)
        return leaveUnknown(name, describeNotReached(answer), `Check the address of the ${worker} Worker`);
      if (answer.status === 200) return acceptCheck(name, `${answer.url} answers 200`);
      return failCheck(name, `${answer.url} answers ${answer.status}`, 'Read the log: npx wrangler tail');
    }),
  );
}
