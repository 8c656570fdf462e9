import { ROBOTS_LIMITS, trimRobotsSpace } from './robots.ts';

/** Why a line of robots.txt does not do what its author meant. */
export type RobotsFault =
  | 'rule_before_group'
  | 'no_colon'
  | 'misspelt_key'
  | 'retired_key'
  | 'unknown_key'
  | 'pattern_start'
  | 'empty_agent'
  | 'foreign_space'
  | 'relative_sitemap'
  | 'nul_byte'
  | 'too_long';

/** `line` is 1-based, 0 for the whole file; `text` is the line as written. */
export type RobotsFlag = { fault: RobotsFault; line: number; text: string };

/** Flags kept of one file. */
export const MAX_ROBOTS_FLAGS = 100;

/**
 * Records that RFC 9309, 2.2.4 lets crawlers add, and that have public documentation: Content-Signal (Cloudflare),
 * Content-Usage (AIPREF), Agentmap (Agentic Resource Discovery), Schemamap (NLWeb), License (RSL), Crawl-delay, Host
 * and Clean-param (Yandex), Request-rate and Visit-time (the 1996 extension).
 */
const EXTENSIONS = new Set(
  'content-signal content-usage agentmap schemamap license crawl-delay host clean-param request-rate visit-time'.split(
    ' ',
  ),
);

const STANDARD = ['user-agent', 'allow', 'disallow', 'sitemap'] as const;

/** Keys that once had a reader; Google ended its own unwritten support in 2019. */
const RETIRED = new Set(['noindex', 'nofollow', 'noarchive', 'nosnippet']);

/** Lines that a parser drops or reads otherwise than meant (RFC 9309, 2.2), in order. Linear in the text. */
export function lintRobots(text: string, truncated: boolean): readonly RobotsFlag[] {
  const flags: RobotsFlag[] = [];
  let hasGroup = false;
  const lines = text
    .slice(0, ROBOTS_LIMITS.chars)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/);
  for (const [index, raw] of lines.entries()) {
    if (flags.length >= MAX_ROBOTS_FLAGS) break;
    const fault = findLineFault(raw, hasGroup);
    if (fault) flags.push({ fault, line: index + 1, text: raw.trim().slice(0, ROBOTS_LIMITS.patternChars) });
    hasGroup ||= /^[\t\v\f ]{0,99}user-agent[\t\v\f ]{0,99}:/i.test(raw);
  }
  return truncated ? [...flags, { fault: 'too_long', line: 0, text: '' }] : flags;
}

function findLineFault(raw: string, hasGroup: boolean): RobotsFault | undefined {
  if (raw.includes('\u0000')) return 'nul_byte';
  const hash = raw.indexOf('#');
  const line = (hash === -1 ? raw : raw.slice(0, hash)).trim();
  if (line === '') return undefined;
  const colon = line.indexOf(':');
  if (colon < 1) return 'no_colon';
  const key = line.slice(0, colon).trim().toLowerCase();
  const value = line.slice(colon + 1).trim();
  if (STANDARD.some((known) => known === key) && hasForeignSpace(hash === -1 ? raw : raw.slice(0, hash)))
    return 'foreign_space';
  if (key === 'user-agent') return value === '' ? 'empty_agent' : undefined;
  if (key === 'sitemap') return /^https?:\/\/./i.test(value) ? undefined : 'relative_sitemap';
  if (key === 'allow' || key === 'disallow') {
    if (!hasGroup) return 'rule_before_group';
    return value === '' || value.startsWith('/') || value.startsWith('*') ? undefined : 'pattern_start';
  }
  if (EXTENSIONS.has(key)) return undefined;
  if (RETIRED.has(key)) return 'retired_key';
  return isMisspelt(key) ? 'misspelt_key' : 'unknown_key';
}

/** Whether a key or value begins or ends with what only looks like white space: it belongs to the word (RFC 9309, 2.2). */
function hasForeignSpace(record: string): boolean {
  const colon = record.indexOf(':');
  return [record.slice(0, colon), record.slice(colon + 1)].some((part) => trimRobotsSpace(part) !== part.trim());
}

/** Keys longer than this are no slip of the pen. */
const MAX_KEY_CHARS = 16;

/** One slip in a short key, two in a long one; separators between its words are not slips. */
function isMisspelt(key: string): boolean {
  const plain = key.replaceAll(/[\s_-]+/g, '');
  if (plain.length > MAX_KEY_CHARS) return false;
  return STANDARD.some((known) => {
    const wanted = known.replace('-', '');
    return computeEditDistance(plain, wanted) <= (wanted.length < 8 ? 1 : 2);
  });
}

/** Edits (insert, drop, replace) that turn one word into the other; both are short. */
function computeEditDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, char] of Array.from(one).entries()) {
    const next = [index + 1];
    for (const [at, wanted] of Array.from(other).entries()) {
      const replaced = (row[at] ?? 0) + (char === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
