import type { MigrateOptions } from '../core/options.ts';
import { findBlockEntry, type Overrides, detectOverridesVersion } from '../core/overrides.ts';
import { buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import { type YamlEntry, hasVariable, isEmpty, readEntryText } from '../core/tree.ts';

const WHOLE_NUMBER = /^\d{1,6}$/;
/** The vendor numbers data centers. */
const DATA_CENTER = /^dc[-_]?(\d{1,4})$/i;
const SEPARATOR = /[\s,;]/;
const PRODUCTION_STEP = 3;
const FOR_PRODUCTION = 'Production needs three or a multiple; without --production one replica passes as a trial.';

/** Regions, replicas, and keys that 1.3 does not have. */
export function findCassandraProblems(overrides: Overrides, options: MigrateOptions): readonly OverridesProblem[] {
  const at = (key: string): YamlEntry | undefined => {
    const entry = findBlockEntry(overrides, 'cassandra', key);
    return entry && !isEmpty(entry) ? entry : undefined;
  };
  const [regions, dns, seed] = [at('multiRegionSeedHost'), at('dnsPolicy'), at('externalSeedHost')];
  return [
    ...(regions
      ? [buildOverridesProblem('multi-region', regions.place, '`multiRegionSeedHost` names a node in another region.')]
      : []),
    ...(dns ? [buildOverridesProblem('dns-policy-lost', dns.place, 'Version 1.3 has no `cassandra.dnsPolicy`.')] : []),
    ...(seed
      ? [
          buildOverridesProblem(
            'seed-host-left',
            seed.place,
            '`externalSeedHost` joins a ring that is already there.',
            fixOfSeed(overrides),
          ),
        ]
      : []),
    ...findDataCenterProblems(overrides, at('datacenter')),
    ...findReplicaProblems(overrides, at('replicaCount'), options),
  ];
}

/** A migration takes it out by itself. */
const fixOfSeed = (overrides: Overrides): string | undefined =>
  detectOverridesVersion(overrides) === '1.3'
    ? undefined
    : 'The migration takes it out: make sure that the ring needs it no longer.';

function findDataCenterProblems({ source }: Overrides, entry: YamlEntry | undefined): readonly OverridesProblem[] {
  if (entry === undefined) return [];
  const name = readEntryText(source, entry)?.value;
  if (name === undefined || SEPARATOR.test(name))
    return [buildOverridesProblem('multi-region', entry.place, '`datacenter` names several data centers.')];
  const [, number] = DATA_CENTER.exec(name) ?? [];
  if (number === '1' || hasVariable(name)) return [];
  if (number === undefined)
    return [buildOverridesProblem('data-center-named', entry.place, `The data center is named ${name}.`)];
  return [buildOverridesProblem('multi-region', entry.place, `${name} is not the first data center.`)];
}

function findReplicaProblems(
  { source, entries, org, orgPlace }: Overrides,
  entry: YamlEntry | undefined,
  { production }: MigrateOptions,
): readonly OverridesProblem[] {
  if (entry === undefined) {
    if (production !== true || org === undefined) return [];
    const message = 'There is no `cassandra.replicaCount`: one replica is the default.';
    return [
      buildOverridesProblem('cassandra-replicas', entries.get('cassandra')?.place ?? orgPlace, message, FOR_PRODUCTION),
    ];
  }
  const text = readEntryText(source, entry)?.value ?? '';
  if (hasVariable(text)) return [];
  const count = WHOLE_NUMBER.test(text) ? Number(text) : 0;
  if (count < 1)
    return [buildOverridesProblem('wrong-type', entry.place, '`replicaCount` takes a whole number from 1.')];
  if (count % PRODUCTION_STEP === 0) return [];
  const isTrial = production === false || (production === undefined && count === 1);
  const message = `\`replicaCount\` is ${count}.`;
  if (isTrial) return [buildOverridesProblem('cassandra-trial', entry.place, message)];
  return [buildOverridesProblem('cassandra-replicas', entry.place, message, count === 1 ? FOR_PRODUCTION : undefined)];
}
