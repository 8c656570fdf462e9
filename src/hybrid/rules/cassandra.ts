import type { MigrateOptions } from '../core/options.ts';
import { entryAt, type Overrides, versionOf } from '../core/overrides.ts';
import { problem, type Problem } from '../core/problem.ts';
import { type Entry, hasVariable, isEmpty, textIn } from '../core/tree.ts';

const WHOLE_NUMBER = /^\d{1,6}$/;
/** The vendor numbers data centers. */
const DATA_CENTER = /^dc[-_]?(\d{1,4})$/i;
const SEPARATOR = /[\s,;]/;
const PRODUCTION_STEP = 3;
const FOR_PRODUCTION = 'Production needs three or a multiple; without --production one replica passes as a trial.';

/** Regions, replicas, and keys that 1.3 does not have. */
export function cassandraProblems(overrides: Overrides, options: MigrateOptions): readonly Problem[] {
  const at = (key: string): Entry | undefined => {
    const entry = entryAt(overrides, 'cassandra', key);
    return entry && !isEmpty(entry) ? entry : undefined;
  };
  const [regions, dns, seed] = [at('multiRegionSeedHost'), at('dnsPolicy'), at('externalSeedHost')];
  return [
    ...(regions
      ? [problem('multi-region', regions.place, '`multiRegionSeedHost` names a node in another region.')]
      : []),
    ...(dns ? [problem('dns-policy-lost', dns.place, 'Version 1.3 has no `cassandra.dnsPolicy`.')] : []),
    ...(seed
      ? [
          problem(
            'seed-host-left',
            seed.place,
            '`externalSeedHost` joins a ring that is already there.',
            fixOfSeed(overrides),
          ),
        ]
      : []),
    ...dataCenterProblems(overrides, at('datacenter')),
    ...replicaProblems(overrides, at('replicaCount'), options),
  ];
}

/** A migration takes it out by itself. */
const fixOfSeed = (overrides: Overrides): string | undefined =>
  versionOf(overrides) === '1.3'
    ? undefined
    : 'The migration takes it out: make sure that the ring needs it no longer.';

function dataCenterProblems({ source }: Overrides, entry: Entry | undefined): readonly Problem[] {
  if (entry === undefined) return [];
  const name = textIn(source, entry)?.value;
  if (name === undefined || SEPARATOR.test(name))
    return [problem('multi-region', entry.place, '`datacenter` names several data centers.')];
  const [, number] = DATA_CENTER.exec(name) ?? [];
  if (number === '1' || hasVariable(name)) return [];
  if (number === undefined) return [problem('data-center-named', entry.place, `The data center is named ${name}.`)];
  return [problem('multi-region', entry.place, `${name} is not the first data center.`)];
}

function replicaProblems(
  { source, entries, org, orgPlace }: Overrides,
  entry: Entry | undefined,
  { production }: MigrateOptions,
): readonly Problem[] {
  if (entry === undefined) {
    if (production !== true || org === undefined) return [];
    const message = 'There is no `cassandra.replicaCount`: one replica is the default.';
    return [problem('cassandra-replicas', entries.get('cassandra')?.place ?? orgPlace, message, FOR_PRODUCTION)];
  }
  const text = textIn(source, entry)?.value ?? '';
  if (hasVariable(text)) return [];
  const count = WHOLE_NUMBER.test(text) ? Number(text) : 0;
  if (count < 1) return [problem('wrong-type', entry.place, '`replicaCount` takes a whole number from 1.')];
  if (count % PRODUCTION_STEP === 0) return [];
  const isTrial = production === false || (production === undefined && count === 1);
  const message = `\`replicaCount\` is ${count}.`;
  if (isTrial) return [problem('cassandra-trial', entry.place, message)];
  return [problem('cassandra-replicas', entry.place, message, count === 1 ? FOR_PRODUCTION : undefined)];
}
