import { isManagedLine, listManagedBlocks, type ManagedBlock } from '../facts/managed-block.ts';
import { type RobotsFile, type RobotsGroup, parseRobots, decideRobotsVerdict } from '../facts/robots.ts';

/** Changes to a text by 1-based line: `undefined` removes the line. Lines that no change names keep every byte. */
export type LineEdits = {
  replace?: ReadonlyMap<number, string | undefined>;
  after?: ReadonlyMap<number, readonly string[]>;
  append?: readonly string[];
};

/** Rules of other groups that a new group repeats, and turns of a search for the rule that decides. */
const MAX_REPEATED_RULES = 500;
const MAX_TURNS = 200;

/**
 * Makes the changes, with the line ends of the text itself. Appended lines are set apart by an empty one. Lines that a
 * provider writes at its edge stay as they are, whatever the changes say: the owner cannot edit them.
 */
export function editLines(text: string, edits: LineEdits): string {
  const blocks = listManagedBlocks(text);
  const { append = [] } = edits;
  const replace = withoutManagedLines(edits.replace, blocks);
  const after = withoutManagedLines(edits.after, blocks);
  const end = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  const kept = lines.map((line, index) => {
    const at = index + 1;
    const ending = /(?:\r\n|\r|\n)?$/.exec(line)?.[0] ?? '';
    const change = replace?.has(at) === true ? replace.get(at) : line.slice(0, line.length - ending.length);
    const more = (after?.get(at) ?? []).map((added) => `${added}${end}`).join('');
    if (change === undefined) return more;
    return more === '' ? `${change}${ending}` : `${change}${ending || end}${more}`;
  });
  const body = kept.join('');
  if (append.length === 0) return body;
  const gap = body === '' || /(?:\r\n|\r|\n)(?:\r\n|\r|\n)$/.test(body) ? '' : end;
  const open = body === '' || /[\r\n]$/.test(body) ? '' : end;
  return `${body}${open}${gap}${append.map((line) => `${line}${end}`).join('')}`;
}

/** The last line of a block is the provider's, but what follows it is not. */
const withoutManagedLines = <T>(
  changes: ReadonlyMap<number, T> | undefined,
  blocks: readonly ManagedBlock[],
): ReadonlyMap<number, T> | undefined =>
  changes && new Map([...changes].filter(([line]) => !isManagedLine(blocks, line)));

/**
 * Lets each agent fetch `url`: an agent that only `*` catches gets a group that repeats the other rules of `*`, one that
 * a group of its own keeps out has that rule turned, and one that shares a group with others leaves it.
 */
export function allowAgents(text: string, agents: readonly string[], url: string): string {
  const own = agents.filter((agent) => decideRobotsVerdict(parseRobots(text), agent, url).named);
  const opened = own.reduce((done, agent) => openOwnGroup(done, agent, agents, url), text);
  const file = parseRobots(opened);
  const closed = agents.filter((agent) => !decideRobotsVerdict(file, agent, url).allowed);
  if (closed.length === 0) return opened;
  const rules = listAgentRules(file, (agent) => /^\*(?:\s|$)/.test(agent)).filter(
    ({ pattern, allow }) => allow || !isBlockingPattern(pattern, url),
  );
  return editLines(opened, { append: groupLines(closed, [...rules.map(formatRule), 'Allow: /']) });
}

/** Turns every rule that keeps `agent` from `url` into its opposite. The group keeps a rule, so it stays a group. */
export function replaceBlockingRules(text: string, agent: string, url: string): string {
  let done = text;
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const { allowed, rule } = decideRobotsVerdict(parseRobots(done), agent, url);
    if (allowed || !rule) return done;
    const next = editLines(done, { replace: new Map([[rule.line, `Allow: ${rule.pattern}`]]) });
    if (next === done) return done;
    done = next;
  }
  return done;
}

/** Lines of a group: its agents, its rules. */
export const groupLines = (agents: readonly string[], rules: readonly string[]): readonly string[] => [
  ...agents.map((agent) => `User-agent: ${agent}`),
  ...rules,
];

export const formatRule = ({ allow, pattern }: { allow: boolean; pattern: string }): string =>
  `${allow ? 'Allow' : 'Disallow'}: ${pattern}`.trimEnd();

/** Rules of all groups with such an agent, each once. */
export function listAgentRules(
  file: RobotsFile,
  isAgent: (name: string) => boolean,
): readonly { allow: boolean; pattern: string }[] {
  const rules = listAgentGroups(file, isAgent).flatMap((group) => group.rules);
  const distinct = new Map(rules.map((rule) => [formatRule(rule), rule]));
  return [...distinct.values()].slice(0, MAX_REPEATED_RULES);
}

/** Groups that name such an agent. */
export const listAgentGroups = (file: RobotsFile, isAgent: (name: string) => boolean): readonly RobotsGroup[] =>
  file.groups.filter(({ agents }) => agents.some(isAgent));

/** The line after which a rule belongs to the group: its last rule, else the last of its User-agent lines. */
export const findLastLine = (group: RobotsGroup): number =>
  Math.max(group.line + group.agents.length - 1, ...group.rules.map(({ line }) => line));

/** Whether a group line names the agent: its product token, whatever version follows. */
export const createAgentMatcher =
  (agent: string) =>
  (name: string): boolean =>
    (/^[a-z_-]*/.exec(name)?.[0] ?? '') === agent.toLowerCase();

function openOwnGroup(text: string, agent: string, wanted: readonly string[], url: string): string {
  const file = parseRobots(text);
  if (decideRobotsVerdict(file, agent, url).allowed) return text;
  const groups = listAgentGroups(file, createAgentMatcher(agent));
  const isWanted = (name: string): boolean => wanted.some((one) => createAgentMatcher(one)(name));
  if (groups.every(({ agents }) => agents.every(isWanted))) return replaceBlockingRules(text, agent, url);
  const kept = listAgentRules(file, createAgentMatcher(agent)).filter(
    ({ pattern, allow }) => allow || !isBlockingPattern(pattern, url),
  );
  const lines = listAgentLines(text, groups, agent);
  const left = editLines(text, { replace: new Map(lines.map((line) => [line, undefined])) });
  return editLines(left, { append: groupLines([agent], [...kept.map(formatRule), 'Allow: /']) });
}

/** Lines `User-agent: <agent>` of these groups. */
function listAgentLines(text: string, groups: readonly RobotsGroup[], agent: string): readonly number[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  return groups.flatMap((group) => {
    const numbers = Array.from({ length: findLastLine(group) - group.line + 1 }, (_, index) => group.line + index);
    return numbers.filter((line) => {
      const match = /^\s{0,20}user-agent\s{0,20}[:\s]([^#]{0,200})/i.exec(lines[line - 1] ?? '');
      return match !== null && createAgentMatcher(agent)((match[1] ?? '').trim().toLowerCase());
    });
  });
}

/** Whether the pattern alone keeps a crawler from the URL. */
const isBlockingPattern = (pattern: string, url: string): boolean =>
  !decideRobotsVerdict(
    {
      groups: [{ agents: ['*'], rules: [{ allow: false, pattern, line: 1 }], line: 1 }],
      sitemaps: [],
      others: [],
      broken: 0,
    },
    'any',
    url,
  ).allowed;
