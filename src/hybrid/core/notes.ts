import { isMap, isScalar } from 'yaml';
import { REMOVED_COMPONENTS, REMOVED_FROM_MART } from './keys-data.ts';
import type { Note } from './migration.ts';
import type { Overrides } from './overrides.ts';
import { entriesOf, type Entry, isEmpty, mapIn, textOf } from './tree.ts';
import { entryAt } from './values.ts';
import { versionOf } from './version.ts';

const MAX_SHOWN_CHARS = 100;

/** Where values that leave the file must live from now on. */
export function notesOf(overrides: Overrides): readonly Note[] {
  if (versionOf(overrides) === '1.3') return [];
  const { entries, virtualHosts } = overrides;
  const components = REMOVED_COMPONENTS.flatMap((key) => {
    const entry = entries.get(key);
    return entry ? leavesOf(overrides, entry, []) : [];
  });
  return [
    ...virtualHosts.flatMap(({ hostAliases, routingRules }) => [
      ...asNote(
        hostAliases,
        'virtualhosts[].hostAliases',
        'moves to the host names of the environment group (environment-groups.json)',
      ),
      ...asNote(
        routingRules,
        'virtualhosts[].routingRules',
        'moves to the attachments of the environment group, and base paths to the proxies',
      ),
    ]),
    ...REMOVED_FROM_MART.flatMap((key) =>
      asNote(
        entryAt(overrides, 'mart', key),
        `mart.${key}`,
        'is gone: Apigee reaches MART through Connect, without an ingress of its own',
      ),
    ),
    ...asNote(
      entryAt(overrides, 'connectAgent', 'enabled'),
      'connectAgent.enabled',
      'is gone: Connect always runs in 1.3',
    ),
    ...asNote(entryAt(overrides, 'cassandra', 'dnsPolicy'), 'cassandra.dnsPolicy', 'is gone: 1.3 does not support it'),
    ...asNote(
      entryAt(overrides, 'cassandra', 'externalSeedHost'),
      'cassandra.externalSeedHost',
      'moves to a temporary copy of the file, while the rings are joined (`sightline hybrid seed-host`)',
    ),
    ...components,
  ].toSorted((one, other) => one.line - other.line || one.column - other.column);
}

const asNote = (entry: Entry | undefined, key: string, where: string): readonly Note[] =>
  entry && !isEmpty(entry) ? [{ ...entry.place, key, message: where }] : [];

/** Each value of a component that 1.3 does not install. */
function leavesOf(overrides: Overrides, entry: Entry, above: readonly string[]): readonly Note[] {
  const path = [...above, entry.key];
  if (isMap(entry.value))
    return entriesOf(overrides.source, mapIn(entry) ?? entry.value).flatMap((each) => leavesOf(overrides, each, path));
  const key = path.join('.');
  const shown = isScalar(entry.value) ? ` (${textOf(entry.value).slice(0, MAX_SHOWN_CHARS)})` : '';
  return isEmpty(entry) ? [] : [{ ...entry.place, key, message: `${placeFor(key)}${shown}` }];
}

const PLACES: readonly { key: RegExp; where: string }[] = [
  {
    key: /^ingress\.runtime\.loadBalancerIP$/,
    where: 'moves to the mesh: loadBalancerIP of the service istio-ingressgateway in its manifest',
  },
  { key: /^ingress\.mart\.loadBalancerIP$/, where: 'is gone: MART needs no address; release it after the clean-up' },
  { key: /^ingress\.enableAccesslog$/, where: 'moves to the mesh: meshConfig.accessLogFile in its manifest' },
  { key: /^(?:ingress|istio)\./, where: 'moves to the mesh: its own manifest, if it is still needed' },
  { key: /^certmanager/, where: 'moves to cert-manager: its own manifest, if it is still needed' },
];

const placeFor = (key: string): string =>
  PLACES.find((row) => row.key.test(key))?.where ?? 'moves to its own installation';
