import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  type Account,
  type AssetFiles,
  type Binding,
  findLiveVersion,
  makeDate,
  makeTag,
  type Script,
  type UploadedModule,
  type WorkerVersion,
} from './account.ts';
import { findAssetSession } from './asset-tokens.ts';
import { applyMigrations, type Migrations, migrationsSchema } from './migrations.ts';
import { RefusedCall } from './refusals-data.ts';
import { readScriptExports } from './script-exports.ts';

const bindingSchema = z.looseObject({ name: z.string(), type: z.string() });
const metadataSchema = z.object({
  main_module: z.string(),
  bindings: z.array(bindingSchema).default([]),
  compatibility_date: z.string().optional(),
  compatibility_flags: z.array(z.string()).default([]),
  migrations: migrationsSchema.optional(),
  keep_bindings: z.array(z.string()).default([]),
  keep_assets: z.boolean().optional(),
  assets: z.object({ jwt: z.string().optional(), config: z.record(z.string(), z.unknown()).default({}) }).optional(),
  limits: z.record(z.string(), z.unknown()).optional(),
  annotations: z.record(z.string(), z.string()).default({}),
  observability: z.unknown().optional(),
});
type Metadata = z.infer<typeof metadataSchema>;

/** What an upload brings, before the account is asked whether it takes it. */
export type Upload = { readonly metadata: Metadata; readonly modules: readonly UploadedModule[] };

/** Reads the form of a Worker's upload. */
export async function readUpload(body: Buffer, contentType: string): Promise<Upload> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  const text = form.get('metadata');
  const json = typeof text === 'string' ? text : await text?.text();
  const metadata = metadataSchema.safeParse(JSON.parse(json ?? '{}'));
  if (!metadata.success) throw new RefusedCall('invalidScript', [`metadata: ${metadata.error.message}`]);
  const modules: UploadedModule[] = [];
  for (const [name, value] of form)
    if (name !== 'metadata' && typeof value !== 'string')
      modules.push({ name: value.name, type: value.type, content: Buffer.from(await value.arrayBuffer()) });
  return { metadata: metadata.data, modules };
}

export const createScript = (name: string): Script => ({
  name,
  tag: makeTag(),
  createdOn: makeDate(),
  modifiedOn: makeDate(),
  versions: [],
  deployments: [],
  migrationTag: undefined,
  classes: new Set(),
  schedules: [],
  subdomain: { enabled: false, previews_enabled: false },
  settings: {},
});

/**
 * Makes the version of an upload. Nothing is changed but the script's migrations, and those last.
 * @throws RefusedCall as the platform refuses
 */
export function makeVersion(account: Account, script: Script, { metadata, modules }: Upload): WorkerVersion {
  const main = modules.find(({ name }) => name === metadata.main_module);
  if (main === undefined) throw new RefusedCall('invalidScript', ['No such module "main_module".']);
  const { names, handlers } = readScriptExports(main.name, main.content.toString());
  if (metadata.limits !== undefined && account.plan === 'free') throw new RefusedCall('cpuLimits', [account.id]);
  const bindings = resolveInherited(script, metadata);
  checkBindings(account, script.name, bindings, names);
  const classes = migrate(account, script, { migrations: metadata.migrations, bindings, exports: names });
  checkClasses(account, script.name, { classes, bindings, exports: names });
  if (handlers !== undefined && !handlers.includes('queue') && isConsumer(account, script.name))
    throw new RefusedCall('queueHandlerMissing');
  const assets = findAssets(account, script, metadata);
  script.classes.clear();
  for (const name of classes) script.classes.add(name);
  if (metadata.migrations !== undefined) script.migrationTag = metadata.migrations.new_tag ?? script.migrationTag;
  return {
    id: randomUUID(),
    number: script.versions.length + 1,
    createdOn: makeDate(),
    source: 'wrangler',
    mainModule: metadata.main_module,
    modules,
    exports: names,
    handlers: handlers ?? [],
    bindings,
    assets,
    compatibilityDate: metadata.compatibility_date,
    compatibilityFlags: metadata.compatibility_flags,
    limits: metadata.limits,
    annotations: metadata.annotations,
    migrationTag: script.migrationTag,
  };
}

export const isConsumer = (account: Account, name: string): boolean =>
  account.queues.some(({ consumers }) => consumers.some(({ script }) => script === name));

/** `inherit` takes a binding of the latest version, and so does a kept type for those that the upload does not name. */
function resolveInherited(script: Script, metadata: Metadata): readonly Binding[] {
  const before = script.versions.at(-1)?.bindings ?? [];
  const missing: string[][] = [];
  const own = metadata.bindings.map((binding): Binding => {
    if (binding.type !== 'inherit') return binding;
    const found = before.find(({ name }) => name === binding.name);
    if (found === undefined) missing.push([binding.name]);
    return found ?? binding;
  });
  if (missing.length > 0) throw new RefusedCall('inheritInvalid', ...missing);
  const kept = before.filter(
    ({ name, type }) => metadata.keep_bindings.includes(type) && !own.some((binding) => binding.name === name),
  );
  return [...own, ...kept];
}

const readText = (binding: Binding, key: string): string => {
  const value = binding[key];
  return typeof value === 'string' ? value : '';
};

function checkBindings(account: Account, self: string, bindings: readonly Binding[], exports: readonly string[]): void {
  for (const binding of bindings) {
    if (binding.type === 'service') checkService(account, self, binding, exports);
    const bucket = readText(binding, 'bucket_name');
    if (binding.type === 'r2_bucket' && !account.buckets.some(({ name }) => name === bucket))
      throw new RefusedCall('bucketUnbound', [bucket]);
    const queue = readText(binding, 'queue_name');
    if (binding.type === 'queue' && !account.queues.some(({ queue_name }) => queue_name === queue))
      throw new RefusedCall('queueUnbound', [queue]);
  }
}

function checkService(account: Account, self: string, binding: Binding, exports: readonly string[]): void {
  const [service, entrypoint] = [readText(binding, 'service'), readText(binding, 'entrypoint')];
  const target = account.scripts.get(service);
  const live = target && findLiveVersion(target);
  if (service !== self && live === undefined) throw new RefusedCall('boundServiceMissing', [binding.name, service]);
  const offered = service === self ? exports : (live?.exports ?? []);
  if (entrypoint !== '' && !offered.includes(entrypoint))
    throw new RefusedCall('boundEntrypointMissing', [binding.name, entrypoint, service]);
}

function migrate(
  account: Account,
  script: Script,
  upload: { migrations: Migrations | undefined; bindings: readonly Binding[]; exports: readonly string[] },
): ReadonlySet<string> {
  if (upload.migrations === undefined) return new Set(script.classes);
  return applyMigrations(upload.migrations, { script, plan: account.plan, ...upload });
}

function checkClasses(
  account: Account,
  self: string,
  upload: { classes: ReadonlySet<string>; bindings: readonly Binding[]; exports: readonly string[] },
): void {
  for (const name of upload.classes) if (!upload.exports.includes(name)) throw new RefusedCall('classLost', [name]);
  for (const binding of upload.bindings) {
    if (binding.type !== 'durable_object_namespace') continue;
    const owner = readText(binding, 'script_name') || self;
    const classes = owner === self ? upload.classes : account.scripts.get(owner)?.classes;
    const name = readText(binding, 'class_name');
    if (classes?.has(name) !== true) throw new RefusedCall('classUnconfigured', [name]);
  }
}

function findAssets(account: Account, script: Script, metadata: Metadata): AssetFiles | undefined {
  if (metadata.keep_assets === true) return findLiveVersion(script)?.assets;
  if (metadata.assets?.jwt === undefined) return undefined;
  const { manifest } = findAssetSession(account, metadata.assets.jwt, 'completion');
  if (Object.values(manifest).some(({ hash }) => !account.files.has(hash))) throw new RefusedCall('assetsIncomplete');
  return { manifest, config: metadata.assets.config };
}
