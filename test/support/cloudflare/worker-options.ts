import { Response as WorkerResponse, type V4WorkerOptions } from 'miniflare';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { formatCanonicalJson } from '../../../src/lib/json.ts';
import { type Account, type Binding, findLiveVersion, type Script, type WorkerVersion } from './account.ts';

/** The Worker through which all others read the network. */
export const OUTBOUND_WORKER = 'stand-in-outbound';
const OLDEST_DATE = '2021-11-02';
const rulesSchema = z.union([z.boolean(), z.array(z.string())]).optional();
const handlingSchema = z
  .enum(['auto-trailing-slash', 'force-trailing-slash', 'drop-trailing-slash', 'none'])
  .optional();
const simpleSchema = z.object({ limit: z.number(), period: z.union([z.literal(10), z.literal(60)]) });
const settingsSchema = z.object({
  batch_size: z.number().optional(),
  max_retries: z.number().optional(),
  max_wait_time_ms: z.number().optional(),
});

const readText = (binding: Binding, key: string): string => z.string().catch('').parse(binding[key]);

/** What miniflare is given for a Worker as it is deployed now; undefined where nothing is. */
export function buildWorkerOptions(account: Account, script: Script, folder: string): V4WorkerOptions | undefined {
  const live = findLiveVersion(script);
  if (live === undefined) return undefined;
  const of = (type: string): readonly Binding[] => live.bindings.filter((binding) => binding.type === type);
  const collect = <T>(type: string, read: (binding: Binding) => T): Record<string, T> =>
    Object.fromEntries(of(type).map((binding) => [binding.name, read(binding)]));
  const refuse = (): WorkerResponse => new WorkerResponse('There is no model here.', { status: 503 });
  return {
    name: script.name,
    modules: orderModules(live),
    compatibilityDate: live.compatibilityDate ?? OLDEST_DATE,
    compatibilityFlags: [...live.compatibilityFlags],
    bindings: { ...collect('plain_text', readBindingText), ...collect('secret_text', readBindingText) },
    serviceBindings: {
      ...collect('service', (binding) => ({
        name: readText(binding, 'service'),
        ...(readText(binding, 'entrypoint') === '' ? {} : { entrypoint: readText(binding, 'entrypoint') }),
      })),
      ...collect('ai', () => refuse),
    },
    durableObjects: collect('durable_object_namespace', (binding) => ({
      className: readText(binding, 'class_name'),
      useSQLite: true,
    })),
    queueProducers: collect('queue', (binding) => ({ queueName: readText(binding, 'queue_name') })),
    queueConsumers: collectConsumers(account, script),
    r2Buckets: collect('r2_bucket', (binding) => readText(binding, 'bucket_name')),
    ratelimits: collect('ratelimit', (binding) => ({
      namespace_id: readText(binding, 'namespace_id'),
      simple: simpleSchema.parse(binding['simple']),
    })),
    outboundService: OUTBOUND_WORKER,
    ...(live.assets === undefined ? {} : { assets: buildAssets(account, live, folder) }),
  };
}

const readBindingText = (binding: Binding): string => readText(binding, 'text');

/** The main module is the first. Source maps are for people. */
function orderModules({ modules, mainModule }: WorkerVersion) {
  const code = modules.filter(({ type }) => type.startsWith('application/javascript'));
  return code
    .toSorted((a, b) => Number(b.name === mainModule) - Number(a.name === mainModule))
    .map(({ name, content }) => ({ type: 'ESModule' as const, path: name, contents: content.toString() }));
}

function collectConsumers(account: Account, script: Script) {
  const consumed = account.queues.flatMap((queue) =>
    queue.consumers
      .filter((consumer) => consumer.script === script.name)
      .map((consumer) => ({ name: queue.queue_name, consumer, settings: settingsSchema.parse(consumer.settings) })),
  );
  return Object.fromEntries(
    consumed.map(({ name, consumer, settings }) => [
      name,
      {
        ...(settings.batch_size === undefined ? {} : { maxBatchSize: settings.batch_size }),
        ...(settings.max_retries === undefined ? {} : { maxRetries: settings.max_retries }),
        ...(settings.max_wait_time_ms === undefined ? {} : { maxBatchTimeout: settings.max_wait_time_ms / 1_000 }),
        ...(consumer.dead_letter_queue === undefined ? {} : { deadLetterQueue: consumer.dead_letter_queue }),
      },
    ]),
  );
}

/** Static assets are files for miniflare. Versions with the same ones, which most have, share a folder that is written once. */
function buildAssets(account: Account, version: WorkerVersion, folder: string) {
  const { manifest, config } = version.assets ?? { manifest: {}, config: {} };
  const directory = join(folder, createHash('sha256').update(formatCanonicalJson(manifest)).digest('hex'));
  if (!existsSync(directory)) {
    const part = `${directory}.part`;
    mkdirSync(part, { recursive: true });
    for (const [path, { hash }] of Object.entries(manifest)) {
      const file = join(part, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, account.files.get(hash)?.content ?? '');
    }
    renameSync(part, directory);
  }
  const rules = rulesSchema.parse(config['run_worker_first']);
  const handling = handlingSchema.parse(config['html_handling']);
  const binding = version.bindings.find(({ type }) => type === 'assets')?.name;
  return {
    directory,
    ...(binding === undefined ? {} : { binding }),
    routerConfig: { has_user_worker: true, ...splitRules(rules) },
    assetConfig: handling === undefined ? {} : { html_handling: handling },
  };
}

function splitRules(rules: z.infer<typeof rulesSchema>) {
  if (!Array.isArray(rules)) return { invoke_user_worker_ahead_of_assets: rules === true };
  const isOut = (rule: string): boolean => rule.startsWith('!');
  return {
    static_routing: {
      user_worker: rules.filter((rule) => !isOut(rule)),
      asset_worker: rules.filter(isOut).map((rule) => rule.slice(1)),
    },
  };
}
