import type { Migrated } from '../core/migration.ts';
import type { ClusterFacts } from './facts.ts';
import type { Precondition, VerifyOptions } from './precondition.ts';
import { preconditions } from './preconditions.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
const MAX_SEEN_CHARS = 200;

/**
 * Which conditions of the upgrade hold, in the order of the plan's steps. Says nothing of what the facts leave out.
 * @param migrated the migration of the overrides file: its groups are compared with those of the organization
 */
export const verifyCluster = (
  facts: ClusterFacts,
  migrated?: Migrated,
  options: VerifyOptions = {},
): readonly Precondition[] =>
  preconditions.map(({ look, ...row }) => {
    const found = look(facts, migrated, options);
    return { ...row, state: found.state, seen: shortenToOneLine(found.seen) };
  });

/** Whether a condition must hold when a step of the plan is done. Without a step all must. */
export const isConditionRequired = ({ step, lastStep = Infinity }: Precondition, after: number | undefined): boolean =>
  after === undefined || (step <= after && after <= lastStep);

const shortenToOneLine = (seen: string): string => {
  const characters = Array.from(seen.replaceAll(UNPRINTABLE, ' ').trim());
  return characters.length <= MAX_SEEN_CHARS
    ? characters.join('')
    : `${characters.slice(0, MAX_SEEN_CHARS - 1).join('')}…`;
};
