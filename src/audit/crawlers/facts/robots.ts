import { rememberPerObject } from '../../../lib/memo.ts';

/** A product token is letters, `-` and `_`; what follows (`/1.0`) is no part of it. */
const extractToken = (name: string): string => /^[a-z_-]*/.exec(name)?.[0] ?? '';

const isWildcard = (group: RobotsGroup): boolean => group.agents.some((name) => /^\*(?:[\t\v\f ]|$)/.test(name));

type TokenGroups = { named: boolean; groups: readonly RobotsGroup[] };

/** Callers ask for a roster of agents, many times over; a file may have thousands of groups. */
const getGroupCache = rememberPerObject((_file: RobotsFile) => new Map<string, TokenGroups>());
const MAX_KNOWN = 100;

/** The groups that decide for a product token: those that name it, else those of `*`. `named` says which. */
export function findGroups(file: RobotsFile, token: string): TokenGroups {
  const wanted = token.toLowerCase();
  const found = getGroupCache(file).get(wanted) ?? findTokenGroups(file, wanted);
  if (getGroupCache(file).size < MAX_KNOWN) getGroupCache(file).set(wanted, found);
  return found;
}

function findTokenGroups(file: RobotsFile, wanted: string): TokenGroups {
  const own = file.groups.filter((group) => group.agents.some((name) => extractToken(name) === wanted));
  if (wanted !== '' && own.length > 0) return { named: true, groups: own };
  return { named: false, groups: listWildcardGroups(file) };
}

/** The groups of `*`. */
export const listWildcardGroups = (file: RobotsFile): readonly RobotsGroup[] => file.groups.filter(isWildcard);

/** The group that contains a line: the last one that begins above it; undefined before the first. */
export const findGroupAt = (file: RobotsFile, line: number): RobotsGroup | undefined =>
  file.groups.findLast((group) => group.line < line);

/** Records of a key (lower case) in the groups of a token, or before any group. */
export function listRecords(file: RobotsFile, token: string, key: string): readonly { value: string; line: number }[] {
  const { groups } = findGroups(file, token);
  return file.others.filter((record) => {
    if (record.key !== key) return false;
    const around = findGroupAt(file, record.line);
    return around === undefined || groups.includes(around);
  });
}

/** Comparisons of one address with one rule that a check may make; an honest file never meets it. */
const MAX_COMPARISONS = 300_000;
const FEWEST = 10;

/** How many addresses a check may match against a file: `most`, or fewer where the file has thousands of rules. */
export function computeMatchLimit(file: RobotsFile, most: number): number {
  const rules = file.groups.reduce((sum, group) => sum + group.rules.length, 0);
  return Math.max(FEWEST, Math.min(most, Math.floor(MAX_COMPARISONS / (rules + 1))));
}

/** Bounds of one robots.txt; rules and groups beyond them are not read. */
export const ROBOTS_LIMITS = {
  chars: 512 * 1024,
  rules: 20_000,
  agents: 10_000,
  sitemaps: 100,
  unknown: 100,
  patternChars: 2083,
} as const;

/** One Allow or Disallow line: `pattern` percent-encoded as it is matched, `line` 1-based. */
export type RobotsRule = { allow: boolean; pattern: string; line: number };

/** A group: the agent names of its User-agent lines, lower case, and its rules. Groups are as written, not merged. */
export type RobotsGroup = { agents: readonly string[]; rules: readonly RobotsRule[]; line: number };

export type RobotsFile = {
  groups: readonly RobotsGroup[];
  /** `Sitemap` lines in order, as written. */
  sitemaps: readonly { url: string; line: number }[];
  /** Other records with a key, e.g. `content-signal` or `crawl-delay`, keys lower case. */
  others: readonly { key: string; value: string; line: number }[];
  /** Lines that are no record at all. */
  broken: number;
};

/**
 * Parses robots.txt by RFC 9309: any record but User-agent, Allow and Disallow leaves the open group as it is; rules
 * before the first User-agent are ignored. Reads at most `ROBOTS_LIMITS`; linear in the text.
 * @param othersClose as older parsers read it: a record such as Crawl-delay is a rule of its group too, so that the next
 * User-agent line begins another group.
 */
export function parseRobots(text: string, othersClose = false): RobotsFile {
  let closed = false;
  const groups: { agents: string[]; rules: RobotsRule[]; line: number }[] = [];
  const sitemaps: { url: string; line: number }[] = [];
  const others: { key: string; value: string; line: number }[] = [];
  const count = { broken: 0, rules: 0, agents: 0 };
  const lines = text
    .slice(0, ROBOTS_LIMITS.chars)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/);
  for (const [index, raw] of lines.entries()) {
    const record = parseRecord(raw);
    if (record === 'blank') continue;
    if (record === 'broken') {
      count.broken += 1;
      continue;
    }
    const line = index + 1;
    const { key, value } = record;
    const open = groups.at(-1);
    if (key === 'user-agent') {
      if (++count.agents > ROBOTS_LIMITS.agents) continue;
      if (open && open.rules.length === 0 && !closed) open.agents.push(value.toLowerCase());
      else groups.push({ agents: [value.toLowerCase()], rules: [], line });
      closed = false;
    } else if (key === 'allow' || key === 'disallow') {
      if (open && ++count.rules <= ROBOTS_LIMITS.rules)
        open.rules.push({ allow: key === 'allow', pattern: encodePattern(value), line });
    } else if (key === 'sitemap') {
      if (sitemaps.length < ROBOTS_LIMITS.sitemaps) sitemaps.push({ url: value, line });
    } else {
      closed = othersClose;
      if (others.length < ROBOTS_LIMITS.unknown) others.push({ key, value, line });
    }
  }
  return { groups, sitemaps, others, broken: count.broken };
}

/** White space of robots.txt, as far as it can be inside a line; any other kind is a letter of the key or value (2.2). */
const SPACES = '\t\v\f ';

/** The text without the white space of robots.txt at its ends. */
export function trimRobotsSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACES.includes(text.charAt(start))) start += 1;
  while (end > start && SPACES.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A record is `key: value`; a missing colon after a known key is forgiven when white space divides them. */
function parseRecord(raw: string): { key: string; value: string } | 'blank' | 'broken' {
  const hash = raw.indexOf('#');
  const line = trimRobotsSpace(hash === -1 ? raw : raw.slice(0, hash));
  if (line === '') return 'blank';
  const colon = line.indexOf(':');
  if (colon > 0) {
    const [key, value] = [trimRobotsSpace(line.slice(0, colon)), trimRobotsSpace(line.slice(colon + 1))];
    return { key: key.toLowerCase(), value };
  }
  const spaced = /^(user-agent|allow|disallow)[\t\v\f ]+([^\t\v\f ]+)$/i.exec(line);
  return spaced ? { key: (spaced[1] ?? '').toLowerCase(), value: spaced[2] ?? '' } : 'broken';
}

/** Octets outside ASCII become percent-escapes and escapes upper case, so that pattern and path compare as bytes (2.2.2). */
function encodePattern(pattern: string): string {
  const cut = pattern.slice(0, ROBOTS_LIMITS.patternChars);
  return normaliseEscapes(cut.replace(/[\u0080-\u{10ffff}]+/gu, (text) => encodeURI(text.toWellFormed())));
}

/** Which rules decide for an agent. `named`: a group lists it; else the `*` groups, else none at all. */
export type RobotsVerdict = { allowed: boolean; named: boolean; rule: RobotsRule | undefined };

/**
 * Decides whether `agent` (a product token) may fetch `url`: groups of the agent merged, else those of `*`; the longest
 * matching pattern wins, Allow wins ties; no match allows (RFC 9309, 2.2.2). The path and query of `url`
 * are compared unchanged: give the form that a URL parser made, with everything outside ASCII escaped.
 */
export function decideRobotsVerdict(file: RobotsFile, agent: string, url: string): RobotsVerdict {
  const { named, groups } = findGroups(file, agent);
  const rule = findDecidingRule(groups, url);
  return { allowed: extractPath(url) === '/robots.txt' || (rule?.allow ?? true), named, rule };
}

/** The rule of these groups, merged, that decides about a URL; undefined when none matches, which allows it. */
export function findDecidingRule(groups: readonly RobotsGroup[], url: string): RobotsRule | undefined {
  const path = extractPath(url);
  let best: RobotsRule | undefined;
  for (const { rules } of groups) {
    for (const rule of rules) {
      const longer = rule.pattern.length - (best?.pattern.length ?? 0);
      // Looked at first: to match is what costs.
      if (rule.pattern === '' || longer < 0 || (longer === 0 && !rule.allow)) continue;
      if (isPatternMatch(rule.pattern, path)) best = rule;
    }
  }
  return best;
}

function extractPath(url: string): string {
  const start = url.indexOf('://');
  const rest = start === -1 ? url : url.slice(start + 3);
  const slash = rest.search(/[/?;]/);
  const path = slash === -1 ? '/' : (rest.slice(slash).split('#')[0] ?? '/');
  return normaliseEscapes(path.startsWith('/') ? path : `/${path}`);
}

const normaliseEscapes = (text: string): string => text.replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase());

/** Matches from the start of the path; `*` is any run, `$` at the end is the end. Each part is searched once: linear. */
function isPatternMatch(pattern: string, path: string): boolean {
  const star = pattern.indexOf('*');
  if (star > 0 && !path.startsWith(pattern.slice(0, star))) return false;
  const anchored = pattern.endsWith('$');
  if (star === -1) return anchored ? path === pattern.slice(0, -1) : path.startsWith(pattern);
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const first = parts[0] ?? '';
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = parts.at(-1) ?? '';
  for (const part of parts.slice(1, anchored ? -1 : undefined)) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return !anchored || (path.length - last.length >= at && path.endsWith(last));
}
