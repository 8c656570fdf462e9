import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  type Account,
  type Binding,
  deployVersion,
  findLiveVersion,
  makeDate,
  type Script,
  type WorkerVersion,
} from './account.ts';
import { type ApiCall, type ApiRoute, ListedAnswer, readJson } from './calls.ts';
import { RefusedCall } from './refusals-data.ts';
import { createScript, isConsumer, makeVersion, readUpload } from './upload.ts';

const secretSchema = z.object({ name: z.string(), text: z.string(), type: z.literal('secret_text') });
const bulkSchema = z.object({ secrets: z.record(z.string(), secretSchema.nullable()) });
const schedulesSchema = z.array(z.object({ cron: z.string() }));
const subdomainSchema = z.object({ enabled: z.boolean(), previews_enabled: z.boolean().optional() });

/** @throws RefusedCall where the account has no such Worker */
export function findScript({ account, names }: ApiCall): Script {
  const script = account.scripts.get(names[1] ?? '');
  if (script === undefined) throw new RefusedCall('scriptMissing');
  return script;
}

/** A binding as the platform shows it: never the text of a secret. */
export const showBinding = ({ ...binding }: Binding) =>
  binding.type === 'secret_text' ? { name: binding.name, type: binding.type } : binding;

const showScript = (script: Script) => {
  const live = findLiveVersion(script);
  return {
    id: script.name,
    tag: script.tag,
    tags: script.settings['tags'] ?? [],
    etag: live?.id ?? '',
    handlers: live?.handlers ?? [],
    created_on: script.createdOn,
    modified_on: script.modifiedOn,
    last_deployed_from: 'wrangler',
    usage_model: 'standard',
    compatibility_date: live?.compatibilityDate,
    has_assets: live?.assets !== undefined,
    has_modules: true,
    ...(script.migrationTag === undefined ? {} : { migration_tag: script.migrationTag }),
  };
};

async function putScript(call: ApiCall) {
  const { account, names } = call;
  const script = account.scripts.get(names[1] ?? '') ?? createScript(names[1] ?? '');
  const version = makeVersion(account, script, await readUpload(call.body, call.contentType));
  account.scripts.set(script.name, script);
  deployVersion(script, version, version.annotations);
  return { ...showScript(script), deployment_id: version.id, startup_time_ms: 12, entry_point: version.mainModule };
}

/** As the command `delete` asks. It refuses what a queue is worked by, and what others need unless it is forced. */
function deleteService(call: ApiCall): null {
  const { account, query } = call;
  const script = account.scripts.get(call.names[1] ?? '');
  if (script === undefined) throw new RefusedCall('serviceMissing');
  if (isConsumer(account, script.name)) throw new RefusedCall('workerConsumes');
  if (query.get('force') !== 'true' && findUsers(account, script.name).length > 0)
    throw new RefusedCall('invalidScript', [`${script.name} is in use by other Workers`]);
  account.scripts.delete(script.name);
  const domains = account.domains.filter(({ service }) => service !== script.name);
  account.domains.splice(0, account.domains.length, ...domains);
  return null;
}

const findUsers = (account: Account, name: string): readonly Script[] =>
  [...account.scripts.values()].filter(
    (script) => script.name !== name && findLiveVersion(script)?.bindings.some(({ service }) => service === name),
  );

function showReferences(call: ApiCall) {
  const { name } = findScript(call);
  const incoming = findUsers(call.account, name).map((user) => ({
    service: user.name,
    environment: 'production',
    name: user.name,
  }));
  return { services: { incoming, outgoing: [] }, durable_objects: [], dispatch_outbounds: [] };
}

/** Secrets are part of a version, so a change makes one, as on the platform. */
function changeSecrets(script: Script, changes: Readonly<Record<string, z.infer<typeof secretSchema> | null>>): void {
  const latest = script.versions.at(-1);
  const live = findLiveVersion(script);
  if (latest === undefined || live?.id !== latest.id) throw new RefusedCall('latestNotDeployed');
  const others = latest.bindings.filter(({ name }) => !(name in changes));
  const version: WorkerVersion = {
    ...latest,
    id: randomUUID(),
    number: latest.number + 1,
    createdOn: makeDate(),
    source: 'secret',
    annotations: { 'workers/triggered_by': 'secret' },
    bindings: [...others, ...Object.values(changes).filter((change) => change !== null)],
  };
  deployVersion(script, version, version.annotations);
}

function putSecret(call: ApiCall) {
  const secret = secretSchema.parse(readJson(call));
  changeSecrets(findScript(call), { [secret.name]: secret });
  return { name: secret.name, type: secret.type };
}

function patchSecrets(call: ApiCall) {
  const script = findScript(call);
  changeSecrets(script, bulkSchema.parse(readJson(call)).secrets);
  return listSecrets(script);
}

function deleteSecret(call: ApiCall): null {
  const [script, name] = [findScript(call), call.names[2] ?? ''];
  if (!listSecrets(script).some((secret) => secret.name === name)) throw new RefusedCall('secretMissing');
  changeSecrets(script, { [name]: null });
  return null;
}

const listSecrets = (script: Script) =>
  (findLiveVersion(script)?.bindings ?? []).filter(({ type }) => type === 'secret_text').map(showBinding);

function patchSettings(call: ApiCall) {
  const script = findScript(call);
  Object.assign(script.settings, z.record(z.string(), z.unknown()).parse(readJson(call)));
  return script.settings;
}

function postSubdomain(call: ApiCall) {
  const { enabled, previews_enabled = enabled } = subdomainSchema.parse(readJson(call));
  const script = findScript(call);
  if (enabled && call.account.subdomain === undefined) throw new RefusedCall('noSubdomain');
  script.subdomain = { enabled, previews_enabled };
  return script.subdomain;
}

function putSchedules(call: ApiCall) {
  const script = findScript(call);
  script.schedules = schedulesSchema.parse(readJson(call)).map(({ cron }) => cron);
  return { schedules: script.schedules.map((cron) => ({ cron })) };
}

const showSettings = (call: ApiCall) => {
  const script = findScript(call);
  const live = findLiveVersion(script);
  return {
    bindings: live?.bindings.map(showBinding) ?? [],
    compatibility_date: live?.compatibilityDate,
    ...script.settings,
  };
};

function showService({ account, names }: ApiCall) {
  const script = account.scripts.get(names[1] ?? '');
  if (script === undefined) throw new RefusedCall('serviceMissing');
  const environment = { environment: 'production', created_on: script.createdOn, script: showScript(script) };
  return { id: script.name, default_environment: environment, environments: [environment] };
}

const SCRIPT = '/accounts/*/workers/scripts/*';

/** Workers, their secrets and triggers. */
export const SCRIPT_ROUTES: readonly ApiRoute[] = [
  [
    'GET',
    '/accounts/*/workers/scripts',
    ({ account }) => new ListedAnswer([...account.scripts.values()].map(showScript)),
  ],
  ['GET', '/accounts/*/workers/services/*', showService],
  ['DELETE', '/accounts/*/workers/services/*', deleteService],
  ['PUT', SCRIPT, putScript],
  ['GET', `${SCRIPT}/references`, showReferences],
  ['GET', '/accounts/*/workers/tails/by-consumer/*', () => new ListedAnswer([])],
  ['GET', `${SCRIPT}/secrets`, (call) => new ListedAnswer(listSecrets(findScript(call)))],
  ['PUT', `${SCRIPT}/secrets`, putSecret],
  ['PATCH', `${SCRIPT}/secrets-bulk`, patchSecrets],
  ['DELETE', `${SCRIPT}/secrets/*`, deleteSecret],
  ['GET', `${SCRIPT}/settings`, showSettings],
  ['GET', `${SCRIPT}/script-settings`, (call) => findScript(call).settings],
  ['PATCH', `${SCRIPT}/script-settings`, patchSettings],
  ['GET', `${SCRIPT}/schedules`, (call) => ({ schedules: findScript(call).schedules.map((cron) => ({ cron })) })],
  ['PUT', `${SCRIPT}/schedules`, putSchedules],
  ['GET', `${SCRIPT}/subdomain`, (call) => findScript(call).subdomain],
  ['POST', `${SCRIPT}/subdomain`, postSubdomain],
  [
    'GET',
    '/accounts/*/workers/workers/*',
    (call) => {
      const { name, tag, subdomain } = findScript(call);
      return { id: tag, name, subdomain };
    },
  ],
];
