import type { Edit } from '../edits/splice.ts';
import type { OverridesProblem } from './problem.ts';

/**
 * What a file is written for: `1.1` has host names in its environments, `1.2` has anything that 1.3 no longer knows, `1.3`
 * has nothing of these and something that only 1.3 knows, `unknown` neither.
 */
export type OverridesVersion = '1.1' | '1.2' | '1.3' | 'unknown';

/** What `check` says of a file. */
export type Report = {
  version: OverridesVersion;
  /** Without `org`: a part of an overrides file, of which nothing is required. */
  isFragment: boolean;
  /** Sorted by place. */
  problems: readonly OverridesProblem[];
};

/** An environment group as version 1.3 needs it in the organization (`environment-groups.json`). */
export type EnvironmentGroup = {
  group: string;
  hostnames: readonly string[];
  /** In the order in which the rules name them. */
  environments: readonly string[];
  /** Of each environment; `/` where a rule has no paths. In 1.3 the proxies say them. */
  basePaths: Readonly<Record<string, readonly string[]>>;
};

/** A value that the file did not have and that the migration adds. `flag` gives another. */
export type Proposal = { key: string; value: string; flag: string; reason: string; isGiven: boolean };

/** Something that left the file, and where it must live now. */
export type Note = { line: number; column: number; key: string; message: string };

/** Values of the new file that a plan needs, as written there: `$VARIABLES` are not resolved. */
export type UpgradeValues = {
  org?: string;
  projectId?: string;
  region?: string;
  clusterName?: string;
  /** `namespace`; the vendor's default is `apigee`. */
  namespace: string;
  environments: readonly string[];
  cassandraReplicas?: number;
  martServiceAccountPath?: string;
  connectAgentServiceAccountPath?: string;
  watcherServiceAccountPath?: string;
};

export type Migrated = {
  ok: true;
  version: OverridesVersion;
  isFragment: boolean;
  changed: boolean;
  /** The new file. */
  text: string;
  /** What was done to the old one, in its order. */
  edits: readonly Edit[];
  /** Empty where the file says nothing of them (a 1.3 file). */
  groups: readonly EnvironmentGroup[];
  values: UpgradeValues;
  proposals: readonly Proposal[];
  notes: readonly Note[];
  /** Warnings only. */
  problems: readonly OverridesProblem[];
};

/** Nothing is written: `problems` has at least one error. */
export type MigrationRefusal = {
  ok: false;
  version: OverridesVersion;
  isFragment: boolean;
  problems: readonly OverridesProblem[];
};

export type Migration = Migrated | MigrationRefusal;
