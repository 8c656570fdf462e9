import { DatabaseSync } from 'node:sqlite';
import { type DeployedWorker, configurationFiles, deployedWorkers } from '../../../src/deploy/configuration.ts';
import type { WranglerEnd, WranglerRun } from '../../../src/deploy/run.ts';

type Binding = { type: string; name: string; text?: string; class_name?: string; service?: string };
type Version = {
  id: string;
  number: number;
  at?: number;
  bindings: Binding[];
  tag: string | undefined;
  trigger: string;
};
export type FakeWorker = {
  versions: Version[];
  live: string;
  workersDev: boolean;
  crons: string[];
  secretValues: Record<string, string>;
};

/** How a call fails: no answer at all, before or after it had its effect, or an answer of the platform. */
export type FakeFault = 'lost' | 'lost after' | { status: number; code?: number; message?: string };

/** A small platform in memory: its API, and a wrangler that changes it. For rules of our own; what the real wrangler does is for the stand-in. */
export class FakePlatform {
  readonly accounts = [{ id: 'acc-1', name: 'First' }];
  subscriptions: unknown = [{ rate_plan: { id: 'workers_paid' }, state: 'Paid' }];
  subdomain: string | undefined = 'first';
  readonly workers = new Map<string, FakeWorker>();
  readonly queues = new Map<string, string[]>();
  readonly buckets = new Map<string, { id: string }[]>();
  readonly zones: { id: string; name: string; status: string }[] = [];
  readonly records: { zone: string; type: string; name: string }[] = [];
  readonly domains: { hostname: string; service: string }[] = [];
  /** Every call that changes something, in its order: words of wrangler, or a request. */
  readonly changes: string[] = [];
  /** Standard input of each wrangler. */
  readonly inputs: string[] = [];
  readonly reads: string[] = [];
  /** Asked before each call. */
  fault: (call: string) => FakeFault | undefined = () => undefined;
  /** Whether it shows the settings of the newest version instead of those of the one that answers. */
  showsNewest = false;
  #minute = 0;
  readonly databases = new Map<string, DatabaseSync>();

  readonly fetch = (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.replace('/client/v4', '').replace('/accounts/acc-1', '');
    const call = `${init.method ?? 'GET'} ${path}`;
    const isRead = init.method === undefined || init.method === 'GET';
    if (isRead) this.reads.push(call);
    const body = typeof init.body === 'string' ? init.body : '{}';
    const fault = this.fault(call);
    if (fault === 'lost') return Promise.reject(new TypeError('fetch failed'));
    if (fault !== undefined && fault !== 'lost after')
      return Promise.resolve(refuse(fault.status, fault.code, fault.message));
    if (!isRead && !path.startsWith('/d1/')) this.changes.push(`${call} ${body}`);
    const found = this.#answer(call, searchParams, JSON.parse(body) as Record<string, unknown>);
    return fault === undefined ? Promise.resolve(found) : Promise.reject(new TypeError('fetch failed'));
  };

  #answer(call: string, query: URLSearchParams, body: Record<string, unknown>): Response {
    const [method = '', path = ''] = call.split(' ');
    const [, area = '', kind = '', name = '', part = '', id = ''] = path.split('/');
    if (path === '/accounts') return answer(this.accounts);
    if (path === '/subscriptions')
      return this.subscriptions === undefined ? refuse(403, 10_000) : answer(this.subscriptions);
    if (path === '/workers/subdomain')
      return this.subdomain === undefined ? refuse(404, 10_007) : answer({ subdomain: this.subdomain });
    if (path === '/workers/domains' && method === 'PUT') return this.#attach(body);
    if (path === '/workers/domains') return answer(this.domains);
    if (area === 'workers') return this.#answerWorker(kind, name, part, id);
    if (path === '/queues')
      return answer(
        [...this.queues].map(([queue_name, scripts]) => ({
          queue_name,
          consumers: scripts.map((script) => ({ script })),
        })),
      );
    if (area === 'r2') {
      const rules = this.buckets.get(name);
      return rules === undefined ? refuse(404, 10_006) : answer(part === 'lifecycle' ? { rules } : { name });
    }
    if (path === '/zones') return answer(this.zones.filter((zone) => zone.name === query.get('name')));
    if (area === 'zones')
      return answer(this.records.filter((one) => one.zone === kind && one.name === query.get('name')));
    return this.#answerDatabase(method, kind, name, body);
  }

  #attach(body: Record<string, unknown>): Response {
    const [hostname, service] = [String(body['hostname']), String(body['service'])];
    if (this.records.some((one) => one.name === hostname)) return refuse(409, 100_117);
    this.domains.push({ hostname, service });
    return answer({});
  }

  #answerWorker(kind: string, name: string, part: string, id: string): Response {
    const worker = this.workers.get(name);
    const live = worker?.versions.find((one) => one.id === worker.live);
    if (worker === undefined || live === undefined) return refuse(404, 10_007);
    if (kind === 'services') return answer({ default_environment: { script: { migration_tag: live.tag ?? null } } });
    if (part === 'settings')
      return answer({ bindings: (this.showsNewest ? worker.versions.at(-1) : live)?.bindings ?? [] });
    if (part === 'subdomain') return answer({ enabled: worker.workersDev });
    if (part === 'schedules') return answer({ schedules: worker.crons.map((cron) => ({ cron })) });
    if (part === 'deployments') return answer({ deployments: [{ versions: [{ version_id: worker.live }] }] });
    if (id === '') return answer({ items: worker.versions.map(showVersion) });
    const version = worker.versions.find((one) => one.id === id);
    return version === undefined ? refuse(404, 10_007) : answer(showVersion(version));
  }

  #answerDatabase(method: string, kind: string, id: string, body: Record<string, unknown>): Response {
    if (kind !== 'database') return refuse(404, 7003);
    if (id !== '') {
      const statement = this.databases.get(id)?.prepare(String(body['sql']));
      return answer([{ results: statement?.all(...(body['params'] as string[])) }]);
    }
    const name = String(body['name']);
    if (method === 'POST') this.databases.set(name, new DatabaseSync(':memory:'));
    return answer(
      method === 'POST' ? { uuid: name, name } : [...this.databases.keys()].map((one) => ({ uuid: one, name: one })),
    );
  }

  readonly runWrangler = ({ args, input = '', files = {} }: WranglerRun): Promise<WranglerEnd> => {
    const call = `wrangler ${args.join(' ')}`;
    const fault = this.fault(call);
    this.inputs.push(input);
    const lost = { code: 1, output: '✘ [ERROR] fetch failed: ECONNRESET' };
    if (fault === 'lost') return Promise.resolve(lost);
    if (fault !== undefined && fault !== 'lost after')
      return Promise.resolve({
        code: 1,
        output: `✘ [ERROR] ${fault.message ?? 'refused'} [code: ${fault.code ?? fault.status}]`,
      });
    this.changes.push(call);
    this.#change(args, input, files);
    return Promise.resolve(fault === undefined ? { code: 0, output: 'done' } : lost);
  };

  #change(args: readonly string[], input: string, files: Readonly<Record<string, string>>): void {
    const [first, second, third, fourth = ''] = args;
    if (first === 'queues') this.queues.set(third ?? '', []);
    else if (first === 'r2' && third === 'create') this.buckets.set(fourth, []);
    else if (first === 'r2')
      this.buckets.set(args[4] ?? '', (JSON.parse(files['rules.json'] ?? '{}') as { rules: { id: string }[] }).rules);
    else if (first === 'rollback') this.#find(getOption(args, '--name')).live = second ?? '';
    else this.#upload(args, input, files);
  }

  #upload(args: readonly string[], input: string, files: Readonly<Record<string, string>>): void {
    const config = getOption(args, '--config');
    const stub =
      files['wrangler.json'] === undefined ? undefined : (JSON.parse(files['wrangler.json']) as { name: string });
    const plan = stub === undefined ? this.readConfiguration(findWorker(config), getOption(args, '--env')) : undefined;
    const name = stub?.name ?? plan?.name ?? '';
    const before = this.workers.get(name);
    const live = before?.versions.find(({ id }) => id === before.live);
    const secrets = (live?.bindings ?? []).filter(({ type }) => type === 'secret_text');
    if (args[0] === 'secret') {
      if (before === undefined) throw new Error('a secret of a Worker that is not there');
      const values = JSON.parse(input) as Record<string, string>;
      Object.assign(before.secretValues, values);
      const others = (live?.bindings ?? []).filter((one) => !Object.hasOwn(values, one.name));
      const set = Object.keys(values).map((one) => ({ type: 'secret_text', name: one }));
      return this.#put(name, [...others, ...set], 'secret', live?.tag);
    }
    for (const { service } of plan?.services ?? [])
      if (!this.workers.has(service)) throw new Error(`no Worker ${service}`);
    for (const { queue } of plan?.queues.consumers ?? []) {
      const scripts = this.queues.get(queue);
      if (scripts === undefined) throw new Error(`no queue ${queue}`);
      if (!scripts.includes(name)) scripts.push(name);
    }
    const vars = args.flatMap((word, at) => (args[at - 1] === '--var' ? [word] : []));
    const bindings = [
      ...secrets,
      ...vars.map((word) => ({ type: 'plain_text', name: word.split(':')[0] ?? '', text: word.split(':')[1] ?? '' })),
      ...(plan?.durable_objects.bindings ?? []).map((one) => ({ type: 'durable_object_namespace', ...one })),
      ...(plan?.services ?? []).map(({ binding, service }) => ({ type: 'service', name: binding, service })),
    ];
    this.#put(name, bindings, 'upload', plan?.migrations.at(-1)?.tag);
    const worker = this.#find(name);
    worker.workersDev = plan?.workers_dev ?? false;
    worker.crons = plan?.triggers.crons ?? [];
  }

  #put(name: string, bindings: Binding[], trigger: string, tag: string | undefined): void {
    const worker = this.workers.get(name) ?? { versions: [], live: '', workersDev: false, crons: [], secretValues: {} };
    const number = worker.versions.length + 1;
    worker.versions.push({ id: `${name}-v${number}`, number, at: (this.#minute += 1), bindings, tag, trigger });
    worker.live = `${name}-v${number}`;
    this.workers.set(name, worker);
  }

  #find(name: string): FakeWorker {
    const worker = this.workers.get(name);
    if (worker === undefined) throw new Error(`no Worker ${name}`);
    return worker;
  }

  readonly readConfigurations = (env: string): Record<string, unknown> =>
    Object.fromEntries(
      deployedWorkers.map((worker) => [configurationFiles[worker], this.readConfiguration(worker, env)]),
    );

  /** What wrangler would read, of a service in the small. */
  readonly readConfiguration = (worker: DeployedWorker, env: string) => {
    const suffix = env === 'staging' ? '-staging' : '';
    const named = (one: string): string => `sightline-${one}${suffix}`;
    const services = {
      models: [],
      api: ['control', 'models'],
      pdf: [],
      webhook: ['api'],
      control: ['api', 'webhook', 'pdf'],
    }[worker];
    const classes = { models: [], api: ['PaymentLedger'], pdf: [], webhook: ['Inbox'], control: ['ResourceStore'] }[
      worker
    ];
    const queues = { models: [], api: ['prompts'], pdf: [], webhook: ['wake'], control: ['push'] }[worker].map(named);
    return {
      name: named(worker),
      compatibility_date: '2026-10-20',
      workers_dev: worker !== 'pdf' && worker !== 'models',
      services: services.map((one) => ({ binding: one.toUpperCase(), service: named(one), entrypoint: `${one}Entry` })),
      durable_objects: { bindings: classes.map((class_name) => ({ name: class_name, class_name })) },
      migrations: classes.length === 0 ? [] : [{ tag: this.migration, new_sqlite_classes: classes }],
      queues: {
        producers: queues.map((queue) => ({ binding: 'Q', queue })),
        consumers: queues.map((queue) => ({
          queue,
          ...(worker === 'api' ? { dead_letter_queue: `${queue}-dlq` } : {}),
        })),
      },
      r2_buckets: worker === 'api' ? [{ binding: 'REPORTS', bucket_name: named('reports') }] : [],
      triggers: worker === 'webhook' ? { crons: ['* * * * *'] } : {},
    };
  };
  /** Tag of the newest migration of the clone. */
  migration = 'v1';
}

const answer = (result: unknown): Response => Response.json({ success: true, errors: [], result });
const refuse = (status: number, code?: number, message = 'refused'): Response =>
  Response.json(
    { success: false, errors: [{ ...(code === undefined ? {} : { code }), message }], result: null },
    { status },
  );

const showVersion = ({ id, number, at = 0, bindings, tag, trigger }: Version) => ({
  id,
  number,
  metadata: { created_on: new Date(at * 60_000).toISOString() },
  annotations: { 'workers/triggered_by': trigger },
  resources: { bindings, script_runtime: tag === undefined ? {} : { migration_tag: tag } },
});

const getOption = (args: readonly string[], name: string): string => args[args.indexOf(name) + 1] ?? '';

function findWorker(file: string): DeployedWorker {
  const found = Object.entries(configurationFiles).find(([, one]) => one === file);
  return (found?.[0] ?? 'api') as DeployedWorker; // A name of the table.
}
