import type { MigrateOptions } from './options.ts';
import { type Overrides, findBlockText } from './overrides.ts';
import { readRawScalar, readEntryText, formatYamlScalar } from './tree.ts';

/** A value that the file lacks, and how it is written. */
export type Proposed = { value: string; raw: string; isGiven: boolean };

/** `instanceID` of a file that has none: the given one, or cluster and region. Undefined: it cannot be proposed. */
export function proposeInstanceId(overrides: Overrides, { instanceId }: MigrateOptions): Proposed | undefined {
  if (instanceId !== undefined) return { value: instanceId, raw: JSON.stringify(instanceId), isGiven: true };
  const name = findBlockText(overrides, 'k8sCluster', 'name');
  const region = findBlockText(overrides, 'k8sCluster', 'region');
  if (name === undefined || region === undefined) return undefined;
  const value = `${name.value}-${region.value}`;
  return { value, raw: JSON.stringify(value), isGiven: false };
}

/** `gcp.region` of a file that has none: the given one, or that of the cluster, as it is written there. */
export function proposeRegion(overrides: Overrides, { region }: MigrateOptions): Proposed | undefined {
  if (region !== undefined) return { value: region, raw: formatYamlScalar(region), isGiven: true };
  const cluster = findBlockText(overrides, 'k8sCluster', 'region');
  if (cluster === undefined) return undefined;
  return { value: cluster.value, raw: readRawScalar(overrides.source.text, cluster), isGiven: false };
}

export const findInstanceId = ({ source, entries }: Overrides): ReturnType<typeof readEntryText> =>
  readEntryText(source, entries.get('instanceID'));
