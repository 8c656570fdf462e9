import * as z from 'zod';
import { type DeployRefusal, refuseDeploy } from './refusal.ts';

export const deployEnvironments = ['staging', 'production'] as const;
export type DeployEnvironment = (typeof deployEnvironments)[number];

/** Every Worker of the service with its configuration file, in the order of the documentation. */
export const configurationFiles = {
  models: 'wrangler.models.toml',
  api: 'wrangler.toml',
  pdf: 'wrangler.pdf.toml',
  webhook: 'wrangler.webhook.toml',
  control: 'wrangler.control.toml',
} as const;
export type DeployedWorker = keyof typeof configurationFiles;
/** Workers without an address of their own: others call them by bindings. */
export const HIDDEN_WORKERS: ReadonlySet<DeployedWorker> = new Set(['models', 'pdf']);
export const deployedWorkers = Object.keys(configurationFiles) as readonly DeployedWorker[];

const service = z.object({ binding: z.string(), service: z.string(), entrypoint: z.string().optional() });
const route = z.union([z.string(), z.looseObject({ pattern: z.string(), custom_domain: z.boolean().optional() })]);
const migration = z.looseObject({ tag: z.string(), new_sqlite_classes: z.array(z.string()).default([]) });

/** An environment of a configuration file as wrangler reads it. */
const wranglerConfiguration = z.looseObject({
  name: z.string(),
  compatibility_date: z.string(),
  workers_dev: z.boolean().optional(),
  routes: z.array(route).optional(),
  services: z.array(service).default([]),
  durable_objects: z.object({ bindings: z.array(z.looseObject({ class_name: z.string() })) }),
  migrations: z.array(migration).default([]),
  queues: z.object({
    producers: z.array(z.looseObject({ queue: z.string() })).default([]),
    consumers: z.array(z.looseObject({ queue: z.string(), dead_letter_queue: z.string().optional() })).default([]),
  }),
  r2_buckets: z.array(z.looseObject({ bucket_name: z.string() })).default([]),
  triggers: z.object({ crons: z.array(z.string()).optional() }).optional(),
});

/** What a Worker of the service is in an environment, by its configuration. */
export type WorkerPlan = {
  worker: DeployedWorker;
  file: string;
  /** Of the script. */
  name: string;
  compatibilityDate: string;
  isOnWorkersDev: boolean;
  /** Custom domains that the file names. */
  domains: readonly string[];
  services: readonly { service: string; entrypoint: string | undefined }[];
  classes: readonly string[];
  /** Of the newest migration. */
  migrationTag: string | undefined;
  producers: readonly string[];
  consumers: readonly string[];
  buckets: readonly string[];
  crons: readonly string[];
};

/** Reads what wrangler makes of the configuration files, by their names. */
export function parseConfigurations(
  files: Readonly<Record<string, unknown>>,
  env: DeployEnvironment,
): { ok: true; plans: readonly WorkerPlan[] } | DeployRefusal {
  const plans: WorkerPlan[] = [];
  for (const worker of deployedWorkers) {
    const file = configurationFiles[worker];
    const read = wranglerConfiguration.safeParse(files[file]);
    if (!read.success) {
      const places = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      return refuseConfigurations(`${file} is no configuration of this service for ${env}.`, places);
    }
    plans.push(readWorkerPlan(worker, read.data));
  }
  return { ok: true, plans };
}

/** What a person does about configurations that cannot be used. */
export const refuseConfigurations = (message: string, detail: readonly string[]): DeployRefusal =>
  refuseDeploy(
    'configuration_unreadable',
    message,
    'Compare the files wrangler*.toml with the released ones, correct your change, and run npm ci. Nothing was changed.',
    detail,
  );

function readWorkerPlan(worker: DeployedWorker, read: z.output<typeof wranglerConfiguration>): WorkerPlan {
  const deadLetters = read.queues.consumers.flatMap(({ dead_letter_queue: queue }) => queue ?? []);
  return {
    worker,
    file: configurationFiles[worker],
    name: read.name,
    compatibilityDate: read.compatibility_date,
    isOnWorkersDev: read.workers_dev ?? (read.routes ?? []).length === 0,
    domains: (read.routes ?? []).flatMap((one) =>
      typeof one === 'object' && one.custom_domain === true ? [one.pattern] : [],
    ),
    services: read.services.map(({ service: name, entrypoint }) => ({ service: name, entrypoint })),
    classes: read.durable_objects.bindings.map(({ class_name: name }) => name),
    migrationTag: read.migrations.at(-1)?.tag,
    producers: [...new Set([...read.queues.producers.map(({ queue }) => queue), ...deadLetters])],
    consumers: read.queues.consumers.map(({ queue }) => queue),
    buckets: read.r2_buckets.map(({ bucket_name: name }) => name),
    crons: read.triggers?.crons ?? [],
  };
}
