import { findDecidingRule, findGroups, type RobotsFile, type RobotsRule } from './robots.ts';

/**
 * Names of groups that address no crawler but state a use (draft-kelley-aipref-training-preference-signal-00): their Allow and
 * Disallow lines say where the use is wanted. The draft was read in its abstract; the token of training is as public
 * readers of robots.txt have it.
 */
export const USAGE_PREFIX = '__usage_';
export const TRAINING_TOKEN = '__usage_ai-training';

/** One group of a usage token as written. */
export type UsageToken = { name: string; line: number; hasRules: boolean };

/** Tokens of one file that are read. */
const MAX_TOKENS = 50;

/** The usage tokens that User-agent lines name, each once. */
export function listUsageTokens(file: RobotsFile): readonly UsageToken[] {
  const found = new Map<string, UsageToken>();
  for (const { agents, rules, line } of file.groups) {
    for (const name of agents.filter((agent) => agent.startsWith(USAGE_PREFIX))) {
      const known = found.get(name);
      if (found.size < MAX_TOKENS || known)
        found.set(name, { name, line: known?.line ?? line, hasRules: rules.length > 0 || known?.hasRules === true });
    }
  }
  return [...found.values()];
}

/** What the token of training says of a URL; undefined where no group names it. A group without a matching rule allows. */
export function findTrainingPreference(
  file: RobotsFile,
  url: string,
): { allows: boolean; rule: RobotsRule | undefined; line: number } | undefined {
  const { named, groups } = findGroups(file, TRAINING_TOKEN);
  if (!named) return undefined;
  const rule = findDecidingRule(groups, url);
  return { allows: rule?.allow ?? true, rule, line: rule?.line ?? groups[0]?.line ?? 1 };
}
