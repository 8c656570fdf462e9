import type { DeployCall, PlannedCall, PlannedStep } from './calls.ts';
import type { DeployedWorker, DeployEnvironment, WorkerPlan } from './configuration.ts';
import type { DomainPlan } from './domains.ts';
import { renderStub, sortWorkers, type StubPlan } from './order.ts';
import { planStores } from './plan-stores.ts';
import { chooseSettings, type GivenSettings, listKeptSettings, type SettingChange } from './secrets.ts';
import { NEVER_REPLACED } from './settings-data.ts';
import { listSettingNames, type PlatformState } from './state.ts';
import { formatMark, MARKER, parseMark, STUB_MARK } from './state-shapes.ts';

export type PlanFacts = {
  env: DeployEnvironment;
  accountId: string;
  /** The Workers of this run. */
  chosen: readonly WorkerPlan[];
  state: PlatformState;
  given: GivenSettings;
  /** Domains that are still to be attached. */
  domains: readonly DomainPlan[];
  /** Whether --domain names an address: then addresses of an unmarked deployment are set as well. */
  hasGivenDomains: boolean;
  /** A hash of everything that a Worker is made of. */
  sources: ReadonlyMap<DeployedWorker, string>;
  /** A hash of all addresses. */
  addressHash: string;
  /** A hash of all sources. */
  release: string;
  /** For the message of a version. */
  version: string;
};

/** Every step of a deployment, from what is at the platform. Where nothing is to be done, no step has calls. */
export function planDeployment(facts: PlanFacts): readonly PlannedStep[] {
  const { order, stubs } = sortWorkers(facts.chosen, new Set(facts.state.workers.keys()));
  const workers = order.map((plan) => planWorker(plan, facts, stubs));
  const isUploading = workers.some(({ calls }) => calls.some(({ call }) => isUpload(call)));
  const isThere = ({ service }: DomainPlan): boolean => facts.state.workers.has(service);
  // Of a Worker that answers, its domain comes before its address changes: where the platform refuses, the old one goes on.
  const [first, last] = [facts.domains.filter(isThere), facts.domains.filter((domain) => !isThere(domain))];
  return [
    ...(first.length === 0 ? [] : [planAttachment('domains', first, facts)]),
    ...planStores(facts.chosen, facts.state),
    ...(isUploading ? [BUILD] : []),
    ...(stubs.length === 0 ? [] : [planStubs(stubs)]),
    ...workers,
    ...(last.length === 0 ? [] : [planAttachment('domains:new', last, facts)]),
  ];
}

const isUpload = (call: DeployCall): boolean => call.via === 'wrangler' && call.args[0] === 'deploy';

/** What browsers load is built from the sources of this clone. */
const BUILD: PlannedStep = {
  id: 'build',
  title: 'Pages',
  found: [],
  calls: [
    {
      call: { via: 'node', script: 'scripts/build-web.js' },
      doing: 'build what browsers load',
      did: 'built styles and scripts',
    },
    {
      call: { via: 'node', script: 'scripts/build-docs.js' },
      doing: 'build the documentation',
      did: 'built the documentation',
    },
  ],
};

const planStubs = (stubs: readonly StubPlan[]): PlannedStep => ({
  id: 'stubs',
  title: 'Stubs',
  found: [],
  calls: stubs.map((stub) => ({
    call: {
      via: 'wrangler',
      args: ['deploy', '--config', '@wrangler.json', '--no-bundle', '--var', `${MARKER}:${STUB_MARK}`],
      files: {
        'wrangler.json': JSON.stringify({
          name: stub.name,
          main: 'stub.js',
          compatibility_date: stub.compatibilityDate,
          workers_dev: false,
          preview_urls: false,
          send_metrics: false,
        }),
        'stub.js': renderStub(stub),
      },
    },
    doing: `put a stub in the place of ${stub.name}`,
    did: `put a stub in the place of ${stub.name}, which a binding names`,
  })),
});

function planWorker(plan: WorkerPlan, facts: PlanFacts, stubs: readonly StubPlan[]): PlannedStep {
  const found = facts.state.workers.get(plan.name);
  const of = { worker: plan.worker, existing: listSettingNames(found), hasAddresses: hasAddresses(plan, facts) };
  const settings = chooseSettings(of, facts.given);
  const keeps = [
    ...(found?.isRolledBack === true ? ['runs an older version than its newest one'] : []),
    ...describeKept(listKeptSettings(of, facts.given)),
  ];
  const put = settings.length === 0 ? [] : [planSettings(plan, facts.env, settings)];
  const title = plan.name;
  const id = `worker:${plan.worker}`;
  const isSame = isUnchanged(plan, facts);
  if (put.length === 0 && isSame) return { id, title, found: ['is as this clone has it', ...keeps], calls: [] };
  // After a rollback the platform takes no settings before the next upload.
  if (found?.isRolledBack === true && put.length > 0) {
    const isOpen = settings.some(({ from }) => from === 'address');
    return { id, title, found: keeps, calls: [planUpload(plan, facts, isOpen), ...put] };
  }
  const upload = isSame ? [] : [planUpload(plan, facts, false)];
  // A Worker that runs gets its settings first, so that new code never lacks one; a new one cannot have any before it is there.
  const isThere = found !== undefined || stubs.some(({ name }) => name === plan.name);
  return { id, title, found: keeps, calls: isThere ? [...put, ...upload] : [...upload, ...put] };
}

function describeKept(kept: readonly string[]): readonly string[] {
  const others = kept.filter((name) => name !== NEVER_REPLACED);
  return [
    ...(others.length === kept.length ? [] : [`${NEVER_REPLACED}: set before, and never replaced`]),
    ...(others.length === 0
      ? []
      : [`${others.join(', ')}: set before, and kept; --replace <name> takes one from the file`]),
  ];
}

/** Whether the addresses of a Worker are known to be those of this run. */
function hasAddresses({ name }: WorkerPlan, { state, addressHash, hasGivenDomains }: PlanFacts): boolean {
  const found = state.workers.get(name);
  if (found === undefined) return false;
  return found.marker === undefined ? !hasGivenDomains : parseMark(found.marker)?.addresses === addressHash;
}

/** Whether the same was uploaded, and everything that follows an upload was done as well. */
function isUnchanged(plan: WorkerPlan, facts: PlanFacts): boolean {
  const found = facts.state.workers.get(plan.name);
  const mark = parseMark(found?.marker);
  // Whether the platform describes the version that answers or the newest one is not documented.
  if (found === undefined || found.isRolledBack) return false;
  if (mark?.sources !== facts.sources.get(plan.worker) || mark?.addresses !== facts.addressHash) return false;
  return (
    found.migrationTag === plan.migrationTag &&
    found.isOnWorkersDev === plan.isOnWorkersDev &&
    [...found.crons].toSorted().join() === [...plan.crons].toSorted().join() &&
    plan.consumers.every((queue) => facts.state.queues.get(queue)?.consumers.includes(plan.name) === true)
  );
}

function planUpload(plan: WorkerPlan, facts: PlanFacts, isOpen: boolean): PlannedCall {
  const sources = facts.sources.get(plan.worker) ?? '';
  const marker = formatMark({ sources, addresses: isOpen ? 'open' : facts.addressHash, release: facts.release });
  const isNew = !facts.state.workers.has(plan.name);
  return {
    call: {
      via: 'wrangler',
      args: `deploy --config ${plan.file} --env ${facts.env} --var ${MARKER}:${marker}`
        .split(' ')
        .concat('--message', `sightline deploy ${facts.version}`),
    },
    doing: `upload ${plan.name}`,
    did: isNew ? 'uploaded; it is new' : 'uploaded',
  };
}

const planSettings = (
  { file, name }: WorkerPlan,
  env: DeployEnvironment,
  settings: readonly SettingChange[],
): PlannedCall => ({
  call: { via: 'wrangler', args: ['secret', 'bulk', '--config', file, '--env', env], settings },
  doing: `set ${settings.length === 1 ? '1 setting' : `${settings.length} settings`} of ${name}`,
  did: `set ${settings.map((one) => one.name).join(', ')}`,
});

/** By the API: where no one can be asked, wrangler takes a domain away from another Worker and overwrites DNS records. */
const planAttachment = (id: string, domains: readonly DomainPlan[], { accountId }: PlanFacts): PlannedStep => ({
  id,
  title: 'Domains',
  found: domains
    .filter(({ isUnread }) => isUnread)
    .map(
      ({ hostname }) =>
        `DNS records of ${hostname} cannot be read by this login; the platform attaches it only where there are none`,
    ),
  calls: domains.map(({ service, hostname, zoneId }) => ({
    call: {
      via: 'api',
      method: 'PUT',
      path: `/accounts/${accountId}/workers/domains`,
      body: { hostname, service, zone_id: zoneId, environment: 'production' },
    },
    doing: `attach ${hostname} to ${service}`,
    did: `attached ${hostname} to ${service}; its certificate takes up to some minutes`,
  })),
});
