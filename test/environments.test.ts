import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import * as z from 'zod';

const root = join(import.meta.dirname, '..');
const FILES = globSync('wrangler*.toml', { cwd: root }).toSorted();

/** Each environment: its name for wrangler, what its names end in, and what its counters' ids begin with. */
const ENVIRONMENTS = [
  { env: undefined, suffix: '-dev', ids: /^[1-3]2\d\d$/ },
  { env: 'staging', suffix: '-staging', ids: /^[1-3]1\d\d$/ },
  { env: 'production', suffix: '', ids: /^[1-3]0\d\d$/ },
] as const;

const configSchema = z.looseObject({
  name: z.string(),
  services: z.array(z.object({ binding: z.string(), service: z.string(), entrypoint: z.string() })).default([]),
  queues: z.object({
    producers: z.array(z.looseObject({ queue: z.string() })).default([]),
    consumers: z.array(z.looseObject({ queue: z.string(), dead_letter_queue: z.string().optional() })).default([]),
  }),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })),
  ratelimits: z.array(z.looseObject({ namespace_id: z.string() })).default([]),
});
type Config = z.infer<typeof configSchema>;

/** An environment of a file, as wrangler reads it. */
const read = (file: string, env: string | undefined): Config =>
  configSchema.parse(readConfig({ config: join(root, file), env }));

const listServices = ({ services }: Config): string[] => services.map(({ service }) => service);
const listQueues = ({ queues }: Config): string[] => [
  ...queues.producers.map(({ queue }) => queue),
  ...queues.consumers.flatMap((one) => [one.queue, ...(one.dead_letter_queue ? [one.dead_letter_queue] : [])]),
];
const listBuckets = (config: Config): string[] => config.r2_buckets.map((one) => one.bucket_name);
const listCounters = (config: Config): string[] => config.ratelimits.map((one) => one.namespace_id);
const listNames = (config: Config): string[] => [
  config.name,
  ...listServices(config),
  ...listQueues(config),
  ...listBuckets(config),
];

test('there are five files, and each has every environment', () => {
  expect(FILES).toEqual([
    'wrangler.control.toml',
    'wrangler.models.toml',
    'wrangler.pdf.toml',
    'wrangler.toml',
    'wrangler.webhook.toml',
  ]);
  for (const file of FILES)
    for (const { env } of ENVIRONMENTS.filter((one) => one.env !== undefined))
      expect(readFileSync(join(root, file), 'utf8')).toContain(`\n[env.${env}]\nname = `);
});

test.each(FILES)(
  '%s: the environments differ in names and counters, and in Workers AI, and in nothing else',
  (file) => {
    const [dev, staging, production] = ENVIRONMENTS.map(({ env, suffix, ids }) => {
      const { targetEnvironment, topLevelName, ...config } = read(file, env);
      expect([targetEnvironment, topLevelName]).toEqual([env, read(file, undefined).name]);
      for (const id of listCounters(config)) expect(id).toMatch(ids);
      const text = JSON.stringify(config, (key, value: unknown) => (key === 'namespace_id' ? 'a counter' : value));
      const neutral = suffix === '' ? text : text.replaceAll(/(sightline-[\w-]+?)-(?:dev|staging)"/g, '$1"');
      return JSON.parse(neutral) as Record<string, unknown>;
    });
    expect(staging).toEqual(production);
    // A declared `ai` binding needs an account even for a local start.
    expect({ ...dev, ai: undefined }).toEqual({ ...production, ai: undefined });
    expect(dev).not.toHaveProperty('ai');
  },
);

test.each(ENVIRONMENTS)('every name of $env ends as its names do', ({ env, suffix }) => {
  const names = FILES.flatMap((file) => listNames(read(file, env)));
  expect(names.length).toBeGreaterThan(15);
  const isOurs = (name: string): boolean => (suffix === '' ? !/-(?:dev|staging)$/.test(name) : name.endsWith(suffix));
  expect(names.filter((name) => !isOurs(name))).toEqual([]);
});

test('no two environments share a script, a service, a bucket, a queue or a counter', () => {
  const kinds = { scripts: (one: Config) => [one.name], listServices, listQueues, listBuckets, listCounters };
  for (const [kind, list] of Object.entries(kinds)) {
    const used = ENVIRONMENTS.map(({ env }) => new Set(FILES.flatMap((file) => list(read(file, env)))));
    const all = used.flatMap((names) => [...names]);
    expect([kind, all.length >= ENVIRONMENTS.length, new Set(all).size]).toEqual([kind, true, all.length]);
  }
});

test('a service is a Worker of the same environment', () => {
  for (const { env } of ENVIRONMENTS) {
    const scripts = FILES.map((file) => read(file, env).name);
    for (const file of FILES) for (const service of listServices(read(file, env))) expect(scripts).toContain(service);
  }
});

test('counters are of one limit each', () => {
  const ids = ENVIRONMENTS.flatMap(({ env }) => FILES.flatMap((file) => listCounters(read(file, env))));
  expect(ids.length).toBe(12);
  expect(new Set(ids).size).toBe(ids.length);
});

test('names of production are those of before: data, addresses and counters belong to them', () => {
  const names = FILES.flatMap((file) => [
    ...listNames(read(file, 'production')),
    ...listCounters(read(file, 'production')),
  ]);
  expect([...new Set(names)].toSorted((a, b) => a.localeCompare(b))).toEqual([
    '1001',
    '1002',
    '2001',
    '3001',
    'sightline-api',
    'sightline-control',
    'sightline-models',
    'sightline-monitors',
    'sightline-monitors-dlq',
    'sightline-pdf',
    'sightline-prompts',
    'sightline-prompts-2',
    'sightline-prompts-3',
    'sightline-prompts-4',
    'sightline-prompts-dlq',
    'sightline-push',
    'sightline-reports',
    'sightline-telemetry',
    'sightline-wake',
    'sightline-webhook',
  ]);
});

/** Which Workers of ours each one calls, by its configuration. */
function readGraph(env: string | undefined): Map<string, readonly string[]> {
  return new Map(
    FILES.map((file) => read(file, env)).map((config) => [config.name, [...new Set(listServices(config))]]),
  );
}

/** The Workers in an order in which each comes after all that it calls; what is left over is on a cycle, or calls one. */
function sortByCalls(graph: ReadonlyMap<string, readonly string[]>): { order: string[]; left: string[] } {
  const order: string[] = [];
  const left = [...graph.keys()];
  for (
    let next: string | undefined;
    (next = left.find((name) => isReady(graph.get(name) ?? [], order))) !== undefined;
  ) {
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return { order, left };
}

const isReady = (called: readonly string[], order: readonly string[]): boolean =>
  called.every((name) => order.includes(name));

test.each(ENVIRONMENTS)(
  'no Worker of $env calls one that calls it: each can be deployed after those that it calls',
  ({ env, suffix }) => {
    const name = (worker: string): string => `sightline-${worker}${suffix}`;
    const graph = readGraph(env);
    expect(Object.fromEntries(graph)).toEqual({
      [name('models')]: [],
      [name('api')]: [name('models')],
      [name('pdf')]: [],
      [name('webhook')]: [name('api')],
      [name('control')]: [name('api'), name('webhook'), name('pdf')],
    });
    expect(sortByCalls(graph).left).toEqual([]);
    const order = ['models', 'api', 'pdf', 'webhook', 'control'].map(name);
    for (const [at, worker] of order.entries()) expect(isReady(graph.get(worker) ?? [], order.slice(0, at))).toBe(true);
  },
);

test('a cycle would be found', () => {
  const { order, left } = sortByCalls(
    new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
      ['d', []],
    ]),
  );
  expect([order, left]).toEqual([['d'], ['a', 'b', 'c']]);
});
