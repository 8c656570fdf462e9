import { type AiAgent, aiAgents } from '../facts/ai-agents-data.ts';
import { listAgentsByClass, listSearchCrawlers, listUserFetchers } from '../facts/ai-agents.ts';
import { lintRobots } from '../facts/robots-lint.ts';
import { type RobotsFile, parseRobots, decideRobotsVerdict } from '../facts/robots.ts';
import { normaliseSafeUrl } from '../../../fixes/files/safe-site.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import type { RobotsEdit } from '../../../fixes/core/recipe.ts';
import {
  allowAgents,
  editLines,
  groupLines,
  listAgentGroups,
  findLastLine,
  createAgentMatcher,
  formatRule,
  listAgentRules,
  replaceBlockingRules,
} from './robots-text.ts';

/** A name that no group lists: it shows what the file says to an unknown crawler. */
const UNLISTED = 'unlisted-crawler';
const MAX_DELAY_SECONDS = 10;
/** Paths that one fix opens. */
const MAX_PATHS = 50;

const isWildcard = (name: string): boolean => /^\*(?:[\t\v\f ]|$)/.test(name);
const listTokens = (agents: readonly AiAgent[]): readonly string[] => agents.map(({ token }) => token);
const getStartUrl = ({ audited }: FixContext): string => audited.site.start.href;

/** Search crawlers may fetch the start page. */
export const allowSearchBots: RobotsEdit = (text, fixing) =>
  allowAgents(text, listTokens(listSearchCrawlers()), getStartUrl(fixing));

/** The fetchers that obey robots.txt may, too; rules against the others have no documented effect and stay. */
export const allowUserFetchers: RobotsEdit = (text, fixing) =>
  allowAgents(text, listTokens(listUserFetchers().filter(({ obeysRobots }) => obeysRobots)), getStartUrl(fixing));

/** Crawlers without a group of their own may. */
export const liftBlanket: RobotsEdit = (text, fixing) => replaceBlockingRules(text, UNLISTED, getStartUrl(fixing));

/**
 * Training crawlers that only `*` decides for get a group with the same rules: it writes down what holds today and
 * changes nothing until the owner decides otherwise.
 */
export const addTrainingGroups: RobotsEdit = (text) => {
  const file = parseRobots(text);
  const open = listTokens(listAgentsByClass('training')).filter(
    (token) => listAgentGroups(file, createAgentMatcher(token)).length === 0,
  );
  const rules = listAgentRules(file, isWildcard).map(formatRule);
  if (open.length === 0) return text;
  return editLines(text, { append: groupLines(open, rules.length === 0 ? ['Allow: /'] : rules) });
};

/** Groups of AI agents get the Disallow lines of `*` that they drop; a blanket one that they lift stays lifted. */
export const repeatRules: RobotsEdit = (text) => {
  const file = parseRobots(text);
  const forAll = listAgentRules(file, isWildcard).filter(({ allow, pattern }) => !allow && pattern !== '');
  const after = new Map<number, readonly string[]>();
  for (const group of file.groups) {
    if (group.agents.some(isWildcard) || !aiAgents.some(({ token }) => group.agents.some(createAgentMatcher(token))))
      continue;
    const own = new Set(group.rules.map(formatRule));
    const isBlanket = (pattern: string): boolean => /^(?:\/|\/\*|\*)$/.test(pattern) && group.rules.length > 0;
    const lost = forAll
      .filter(({ pattern }) => !isBlanket(pattern))
      .map(formatRule)
      .filter((line) => !own.has(line));
    if (lost.length > 0) after.set(findLastLine(group), lost);
  }
  return editLines(text, { after });
};

/** Crawl-delay lines of at most ten seconds. */
export const shortenDelays: RobotsEdit = (text) => {
  const slow = parseRobots(text).others.filter(
    ({ key, value }) => key === 'crawl-delay' && !(Number(value) <= MAX_DELAY_SECONDS),
  );
  return editLines(text, { replace: new Map(slow.map(({ line }) => [line, `Crawl-delay: ${MAX_DELAY_SECONDS}`])) });
};

/** Googlebot may fetch the folders of scripts and styles of the page. */
export const allowAssets: RobotsEdit = (text, { page }) => {
  if (!page) return text;
  const styles = page.linkTags.filter(({ rels }) => rels.includes('stylesheet')).map(({ href }) => href);
  const folders = [...styles, ...page.scriptTags.map(({ src }) => src)].flatMap(
    (href) => findOwnPath(page.url, href) ?? [],
  );
  return allowPaths(text, ['Googlebot'], folders, page.url, (path) => path.slice(0, path.lastIndexOf('/') + 1));
};

/** Files made for crawlers may be fetched by them. */
export const allowDiscovery: RobotsEdit = (text, { read, audited }) => {
  const { start } = audited.site;
  const files = (read('crawlerFiles') ?? []).flatMap(({ url }) => findOwnPath(start.href, url) ?? []);
  return allowPaths(text, ['ClaudeBot', UNLISTED], files, start.href, (path) => path);
};

/** Adds `Allow` lines for paths that an agent may not fetch to each group that decides for it. */
function allowPaths(
  text: string,
  agents: readonly string[],
  paths: readonly string[],
  base: string,
  patternOf: (path: string) => string,
): string {
  return agents.reduce((done, agent) => {
    const file = parseRobots(done);
    const closed = [...new Set(paths)]
      .slice(0, MAX_PATHS)
      .filter((path) => !decideRobotsVerdict(file, agent, new URL(path, base).href).allowed);
    const lines = [
      ...new Set(closed.map((path) => `Allow: ${choosePattern(file, agent, new URL(path, base), patternOf(path))}`)),
    ];
    const named = listAgentGroups(file, createAgentMatcher(agent));
    const [group] = named.length > 0 ? named : listAgentGroups(file, isWildcard);
    return !group || lines.length === 0 ? done : editLines(done, { after: new Map([[findLastLine(group), lines]]) });
  }, text);
}

/** The pattern, or the whole path where the pattern is shorter than the rule it has to beat. */
function choosePattern(file: RobotsFile, agent: string, url: URL, pattern: string): string {
  const rule = decideRobotsVerdict(file, agent, url.href).rule?.pattern ?? '';
  return pattern.length >= rule.length ? pattern : url.pathname;
}

/** The path of an address on the host of the page, in characters that robots.txt and HTTP write alike. */
function findOwnPath(base: string, href: string): string | undefined {
  const safe = normaliseSafeUrl(href, base);
  if (safe === undefined || new URL(safe).host !== new URL(base).host) return undefined;
  return new URL(safe).pathname;
}

/** Lines that parsers drop, written as they were meant; what no parser reads becomes a comment. */
export const repairSyntax: RobotsEdit = (text) => {
  let done = text;
  // A line that became a rule, or is in a group now, may have a fault that was not seen before.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) done = repairOnce(done);
  return done;
};

const MAX_PASSES = 3;

function repairOnce(text: string): string {
  const flags = lintRobots(text, false).filter(({ line }) => line > 0);
  const stray = flags.find(({ fault }) => fault === 'rule_before_group');
  const others = flags.filter(({ fault }) => fault !== 'rule_before_group');
  const end = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const replace = new Map(others.map((flag) => [flag.line, repairLine(flag.fault, flag.text)]));
  // A rule below a name that is repaired in this pass may belong to that name, and not to all.
  if (stray && others.every(({ line }) => line > stray.line))
    replace.set(stray.line, `User-agent: *${end}${stray.text}`);
  return editLines(text, { replace }).replaceAll('\u0000', '');
}

const KEYS: readonly (readonly [RegExp, string])[] = [
  [/^u/i, 'User-agent'],
  [/^d/i, 'Disallow'],
  [/^a/i, 'Allow'],
  [/^s/i, 'Sitemap'],
];

function repairLine(fault: string, written: string): string {
  const colon = written.indexOf(':');
  const value = written.slice(colon + 1).trim();
  if (fault === 'misspelt_key') {
    const key = KEYS.find(([start]) => start.test(written))?.[1];
    return key === undefined ? `# ${written}` : `${key}: ${value}`;
  }
  if (fault === 'foreign_space') return normaliseSpaces(written);
  if (fault === 'pattern_start') return `${written.slice(0, colon)}: /${value}`;
  const spaced = /^(user-agent|allow|disallow|sitemap)\s{1,20}(\S.{0,2000})$/i.exec(written);
  if (fault === 'no_colon' && spaced) return `${spaced[1] ?? ''}: ${spaced[2] ?? ''}`;
  return fault === 'nul_byte' ? written.replaceAll('\u0000', '') : `# ${written}`;
}

/** A record with plain spaces only beside its key and value, and its comment. */
function normaliseSpaces(written: string): string {
  const [record = '', ...comment] = written.split('#');
  const colon = record.indexOf(':');
  const plain = `${record.slice(0, colon).trim()}: ${record.slice(colon + 1).trim()}`;
  return comment.length === 0 ? plain : `${plain} #${comment.join('#')}`;
}

/** A Sitemap line that leads to a sitemap: one that was found, else the usual address. */
export const addSitemapLine: RobotsEdit = (text, { read, words }) => {
  const tries = read('sitemaps')?.tries ?? [];
  const found = tries
    .filter(({ state }) => state === 'found')
    .flatMap(({ exchange }) => normaliseSafeUrl(exchange.url) ?? []);
  const dead = new Set(tries.filter(({ state }) => state === 'absent').map(({ exchange }) => exchange.url));
  const lines = parseRobots(text).sitemaps.filter(({ url }) => URL.canParse(url) && dead.has(new URL(url).href));
  const wanted = `Sitemap: ${found[0] ?? `${words.origin}/sitemap.xml`}`;
  const [first, ...others] = lines;
  if (!first) return editLines(text, { append: [wanted] });
  return editLines(text, {
    replace: new Map([[first.line, wanted], ...others.map(({ line }) => [line, undefined] as const)]),
  });
};

/** Agentmap lines that lead to the one catalogue, or a first one. */
export const addAgentmapLine: RobotsEdit = (text, { words }) => {
  const wanted = `Agentmap: ${words.origin}/.well-known/ai-catalog.json`;
  const lines = parseRobots(text).others.filter(({ key }) => key === 'agentmap');
  if (lines.length === 0) return editLines(text, { append: [wanted] });
  return editLines(text, {
    replace: new Map(lines.map(({ line }, index) => [line, index === 0 ? wanted : undefined])),
  });
};
