import type { PlannedCall, PlannedStep } from './calls.ts';
import type { WorkerPlan } from './configuration.ts';
import type { PlatformState } from './state.ts';
import type { LifecycleRule } from './state-shapes.ts';

const DAY_S = 86_400;

/** After so many days what lies below a prefix of the bucket of reports is deleted. `published/` and `kept/` (reports of monitors) have no end. */
const EXPIRY_DAYS = { snapshots: 30, runs: 30, reports: 60, cards: 60, imports: 30 } as const;

/** What is made already by another run at the same time. */
const QUEUE_EXISTS = 11_009;
const BUCKET_EXISTS = 10_004;

/** Buckets with their rules, and queues with those for dead letters. */
export const planStores = (plans: readonly WorkerPlan[], state: PlatformState): readonly PlannedStep[] => [
  planBuckets([...new Set(plans.flatMap(({ buckets }) => buckets))], state),
  planQueues([...new Set(plans.flatMap(({ producers, consumers }) => [...producers, ...consumers]))], state),
];

function planBuckets(names: readonly string[], { buckets }: PlatformState): PlannedStep {
  const there = names.filter(
    (name) => buckets.has(name) && listMissingRules(buckets.get(name)?.rules ?? []).length === 0,
  );
  const calls = names.flatMap((name) => {
    const found = buckets.get(name);
    const missing = listMissingRules(found?.rules ?? []);
    return [
      ...(found === undefined ? [planBucket(name)] : []),
      ...(missing.length === 0 ? [] : [planRules(name, [...(found?.rules ?? []), ...missing])]),
    ];
  });
  return { id: 'buckets', title: 'Buckets', found: there.map((name) => `${name} exists, with its rules`), calls };
}

const planBucket = (name: string): PlannedCall => ({
  call: { via: 'wrangler', args: ['r2', 'bucket', 'create', name], doneBy: [BUCKET_EXISTS] },
  doing: `make the bucket ${name}`,
  did: `made ${name}`,
});

/** Rules that are there already stay: the platform takes all of them at once. */
const planRules = (name: string, rules: readonly LifecycleRule[]): PlannedCall => ({
  call: {
    via: 'wrangler',
    args: ['r2', 'bucket', 'lifecycle', 'set', name, '--file', '@rules.json', '--force'],
    files: { 'rules.json': JSON.stringify({ rules }) },
  },
  doing: `set the lifecycle rules of ${name}`,
  did: `set its rules: ${Object.entries(EXPIRY_DAYS)
    .map(([prefix, days]) => `${prefix}/ ends after ${days} days`)
    .join(', ')}`,
});

/** A rule is there by its name: an operator may have given it another number of days. */
const listMissingRules = (existing: readonly LifecycleRule[]): readonly LifecycleRule[] =>
  Object.entries(EXPIRY_DAYS).flatMap(([prefix, days]) =>
    existing.some(({ id }) => id === prefix)
      ? []
      : [
          {
            id: prefix,
            enabled: true,
            conditions: { prefix: `${prefix}/` },
            deleteObjectsTransition: { condition: { type: 'Age', maxAge: days * DAY_S } },
          },
        ],
  );

function planQueues(names: readonly string[], { queues }: PlatformState): PlannedStep {
  const there = names.filter((name) => queues.has(name));
  return {
    id: 'queues',
    title: 'Queues',
    found: there.map((name) => `${name} exists`),
    calls: names
      .filter((name) => !queues.has(name))
      .map((name) => ({
        call: { via: 'wrangler', args: ['queues', 'create', name], doneBy: [QUEUE_EXISTS] },
        doing: `make the queue ${name}`,
        did: `made ${name}`,
      })),
  };
}
