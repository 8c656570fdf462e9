import type { PlatformApi } from './api.ts';
import type { PlannedStep } from './calls.ts';
import type { DeployEnvironment, WorkerPlan } from './configuration.ts';
import { type DeployRefusal, refuseByPlatform, refuseDeploy } from './refusal.ts';
import { NEVER_REPLACED } from './settings-data.ts';
import { listWorkerVersions, readWorkerVersion, type VersionDetail, type WorkerVersions } from './versions.ts';

/** Versions that are looked through for the code of before: changes of secrets are versions as well. */
const MAX_VERSIONS_READ = 30;

export type RollbackOrder = {
  env: DeployEnvironment;
  accountId: string;
  plans: readonly WorkerPlan[];
  /** Whether secrets may go back to older values. */
  withOlderSecrets: boolean;
};

type Target = { plan: WorkerPlan; version: VersionDetail };
type Candidate = { plan: WorkerPlan; versions: WorkerVersions; found: FoundTarget };

/**
 * Plans the way back to the code of before, of every Worker that the newest release changed or of none: callers first, so
 * that no Worker calls what is not there any more. Nothing is changed where one of them cannot go back.
 */
export async function planRollback(
  api: PlatformApi,
  { env, accountId, plans, withOlderSecrets }: RollbackOrder,
): Promise<{ ok: true; steps: readonly PlannedStep[] } | DeployRefusal> {
  const candidates: Candidate[] = [];
  for (const plan of plans.toReversed()) {
    const path = `/accounts/${accountId}/workers/scripts/${plan.name}`;
    const listed = await listWorkerVersions(api, path);
    if (!listed.ok) return refuseByPlatform(listed, `read the versions of ${plan.name}`);
    const found = await findTarget(api, path, plan, listed.result);
    if (!found.ok) return found;
    candidates.push({ plan, versions: listed.result, found });
  }
  const newest = findNewestRelease(candidates);
  const targets: Target[] = [];
  const without: string[] = [];
  const stays: string[] = [];
  for (const { plan, versions, found } of candidates) {
    if (found.live.release !== newest) stays.push(plan.name);
    else if (found.refusal !== undefined) return found.refusal;
    else if (found.version === undefined) without.push(plan.name);
    else {
      const refused = refuseSecrets(plan, versions, found, withOlderSecrets);
      if (refused !== undefined) return refused;
      targets.push({ plan, version: found.version });
    }
  }
  if (targets.length === 0)
    return refuseDeploy(
      'nothing_before',
      `${without.join(', ')}: there is no version of other code to go back to.`,
      'Check out the commit that ran before, and deploy it.',
    );
  return { ok: true, steps: [...stays.map(planStay), ...targets.map((target) => planReturn(target, env))] };
}

/**
 * The release that came last. A Worker that it did not change runs an older one, and stays: going back it would meet
 * Workers that are newer than it ever ran with.
 */
function findNewestRelease(candidates: readonly Candidate[]): string | undefined {
  const uploaded = candidates.map(({ versions: { live, versions }, found }) => {
    const at = versions.findIndex(({ id }) => id === live);
    const upload = versions.slice(at).find(({ isOfSecret }) => !isOfSecret);
    return { release: found.live.release, atMs: upload?.createdMs ?? Number.NaN };
  });
  return uploaded.toSorted((a, b) => (b.atMs || 0) - (a.atMs || 0))[0]?.release;
}

const planStay = (name: string): PlannedStep => ({
  id: `rollback:${name}`,
  title: name,
  found: ['was not changed by the newest release, and stays'],
  calls: [],
});

type FoundTarget = {
  ok: true;
  live: VersionDetail;
  version: VersionDetail | undefined;
  /** Why it cannot go back. */
  refusal?: DeployRefusal;
};

/** The newest version of other code than the one that answers. Settings that were changed with that code come with it. */
async function findTarget(
  api: PlatformApi,
  path: string,
  plan: WorkerPlan,
  { live, versions }: WorkerVersions,
): Promise<FoundTarget | DeployRefusal> {
  const doing = `read a version of ${plan.name}`;
  const at = versions.findIndex(({ id }) => id === live);
  const first = versions[at];
  if (first === undefined)
    return refuseDeploy(
      'version_unknown',
      `The version of ${plan.name} that answers is not among its newest ones.`,
      'Check out the commit that ran before, and deploy it.',
    );
  const now = await readWorkerVersion(api, path, first.id);
  if (!now.ok) return refuseByPlatform(now, doing);
  for (const { id } of versions.slice(at + 1, at + 1 + MAX_VERSIONS_READ)) {
    const read = await readWorkerVersion(api, path, id);
    if (!read.ok) return refuseByPlatform(read, doing);
    const version = read.result;
    const isWhole = plan.worker !== 'api' || version.secrets.has(NEVER_REPLACED);
    if (version.sources === undefined || version.sources === now.result.sources || !isWhole) continue;
    if (version.migrationTag === now.result.migrationTag) return { ok: true, live: now.result, version };
    const refusal = refuseDeploy(
      'migration_between',
      `${plan.name} cannot go back: the version that runs brought the migration ${now.result.migrationTag ?? ''} of Durable Objects, and the platform goes back past none.`,
      'Correct the code and deploy it. Nothing was changed.',
    );
    return { ok: true, live: now.result, version: undefined, refusal };
  }
  return { ok: true, live: now.result, version: undefined };
}

/** wrangler would go back to older values without a question where no one can be asked. */
function refuseSecrets(
  { name }: WorkerPlan,
  { versions }: WorkerVersions,
  { live, version }: FoundTarget,
  withOlderSecrets: boolean,
): DeployRefusal | undefined {
  if (withOlderSecrets || version === undefined) return undefined;
  const number = versions.find(({ id }) => id === version.id)?.number ?? 0;
  const isChanged = versions.some((one) => one.isOfSecret && one.number > number);
  const isSameSet =
    live.secrets.size === version.secrets.size && [...live.secrets].every((one) => version.secrets.has(one));
  if (!isChanged && isSameSet) return undefined;
  return refuseDeploy(
    'secrets_changed',
    `Secrets of ${name} were changed since the version before: it would come back with the older values.`,
    `Check out the commit that ran before, and deploy it: that keeps the secrets of today. If the older values are what you want, add --with-older-secrets; never where ${NEVER_REPLACED} was changed. Nothing was changed.`,
  );
}

const planReturn = ({ plan, version }: Target, env: DeployEnvironment): PlannedStep => ({
  id: `rollback:${plan.worker}`,
  title: plan.name,
  found: [],
  calls: [
    {
      call: {
        via: 'wrangler',
        args: `rollback ${version.id} --config ${plan.file} --env ${env} --name ${plan.name} --yes`
          .split(' ')
          .concat('--message', 'sightline deploy rollback'),
      },
      doing: `go back to version ${version.id} of ${plan.name}`,
      did: `went back to version ${version.id}`,
    },
  ],
});
