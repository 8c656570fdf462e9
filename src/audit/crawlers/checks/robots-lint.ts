import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { type CheckEvidence, buildEvidence } from '../../core/evidence.ts';
import { aiAgents } from '../facts/ai-agents-data.ts';
import { isHtmlText } from '../../reach/facts/existence.ts';
import type { Robots } from '../facts/robots-file.ts';
import {
  computeMatchLimit,
  findDecidingRule,
  findGroups,
  listRecords,
  listWildcardGroups,
  parseRobots,
  type RobotsFile,
  type RobotsGroup,
  type RobotsRule,
} from '../facts/robots.ts';
import { type RobotsFault, lintRobots } from '../facts/robots-lint.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Checks of whether robots.txt says what its author meant. */
export const robotsLintChecks = [
  defineCheck({
    id: 'aeo.robots.syntax',
    title: 'robots.txt has no lines that parsers drop',
    failureTitle: 'Correct the lines of robots.txt that parsers drop',
    weight: 1,
    grade: 'A',
    why: 'A line that a parser does not know is dropped without a word, and with it the rule. Extensions that a vendor documents (Content-Signal, Content-Usage, Agentmap, License, Crawl-delay and the like) are allowed by the standard and do not count against the file; Lighthouse 13.5 fails Agentmap.',
    source: 'RFC 9309, sections 2.2 and 2.2.4; parser of google/robotstxt',
    fix: 'Correct the lines named in the evidence: each is "key: value", rules come below a User-agent line, and paths begin with "/" or "*".',
    needs: ['robots'],
    judge: judgeSyntax,
  }),
  defineCheck({
    id: 'aeo.robots.group-shadowing',
    title: 'A group for one AI agent does not drop the rules for all',
    failureTitle: 'Repeat the rules for all in the group for one AI agent',
    weight: 1,
    grade: 'A',
    why: 'An agent that has a group of its own reads only that group. What "User-agent: *" forbids is open to it unless the group says so again. A blanket "Disallow: /" for all that a group lifts is a choice and not counted. Where only a line such as Crawl-delay is between two User-agent lines, the standard joins both to one group, and older parsers give the first an empty one: that is half a fault.',
    source: 'RFC 9309, section 2.2.1; Python 3.14, urllib.robotparser (Crawl-delay ends a list of agents)',
    fix: 'Repeat the Disallow lines of "User-agent: *" in each group of an AI agent.',
    needs: ['robots'],
    judge: judgeShadowing,
  }),
  defineCheck({
    id: 'aeo.robots.crawl-delay',
    title: 'Crawl-delay is reasonable',
    failureTitle: 'Shorten the Crawl-delay',
    weight: 0,
    grade: 'C',
    why: 'A long delay keeps the few crawlers that honour it from ever getting through the site; of the AI vendors only Anthropic documents that it does. Without the line there is nothing to judge.',
    source: 'https://support.claude.com/en/articles/8896518 (Crawl-delay); not part of RFC 9309',
    fix: 'Drop the Crawl-delay line, or set it to 10 seconds or less.',
    needs: ['robots'],
    judge: judgeDelay,
  }),
];

const FAULT_WORDS: Readonly<Record<RobotsFault, string>> = {
  rule_before_group: 'a rule comes before any User-agent line',
  no_colon: 'a line has no "key: value"',
  misspelt_key: 'a key is misspelt',
  retired_key: 'a key is no longer read by any crawler',
  unknown_key: 'a key is known to no crawler',
  pattern_start: 'a path begins with neither "/" nor "*"',
  empty_agent: 'a User-agent line names no crawler',
  foreign_space: 'a key or value has a character beside it that only looks like a space',
  relative_sitemap: 'a Sitemap line has no absolute address',
  nul_byte: 'a line holds a NUL byte',
  too_long: 'the file is longer than 500 KiB, and the rest is not read',
};

function judgeSyntax({ robots }: FactsOf<'robots'>): CheckOutcome {
  const read = readText(robots);
  if (read === undefined)
    return robots.kind === 'unreachable'
      ? verdict.unknown('robots.txt could not be read.', buildEvidence(robots.exchange))
      : verdict.notApplicable('There is no robots.txt to read.');
  const flags = lintRobots(read.text, read.truncated);
  const evidence = flags.map(({ line, text }) =>
    buildEvidence(robots.exchange, { excerpt: text, ...(line === 0 ? {} : { line }) }),
  );
  if (flags.length === 0)
    return verdict.pass('Every line of robots.txt is one that parsers read.', buildEvidence(robots.exchange));
  const words = [...new Set(flags.map(({ fault }) => FAULT_WORDS[fault]))].join('; ');
  const note = `${formatCount(flags.length, 'fault')} in robots.txt: ${words}.`;
  const harmless = flags.every(({ fault }) => fault === 'unknown_key');
  return harmless ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

/** A file with NUL bytes is taken for no text file elsewhere; here it is the finding. */
function readText(robots: Robots): { text: string; truncated: boolean } | undefined {
  if (robots.kind === 'unreachable' || robots.kind === 'absent') return undefined;
  const { body, truncated } = robots.answer;
  if (robots.kind === 'not_robots' && (!body.includes('\u0000') || isHtmlText(body.trimStart()))) return undefined;
  return { text: body, truncated };
}

/** Patterns by which a rule shuts the whole site. */
const BLANKET = new Set(['/', '/*', '*']);
/** Rules of `*` that are compared. */
const MAX_RULES = 100;

type Shadow = { token: string; own: readonly RobotsGroup[]; lost: RobotsRule };

function judgeShadowing({ robots }: FactsOf<'robots'>): CheckOutcome {
  if (robots.kind === 'unreachable')
    return verdict.unknown('robots.txt could not be read.', buildEvidence(robots.exchange));
  if (robots.kind !== 'file') return verdict.notApplicable('There is no robots.txt with groups.');
  const { file, exchange, answer } = robots;
  const standard = listShadows(file);
  const older = listShadows(parseRobots(answer.body, true));
  if (standard.forbidden + older.forbidden === 0)
    return verdict.notApplicable('"User-agent: *" forbids nothing that a group could drop.');
  if (standard.named.length === 0) return verdict.notApplicable('No AI agent has a group of its own.');
  const known = new Set(standard.shadowed.map(({ token }) => token));
  const split = older.shadowed.filter(({ token }) => !known.has(token));
  const good = standard.named.length - standard.shadowed.length - split.length;
  const note = `${good} of ${standard.named.length} AI agents with a group of their own keep the rules for all.`;
  const aside =
    split.length === 0
      ? ''
      : ` For ${formatCount(split.length, 'other')} it depends on the parser: only a line such as Crawl-delay comes before the next User-agent line.`;
  const evidence = [...standard.shadowed, ...split].flatMap((shadow) => listShadowEvidence(exchange, shadow));
  return verdict.byShare(
    (good + split.length / 2) / standard.named.length,
    { passAt: 1, partialAt: Number.MIN_VALUE },
    note + aside,
    evidence.length > 0 ? evidence : buildEvidence(exchange),
  );
}

/** The AI agents that a file names, those of them that lose a rule for all, and how many rules there are to lose. */
function listShadows(file: RobotsFile): { forbidden: number; named: readonly string[]; shadowed: readonly Shadow[] } {
  const forAll = listWildcardGroups(file);
  const forbidden = forAll
    .flatMap(({ rules }) => rules)
    .filter((rule) => !rule.allow && rule.pattern !== '')
    .slice(0, computeMatchLimit(file, MAX_RULES))
    .filter((rule) => findDecidingRule(forAll, buildExamplePath(rule))?.allow === false);
  const named = aiAgents.flatMap(({ token }) => {
    const found = findGroups(file, token);
    return found.named ? [{ token, own: found.groups }] : [];
  });
  const shadowed = named.flatMap(({ token, own }): Shadow[] => {
    const lost = forbidden.find((rule) => isLost(own, rule));
    return lost ? [{ token, own, lost }] : [];
  });
  return { forbidden: forbidden.length, named: named.map(({ token }) => token), shadowed };
}

/** An address that a pattern matches. */
function buildExamplePath({ pattern }: RobotsRule): string {
  const path = pattern.replace(/\$$/, '').replaceAll('*', 'x');
  return `https://site.invalid${path.startsWith('/') ? path : `/${path}`}`;
}

/** A rule is lost when the agent may read what it forbids, and no Allow as precise as the rule says so. */
function isLost(own: readonly RobotsGroup[], rule: RobotsRule): boolean {
  if (BLANKET.has(rule.pattern)) return own.every(({ rules }) => rules.length === 0);
  const decides = findDecidingRule(own, buildExamplePath(rule));
  if (decides?.allow === false) return false;
  return decides === undefined || decides.pattern.length < rule.pattern.length;
}

const listShadowEvidence = (exchange: Exchange, { token, own, lost }: Shadow): readonly CheckEvidence[] => [
  buildEvidence(exchange, { line: lost.line, excerpt: `*: Disallow: ${lost.pattern}` }),
  buildEvidence(exchange, { line: own[0]?.line ?? lost.line, excerpt: `${token}: a group without this rule` }),
];

const GOOD_DELAY_SECONDS = 10;
const FAIR_DELAY_SECONDS = 30;

function judgeDelay({ robots }: FactsOf<'robots'>): CheckOutcome {
  if (robots.kind === 'unreachable')
    return verdict.unknown('robots.txt could not be read.', buildEvidence(robots.exchange));
  if (robots.kind !== 'file') return verdict.notApplicable('There is no robots.txt.');
  const { file, exchange } = robots;
  const tokens = [...aiAgents.map(({ token }) => token), 'unlisted-crawler'];
  const delays = new Map(
    tokens.flatMap((token) => listRecords(file, token, 'crawl-delay')).map(({ line, value }) => [line, value]),
  );
  const [worst] = [...delays]
    .map(([line, value]) => ({
      line,
      value,
      seconds: /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : Infinity,
    }))
    .toSorted((a, b) => b.seconds - a.seconds);
  if (!worst) return verdict.notApplicable('robots.txt sets no Crawl-delay for an AI agent.');
  const evidence = buildEvidence(exchange, { line: worst.line, excerpt: `Crawl-delay: ${worst.value}` });
  if (worst.seconds === Infinity) return verdict.partial(0.5, 'A Crawl-delay is no number of seconds.', evidence);
  const note = `The longest Crawl-delay for an AI agent is ${worst.seconds} seconds.`;
  if (worst.seconds <= GOOD_DELAY_SECONDS) return verdict.pass(note, evidence);
  return worst.seconds <= FAIR_DELAY_SECONDS ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}
