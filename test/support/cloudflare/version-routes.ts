import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Account, findLiveVersion, makeDate, type Script, type WorkerVersion } from './account.ts';
import { type ApiCall, type ApiRoute, readJson } from './calls.ts';
import { RefusedCall } from './refusals-data.ts';
import { findScript, showBinding } from './script-routes.ts';
import { makeVersion, readUpload } from './upload.ts';

/** So many of the latest versions can be deployed again. */
const DEPLOYABLE = 100;
const deploymentSchema = z.object({
  versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })).min(1),
  annotations: z.record(z.string(), z.string()).default({}),
});

const showVersion = (version: WorkerVersion) => ({
  id: version.id,
  number: version.number,
  metadata: {
    created_on: version.createdOn,
    modified_on: version.createdOn,
    source: version.source,
    author_email: 'operator@example.com',
  },
  annotations: version.annotations,
  startup_time_ms: 12,
  resources: {
    bindings: version.bindings.map(showBinding),
    script: { etag: version.id, handlers: version.handlers, last_deployed_from: 'wrangler' },
    script_runtime: {
      compatibility_date: version.compatibilityDate,
      compatibility_flags: version.compatibilityFlags,
      limits: version.limits,
      ...(version.migrationTag === undefined ? {} : { migration_tag: version.migrationTag }),
    },
  },
});

async function postVersion(call: ApiCall) {
  const script = findScript(call);
  const upload = await readUpload(call.body, call.contentType);
  if (upload.metadata.migrations !== undefined) throw new RefusedCall('migrationInVersion');
  const version = makeVersion(call.account, script, upload);
  script.versions.push(version);
  return showVersion(version);
}

function findVersion(script: Script, id: string): WorkerVersion {
  const found = script.versions.slice(-DEPLOYABLE).find((version) => version.id === id);
  if (found === undefined) throw new RefusedCall('versionMissing', [id]);
  return found;
}

/** @throws RefusedCall for a version of before a migration, whose resources are gone, or whose secrets changed since */
function postDeployment(call: ApiCall) {
  const [script, { versions, annotations }] = [findScript(call), deploymentSchema.parse(readJson(call))];
  for (const { version_id: id } of versions) {
    const version = findVersion(script, id);
    if (version.migrationTag !== script.migrationTag) throw new RefusedCall('rollbackMigration', [id]);
    checkResources(call.account, version);
    const changed = listChangedSecrets(findLiveVersion(script), version);
    const isNewest = version === script.versions.at(-1);
    if (!isNewest && changed.length > 0 && call.query.get('force') !== 'true')
      throw new RefusedCall('rollbackSecrets', [changed.join(', ')]);
  }
  const deployment = { id: randomUUID(), createdOn: makeDate(), versions, annotations };
  script.deployments.push(deployment);
  script.modifiedOn = deployment.createdOn;
  return showDeployment(deployment);
}

function checkResources(account: Account, version: WorkerVersion): void {
  for (const binding of version.bindings) {
    if (binding.type === 'r2_bucket' && !account.buckets.some(({ name }) => name === binding['bucket_name']))
      throw new RefusedCall('bucketUnbound', [String(binding['bucket_name'])]);
    if (binding.type === 'queue' && !account.queues.some((queue) => queue.queue_name === binding['queue_name']))
      throw new RefusedCall('queueUnbound', [String(binding['queue_name'])]);
  }
}

function listChangedSecrets(live: WorkerVersion | undefined, version: WorkerVersion): readonly string[] {
  const read = ({ bindings }: WorkerVersion): ReadonlyMap<string, unknown> =>
    new Map(bindings.filter(({ type }) => type === 'secret_text').map(({ name, text }) => [name, text]));
  const [now, then] = [live ? read(live) : new Map<string, unknown>(), read(version)];
  return [...new Set([...now.keys(), ...then.keys()])].filter((name) => now.get(name) !== then.get(name));
}

const showDeployment = (deployment: Script['deployments'][number]) => ({
  id: deployment.id,
  source: 'wrangler',
  strategy: 'percentage',
  author_email: 'operator@example.com',
  created_on: deployment.createdOn,
  annotations: deployment.annotations,
  versions: deployment.versions,
});

const SCRIPT = '/accounts/*/workers/scripts/*';

/** Versions and which of them answers: uploads without a migration, rollbacks. */
export const VERSION_ROUTES: readonly ApiRoute[] = [
  ['POST', `${SCRIPT}/versions`, postVersion],
  [
    'GET',
    `${SCRIPT}/versions`,
    (call) => ({ items: findScript(call).versions.slice(-DEPLOYABLE).toReversed().map(showVersion) }),
  ],
  ['GET', `${SCRIPT}/versions/*`, (call) => showVersion(findVersion(findScript(call), call.names[2] ?? ''))],
  ['POST', `${SCRIPT}/deployments`, postDeployment],
  [
    'GET',
    `${SCRIPT}/deployments`,
    (call) => ({ deployments: findScript(call).deployments.toReversed().map(showDeployment) }),
  ],
];
