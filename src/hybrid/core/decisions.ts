import { type MissingAccount, listMissingAccounts } from './accounts.ts';
import type { Proposal } from './migration.ts';
import type { MigrateOptions } from './options.ts';
import { type Overrides, findBlockText, detectOverridesVersion } from './overrides.ts';
import { readRawScalar, readEntryText, formatYamlScalar } from './tree.ts';

/** What a migration adds to a file. */
export type Decisions = { instanceId?: Proposed; region?: Proposed; accounts: readonly MissingAccount[] };

/** Nothing is added to a part of a file, and nothing to a 1.3 file. */
export function decide(overrides: Overrides, options: MigrateOptions): Decisions {
  if (overrides.org === undefined || detectOverridesVersion(overrides) === '1.3') return { accounts: [] };
  const instanceId = findInstanceId(overrides) ? undefined : proposeInstanceId(overrides, options);
  const region = findBlockText(overrides, 'gcp', 'region') ? undefined : proposeRegion(overrides, options);
  return {
    ...(instanceId && { instanceId }),
    ...(region && { region }),
    accounts: listMissingAccounts(overrides, options),
  };
}

/** The same for people, who may give other values. */
export function buildProposals({ instanceId, region, accounts }: Decisions): readonly Proposal[] {
  return [
    ...(instanceId
      ? [
          asProposal(
            'instanceID',
            instanceId,
            '--instance-id',
            'Required by 1.3, and unique; made of cluster and region.',
          ),
        ]
      : []),
    ...(region ? [asProposal('gcp.region', region, '--region', 'Required by 1.3; taken from k8sCluster.region.')] : []),
    ...accounts.flatMap(({ block, key, flag, proposal }) =>
      proposal ? [asProposal(`${block}.${key}`, proposal, flag, ACCOUNT_REASONS[block])] : [],
    ),
  ];
}

const ACCOUNT_REASONS = {
  connectAgent: 'Connect takes the account of MART, with the role Apigee Connect Agent.',
  metrics: 'Metrics are on in 1.3; the account needs the role Monitoring Metric Writer.',
  watcher: 'New in 1.3; the account needs the role Apigee Runtime Agent.',
} as const;

const asProposal = (
  key: string,
  { value, isGiven }: Pick<Proposed, 'value' | 'isGiven'>,
  flag: string,
  reason: string,
): Proposal => ({ key, value, flag, reason, isGiven });

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
