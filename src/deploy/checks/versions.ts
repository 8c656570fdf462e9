import * as z from 'zod';
import {
  askFor,
  type CheckName,
  describeNotReached,
  failCheck,
  leaveUnknown,
  acceptCheck,
  warnCheck,
} from './asking.ts';
import type { CheckOrder, CheckPorts, DeploymentCheck } from './check.ts';
import type { Checkups } from './operator.ts';

const names = {
  service: { id: 'version.service', title: 'The service has the version of this command line' },
  workers: { id: 'version.workers', title: 'All Workers have one version' },
} as const satisfies Readonly<Record<string, CheckName>>;

const discoverySchema = z.object({ serverInfo: z.object({ version: z.string().max(60) }) });

/** The version of the service against the expected one, and of its Workers against each other. */
export async function checkVersions(
  { addresses, expected }: CheckOrder,
  checkups: Checkups,
  ports: CheckPorts,
): Promise<readonly DeploymentCheck[]> {
  const answer = await askFor(ports, `${addresses.api}/.well-known/mcp.json`);
  if (!answer.reached) return [leaveUnknown(names.service, describeNotReached(answer))];
  const parsed = discoverySchema.safeParse(answer.json);
  if (!parsed.success)
    return [failCheck(names.service, `${answer.url} answers ${answer.status} without a version`, 'Deploy it again')];
  const { version } = parsed.data.serverInfo;
  const wanted = expected?.version;
  const own =
    wanted === undefined || wanted === version
      ? acceptCheck(names.service, version)
      : warnCheck(names.service, `It is ${version}, this command line is ${wanted}`, 'Upgrade the older one');
  return [own, judgeWorkers(checkups, version)];
}

function judgeWorkers(checkups: Checkups, api: string): DeploymentCheck {
  const known = Object.values(checkups).map(({ worker, version }) => `${worker} ${version}`);
  if (known.length === 0)
    return leaveUnknown(names.workers, 'Only an operator can read them', 'Set SIGHTLINE_OPERATOR_SECRET');
  const isOne = Object.values(checkups).every(({ version }) => version === api);
  if (isOne) return acceptCheck(names.workers, known.join(', '));
  return failCheck(names.workers, `They differ: ${known.join(', ')}`, 'Deploy all of them');
}
