import { oncePer } from './once-per.ts';
import type { RobotsFile, RobotsGroup } from './robots.ts';

/** A product token is letters, `-` and `_`; what follows (`/1.0`) is no part of it. */
const tokenOf = (name: string): string => /^[a-z_-]*/.exec(name)?.[0] ?? '';

const isWildcard = (group: RobotsGroup): boolean => group.agents.some((name) => /^\*(?:\s|$)/.test(name));

type TokenGroups = { named: boolean; groups: readonly RobotsGroup[] };

/** Callers ask for a roster of agents, many times over; a file may have thousands of groups. */
const known = oncePer((_file: RobotsFile) => new Map<string, TokenGroups>());
const MAX_KNOWN = 100;

/** The groups that decide for a product token: those that name it, else those of `*`. `named` tells which. */
export function groupsFor(file: RobotsFile, token: string): TokenGroups {
  const wanted = token.toLowerCase();
  const found = known(file).get(wanted) ?? lookFor(file, wanted);
  if (known(file).size < MAX_KNOWN) known(file).set(wanted, found);
  return found;
}

function lookFor(file: RobotsFile, wanted: string): TokenGroups {
  const own = file.groups.filter((group) => group.agents.some((name) => tokenOf(name) === wanted));
  if (wanted !== '' && own.length > 0) return { named: true, groups: own };
  return { named: false, groups: wildcardGroups(file) };
}

/** The groups of `*`. */
export const wildcardGroups = (file: RobotsFile): readonly RobotsGroup[] => file.groups.filter(isWildcard);

/** The group that a line stands in: the last one that begins above it; undefined before the first. */
export const groupAt = (file: RobotsFile, line: number): RobotsGroup | undefined =>
  file.groups.findLast((group) => group.line < line);

/** Records of a key (lower case) that stand in the groups of a token, or before any group. */
export function recordsFor(file: RobotsFile, token: string, key: string): readonly { value: string; line: number }[] {
  const { groups } = groupsFor(file, token);
  return file.others.filter((record) => {
    if (record.key !== key) return false;
    const around = groupAt(file, record.line);
    return around === undefined || groups.includes(around);
  });
}

/** Comparisons of one address with one rule that a check may make; an honest file never meets it. */
const MAX_COMPARISONS = 300_000;
const FEWEST = 10;

/** How many addresses a check may match against a file: `most`, or fewer where the file has thousands of rules. */
export function affordableMatches(file: RobotsFile, most: number): number {
  const rules = file.groups.reduce((sum, group) => sum + group.rules.length, 0);
  return Math.max(FEWEST, Math.min(most, Math.floor(MAX_COMPARISONS / (rules + 1))));
}
