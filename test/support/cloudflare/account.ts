import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** A binding as it is uploaded: `type` and `name`, and what its type needs. */
export type Binding = { readonly name: string; readonly type: string; readonly [key: string]: unknown };
export type UploadedModule = { readonly name: string; readonly type: string; readonly content: Buffer };
export type AssetFiles = {
  /** Path below the origin -> hash of the file. */
  readonly manifest: Readonly<Record<string, { readonly hash: string; readonly size: number }>>;
  readonly config: Readonly<Record<string, unknown>>;
};

/** What one upload or one change of secrets made: it never changes again. */
export type WorkerVersion = {
  readonly id: string;
  readonly number: number;
  readonly createdOn: string;
  readonly source: 'wrangler' | 'secret';
  readonly mainModule: string;
  readonly modules: readonly UploadedModule[];
  /** Names that the main module exports, and the handlers of its default export. */
  readonly exports: readonly string[];
  readonly handlers: readonly string[];
  readonly bindings: readonly Binding[];
  readonly assets: AssetFiles | undefined;
  readonly compatibilityDate: string | undefined;
  readonly compatibilityFlags: readonly string[];
  readonly limits: Readonly<Record<string, unknown>> | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** Tag of the migrations that had been applied when it was made. */
  readonly migrationTag: string | undefined;
};

export type WorkerDeployment = {
  readonly id: string;
  readonly createdOn: string;
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
  readonly annotations: Readonly<Record<string, string>>;
};

export type Script = {
  readonly name: string;
  readonly tag: string;
  readonly createdOn: string;
  modifiedOn: string;
  /** Oldest first. */
  readonly versions: WorkerVersion[];
  /** Oldest first. */
  readonly deployments: WorkerDeployment[];
  migrationTag: string | undefined;
  /** Classes of Durable Objects that have a namespace. */
  readonly classes: Set<string>;
  schedules: readonly string[];
  subdomain: { enabled: boolean; previews_enabled: boolean };
  settings: Record<string, unknown>;
};

export type Consumer = {
  readonly consumer_id: string;
  readonly script: string;
  dead_letter_queue: string | undefined;
  settings: Readonly<Record<string, unknown>>;
};

export type Queue = {
  readonly queue_id: string;
  readonly queue_name: string;
  readonly created_on: string;
  settings: Readonly<Record<string, unknown>>;
  readonly consumers: Consumer[];
};

export type Database = {
  readonly uuid: string;
  readonly name: string;
  readonly created_at: string;
  readonly rows: DatabaseSync;
};
export type Bucket = { readonly name: string; readonly creation_date: string; rules: readonly unknown[] };
export type DnsRecord = { readonly type: string; readonly name: string; readonly content: string };
export type Zone = { readonly id: string; readonly name: string; readonly records: DnsRecord[] };
export type CustomDomain = { readonly id: string; readonly hostname: string; readonly zone: Zone; service: string };

/** Everything that one account of the platform has. It outlives the server that shows it. */
export type Account = {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  plan: 'free' | 'paid';
  /** R2 has been switched on in the dashboard. */
  hasR2: boolean;
  /** First label of `<label>.workers.dev`; undefined until one is registered. */
  subdomain: string | undefined;
  readonly zones: Zone[];
  readonly scripts: Map<string, Script>;
  readonly queues: Queue[];
  readonly buckets: Bucket[];
  readonly databases: Database[];
  readonly domains: CustomDomain[];
  /** Sessions of uploads of static assets, by their id. */
  readonly sessions: Map<string, AssetFiles['manifest']>;
  /** Files of static assets, by hash. */
  readonly files: Map<string, { readonly content: Buffer; readonly contentType: string }>;
};

export type AccountChoices = {
  readonly plan?: 'free' | 'paid';
  readonly hasR2?: boolean;
  readonly subdomain?: string | undefined;
  /** Names of the domains that the account has. */
  readonly zones?: readonly string[];
};

export const makeTag = (): string => randomBytes(16).toString('hex');
export const makeDate = (): string => new Date().toISOString();

/** An account in which nothing was deployed yet. */
export function createAccount(choices: AccountChoices = {}): Account {
  return {
    id: makeTag(),
    name: 'An account for tests',
    token: `test-${randomUUID()}`,
    plan: choices.plan ?? 'paid',
    hasR2: choices.hasR2 ?? true,
    subdomain: 'subdomain' in choices ? choices.subdomain : 'tester',
    zones: (choices.zones ?? []).map((name) => ({ id: makeTag(), name, records: [] })),
    scripts: new Map(),
    queues: [],
    buckets: [],
    databases: [],
    domains: [],
    sessions: new Map(),
    files: new Map(),
  };
}

/** The version that answers all requests of a Worker; undefined before its first deployment. */
export function findLiveVersion(script: Script): WorkerVersion | undefined {
  const live = script.deployments.at(-1)?.versions[0]?.version_id;
  return script.versions.find(({ id }) => id === live);
}

/** Adds a version, and deploys it to all requests. */
export function deployVersion(script: Script, version: WorkerVersion, annotations: WorkerVersion['annotations']): void {
  script.versions.push(version);
  script.deployments.push({
    id: randomUUID(),
    createdOn: makeDate(),
    versions: [{ version_id: version.id, percentage: 100 }],
    annotations,
  });
  script.modifiedOn = makeDate();
}
