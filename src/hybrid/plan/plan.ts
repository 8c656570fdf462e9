import * as z from 'zod';
import type { EnvironmentGroup, Note, Proposal } from '../core/migration.ts';
import type { OverridesProblem } from '../core/problem.ts';

/** Where the cluster runs: the vendor's managed service, its multi-cloud product, or any cluster attached to it. */
export const platforms = ['managed', 'multi-cloud', 'attached'] as const;
export type Platform = (typeof platforms)[number];

export type PlanOptions = {
  /** As `kubectl version --client -o json` has it: `1.18`, `1.18+`, `v1.18.20`. */
  kubectl: string;
  platform: Platform;
  /** Environments are applied one after the other instead of with `--all-envs`. */
  envsOneByOne: boolean;
  /** Names of the old and the new file in the commands. */
  fileName: string;
  newFileName: string;
};

/** One thing to run or do, with what must be seen. */
export type Command = {
  /** For a POSIX shell; `$VARIABLES` of the overrides file stay variables. Undefined: `text` says what to do by hand. */
  command?: string;
  text?: string;
};

export type UpgradeStep = {
  /** From 0. */
  number: number;
  /** Stable: `versions`, `backups`, `connect`, ... */
  id: string;
  title: string;
  why: string;
  commands: readonly Command[];
  /** How to see that it worked. */
  check: { commands: readonly Command[]; expect: string };
  undo: readonly Command[];
  /** After this step there is no way back but the backups. */
  isPointOfNoReturn: boolean;
};

export type UpgradePlan = {
  from: '1.2';
  to: '1.3.6';
  org: string;
  /** The value that `--dry-run` takes with this kubectl. */
  dryRun: 'true' | 'client';
  platform: Platform;
  groups: readonly EnvironmentGroup[];
  proposals: readonly Proposal[];
  notes: readonly Note[];
  problems: readonly OverridesProblem[];
  /** Variables that commands use and the operator sets before: name and what it is. */
  variables: readonly { name: string; meaning: string; example?: string }[];
  steps: readonly UpgradeStep[];
};

export type PlanOutcome =
  | { ok: true; plan: UpgradePlan }
  | { ok: false; problems: readonly OverridesProblem[] }
  | { ok: false; reason: PlanRefusal; detail: string };

/**
 * Why there is no plan for a file that has no errors: the kubectl version cannot be read, the file is a part of one, is
 * of 1.3 already, routes no host name, has a value with characters that no command can carry, or one file of the plan
 * would be written over another.
 */
export type PlanRefusal =
  | 'kubectl_version'
  | 'fragment'
  | 'already_1_3'
  | 'no_groups'
  | 'unprintable_value'
  | 'same_file_names';

const MAX_VERSION_CHARS = 64;
const MAX_FILE_NAME_CHARS = 255;

/** Printable, and not to be taken for an option of a command. */
const fileName = z
  .string()
  .min(1)
  .max(MAX_FILE_NAME_CHARS)
  .regex(/^(?!-)[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u, 'is no printable file name');

/** What a plan needs beside the file and the options of its migration. */
export const planRequest = z.strictObject({
  /** `kubectl version --client`: it decides what `--dry-run` takes. */
  kubectl: z.string().min(1).max(MAX_VERSION_CHARS),
  platform: z.enum(platforms).default('managed'),
  envsOneByOne: z.boolean().default(false),
  fileName: fileName.default('overrides.yaml'),
  newFileName: fileName.default('overrides-1.3.yaml'),
});

/** What a step says itself; number and point of no return follow from its place in the list. */
export type StepContent = Omit<UpgradeStep, 'number' | 'isPointOfNoReturn'>;
