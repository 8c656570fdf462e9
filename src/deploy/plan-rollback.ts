import type { PlatformApi } from './api.ts';
import type { PlannedStep } from './calls.ts';
import type { DeployEnvironment, WorkerPlan } from './configuration.ts';
import { type DeployRefusal, refuseByPlatform, refuseDeploy } from './refusal.ts';
import { NEVER_REPLACED } from './settings-data.ts';
import { type ListedVersion, listWorkerVersions, readWorkerVersion, type VersionDetail } from './versions.ts';

/** The platform offers no more of them. */
const MAX_VERSIONS_READ = 100;
const OLDER_COMMIT = 'Check out the commit that ran before, and deploy it.';

export type RollbackOrder = {
  env: DeployEnvironment;
  accountId: string;
  plans: readonly WorkerPlan[];
  /** Whether secrets may go back to older values. */
  withOlderSecrets: boolean;
  /** The release to go back from; the newest one when absent. */
  past?: string | undefined;
};

type Target = { plan: WorkerPlan; version: VersionDetail };
type Candidate = {
  plan: WorkerPlan;
  path: string;
  versions: readonly ListedVersion[];
  /** The version that answers, and where it is in the list. */
  live: VersionDetail;
  at: number;
  /** Of the newest version, which need not be the one that answers. */
  newestRelease: string | undefined;
};

/**
 * Plans the way back from one release, of every Worker that runs it or of none: callers first, so that no Worker calls
 * what is not there any more. Nothing is changed where one of them cannot go back. Workers that went back already stay, so
 * the same plan continues what was interrupted, and never goes further.
 */
export async function planRollback(
  api: PlatformApi,
  order: RollbackOrder,
): Promise<{ ok: true; steps: readonly PlannedStep[] } | DeployRefusal> {
  const candidates: Candidate[] = [];
  for (const plan of order.plans.toReversed()) {
    const read = await readCandidate(api, order.accountId, plan);
    if (!read.ok) return read;
    candidates.push(read.candidate);
  }
  const release = order.past ?? findNewestRelease(candidates);
  const leaving = candidates.filter(({ live }) => live.release === release);
  if (leaving.length === 0) return refuseReturned(candidates, release, order);
  const targets: Target[] = [];
  const without: WorkerPlan[] = [];
  for (const candidate of leaving) {
    const found = await findTarget(api, candidate);
    if (!found.ok) return found;
    if (found.version === undefined) without.push(candidate.plan);
    else {
      const refused = refuseSecrets(candidate, found.version, order);
      if (refused !== undefined) return refused;
      targets.push({ plan: candidate.plan, version: found.version });
    }
  }
  if (without.length > 0) return refuseWithout(without, order);
  const stays = candidates.filter((candidate) => !leaving.includes(candidate));
  return {
    ok: true,
    steps: [
      ...stays.map((candidate) => planStay(candidate, release)),
      ...targets.map((target) => planReturn(target, order.env)),
    ],
  };
}

async function readCandidate(
  api: PlatformApi,
  accountId: string,
  plan: WorkerPlan,
): Promise<{ ok: true; candidate: Candidate } | DeployRefusal> {
  const path = `/accounts/${accountId}/workers/scripts/${plan.name}`;
  const listed = await listWorkerVersions(api, path);
  if (!listed.ok) return refuseByPlatform(listed, `read the versions of ${plan.name}`);
  const { live: id, versions } = listed.result;
  const at = versions.findIndex((one) => one.id === id);
  const [answering, newest] = [versions[at], versions[0]];
  if (answering === undefined || newest === undefined)
    return refuseDeploy(
      'version_unknown',
      `The version of ${plan.name} that answers is not among its newest ones.`,
      OLDER_COMMIT,
    );
  const live = await readWorkerVersion(api, path, answering.id);
  if (!live.ok) return refuseByPlatform(live, `read a version of ${plan.name}`);
  const last = at === 0 ? live : await readWorkerVersion(api, path, newest.id);
  if (!last.ok) return refuseByPlatform(last, `read a version of ${plan.name}`);
  return {
    ok: true,
    candidate: { plan, path, versions, live: live.result, at, newestRelease: last.result.release },
  };
}

const findUpload = (versions: readonly ListedVersion[], from: number): number =>
  versions.findIndex(({ isOfSecret }, index) => index >= from && !isOfSecret);

/** The Worker with the latest upload, among its versions from `fromOf` on. */
function findLastUploaded(
  candidates: readonly Candidate[],
  fromOf: (candidate: Candidate) => number,
): Candidate | undefined {
  const uploadedMs = (one: Candidate): number => one.versions[findUpload(one.versions, fromOf(one))]?.createdMs || 0;
  return candidates.toSorted((a, b) => uploadedMs(b) - uploadedMs(a))[0];
}

/**
 * The release that came last, whether or not it runs. A Worker that it did not change runs an older one, and stays: going
 * back it would meet Workers that are newer than any that it has run with.
 */
const findNewestRelease = (candidates: readonly Candidate[]): string | undefined =>
  findLastUploaded(candidates, () => 0)?.newestRelease;

const formatRelease = (release: string | undefined): string =>
  release === undefined ? 'a version that this command did not make' : `release ${release}`;

/** The newest release that runs is the way further back, for those who want it. */
function refuseReturned(
  candidates: readonly Candidate[],
  release: string | undefined,
  { env, past }: RollbackOrder,
): DeployRefusal {
  const running = findLastUploaded(candidates, ({ at }) => at)?.live.release;
  const further = running === undefined ? '' : ` To go further back: the same command with --past ${running}.`;
  return refuseDeploy(
    'already_back',
    past === undefined
      ? `${env} went back already: its newest version runs in no Worker.`
      : `No Worker of ${env} runs ${formatRelease(release)}.`,
    `sightline doctor checks what runs, and npm run deploy -- --env ${env} deploys the code of this clone.${further} Nothing was changed.`,
    candidates.map(({ plan, live }) => `${plan.name} runs ${formatRelease(live.release)}`),
  );
}

function refuseWithout(without: readonly WorkerPlan[], { plans }: RollbackOrder): DeployRefusal {
  const others = plans.filter((plan) => !without.includes(plan)).map(({ worker }) => worker);
  const leave =
    others.length === 0
      ? ''
      : ` Or leave ${without.length === 1 ? 'it as it is' : 'them as they are'}, newer than the others: --workers ${others.join(',')}.`;
  return refuseDeploy(
    'nothing_before',
    `${without.map(({ name }) => name).join(', ')}: there is no version of other code to go back to.`,
    `${OLDER_COMMIT}${leave} Nothing was changed.`,
  );
}

const planStay = ({ plan, live }: Candidate, release: string | undefined): PlannedStep => ({
  id: `rollback:${plan.worker}`,
  title: plan.name,
  found: [`runs ${formatRelease(live.release)}, not ${formatRelease(release)}, and stays`],
  calls: [],
});

/**
 * The newest version of other code than the one that answers. Settings that were changed with that code come with it.
 * Changes of secrets since the upload of the code that answers are not looked through: they have the same code.
 */
async function findTarget(
  api: PlatformApi,
  { plan, path, versions, live, at }: Candidate,
): Promise<{ ok: true; version: VersionDetail | undefined } | DeployRefusal> {
  const upload = findUpload(versions, at);
  const older = upload === -1 ? [] : versions.slice(upload + 1, upload + 1 + MAX_VERSIONS_READ);
  for (const { id } of older) {
    const read = await readWorkerVersion(api, path, id);
    if (!read.ok) return refuseByPlatform(read, `read a version of ${plan.name}`);
    const version = read.result;
    const isWhole = plan.worker !== 'api' || version.secrets.has(NEVER_REPLACED);
    if (version.sources === undefined || version.sources === live.sources || !isWhole) continue;
    if (version.migrationTag === live.migrationTag) return { ok: true, version };
    return refuseDeploy(
      'migration_between',
      `${plan.name} cannot go back: the version that runs brought the migration ${live.migrationTag ?? ''} of Durable Objects, and the platform goes back past none.`,
      'Correct the code and deploy it. Nothing was changed.',
    );
  }
  return { ok: true, version: undefined };
}

/** wrangler would go back to older values without a question where no one can be asked. */
function refuseSecrets(
  { plan: { name }, versions, live, at }: Candidate,
  version: VersionDetail,
  { withOlderSecrets }: RollbackOrder,
): DeployRefusal | undefined {
  if (withOlderSecrets) return undefined;
  const to = versions.findIndex(({ id }) => id === version.id);
  const isChanged = versions.slice(at, to).some(({ isOfSecret }) => isOfSecret);
  const isSameSet =
    live.secrets.size === version.secrets.size && [...live.secrets].every((one) => version.secrets.has(one));
  if (!isChanged && isSameSet) return undefined;
  return refuseDeploy(
    'secrets_changed',
    `Secrets of ${name} were changed since the version before: it would come back with the older values.`,
    `${OLDER_COMMIT} That keeps the secrets of today. If the older values are what you want, add --with-older-secrets: after a rotation of ${NEVER_REPLACED} as in docs/operate/secrets-and-rotation.md the older version sells as before. Nothing was changed.`,
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
