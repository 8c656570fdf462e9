import type { Artifact } from '../../core/artifact.ts';
import { type CheckEvidence, buildEvidence } from '../../core/evidence.ts';
import { type Exchange, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { listAgentsByClass } from './ai-agents.ts';
import {
  findTdmEntry,
  listHeaderSignals,
  listRobotsSignals,
  readTdm,
  type ContentSignal,
  type SignalKey,
  type Tdm,
} from './reservations.ts';
import { isForIndexers, listPageDirectives, isIndexingForbidden } from './robots-directives.ts';
import { readRobotsFile, type Robots } from './robots-file.ts';
import { findTrainingPreference, TRAINING_TOKEN } from './usage-tokens.ts';
import {
  findDecidingRule,
  findGroupAt,
  findGroups,
  listWildcardGroups,
  type RobotsFile,
  type RobotsGroup,
} from './robots.ts';

/** The categories of the AIPREF vocabulary (draft-ietf-aipref-vocab-08). */
const USAGE_LABELS = ['train-ai', 'search'] as const;
type UsageLabel = (typeof USAGE_LABELS)[number];

/** Rules of one robots.txt and members of one dictionary that are read. */
const MAX_RULES = 100;
const MAX_MEMBERS = 50;

/**
 * One Content-Usage as published. `preferences` is undefined when the text is no dictionary of RFC 9651; a label without
 * a `y` or `n` states nothing and is left out. `path` is '' when the rule is for every path.
 */
type ContentUsage = {
  from: 'robots' | 'header';
  exchange: Exchange;
  text: string;
  line?: number;
  path: string;
  group: RobotsGroup | undefined;
  preferences: readonly { label: UsageLabel; allows: boolean }[] | undefined;
};

/** The preferences that a Content-Usage value states; undefined when it cannot be parsed. Unknown labels are ignored. */
export function parseContentUsage(text: string): ContentUsage['preferences'] {
  const members = parseDictionary(text);
  return (
    members &&
    USAGE_LABELS.flatMap((label) => {
      const value = members.get(label);
      return value === 'y' || value === 'n' ? [{ label, allows: value === 'y' }] : [];
    })
  );
}

const KEY = /[a-z*][a-z\d_.*-]{0,60}/y;
const TOKEN = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,200}/y;
const OTHER =
  /-?\d{1,15}(?:\.\d{1,3})?|"(?:[\x20\x21\x23-\x5B\x5D-\x7E]|\\["\\]){0,1000}"|:[A-Za-z\d+/=]{0,1000}:|\?[01]|@-?\d{1,15}|\([^()]{0,1000}\)/y;
const SPACE = / {0,100}/y;
const WHITE = /[ \t]{0,100}/y;

/** Members of a Dictionary (RFC 9651, 4.2.2) whose value is a Token; any other value is ''. The last of a name wins. */
function parseDictionary(text: string): ReadonlyMap<string, string> | undefined {
  const source = text.trim();
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const value = (): string | undefined => take(TOKEN) ?? (take(OTHER) === undefined ? undefined : '');
  const skip = (char: string): boolean => source[at] === char && ++at > 0;
  const members = new Map<string, string>();
  for (let count = 0; count < MAX_MEMBERS; count += 1) {
    const key = take(KEY);
    const found = key === undefined ? undefined : skip('=') ? value() : '';
    if (key === undefined || found === undefined || !parameters()) return undefined;
    members.set(key, found);
    take(WHITE);
    if (at === source.length) return members;
    if (!skip(',')) return undefined;
    take(WHITE);
  }
  return undefined;

  function parameters(): boolean {
    for (let count = 0; count < MAX_MEMBERS && skip(';'); count += 1) {
      take(SPACE);
      if (take(KEY) === undefined || (skip('=') && value() === undefined)) return false;
    }
    return true;
  }
}

/** The Content-Usage rules of a robots.txt: `[path] preference` (draft-ietf-aipref-attach, 3). */
function listRobotsUsage(file: RobotsFile, exchange: Exchange): readonly ContentUsage[] {
  return file.others
    .filter(({ key }) => key === 'content-usage')
    .slice(0, MAX_RULES)
    .map(({ value, line }) => {
      const path = /^\/\S{0,2000}/u.exec(value)?.[0] ?? '';
      const preferences = parseContentUsage(value.slice(path.length));
      return { from: 'robots', exchange, text: value, line, path, group: findGroupAt(file, line), preferences };
    });
}

/** The Content-Usage header of an answer, as a list of none or one. */
function listHeaderUsage(exchange: Exchange): readonly ContentUsage[] {
  const value = exchange.answer.ok ? exchange.answer.headers['content-usage'] : undefined;
  if (value === undefined) return [];
  return [{ from: 'header', exchange, text: value, path: '', group: undefined, preferences: parseContentUsage(value) }];
}

/** What a statement is about: training of models, an index that links back, or text given to a model as input. */
export type Topic = 'train' | 'search' | 'input';

/** Where a statement stands. Two of one source never contradict each other by being about different agents. */
export type StatementSource =
  | 'rules in robots.txt'
  | 'Content-Signal in robots.txt'
  | 'Content-Signal header'
  | 'Content-Usage in robots.txt'
  | 'Content-Usage header'
  | 'Usage token in robots.txt'
  | 'robots directives of the page'
  | 'TDM reservation';

/** A yes or no about the start page. `agent` is the one it addresses, undefined for everybody. */
export type UsageStatement = {
  topic: Topic;
  allows: boolean;
  source: StatementSource;
  agent: string | undefined;
  evidence: CheckEvidence;
};

/** Everything the site says about the use of its content. `robotsRead` is false when robots.txt could not be read. */
export type UsagePreferences = {
  robotsRead: boolean;
  signals: readonly ContentSignal[];
  usage: readonly ContentUsage[];
  tdm: Tdm;
  statements: readonly UsageStatement[];
};

/** Artifact `usagePreferences`. Never fails as a whole. */
export function readUsagePreferences(snapshot: Snapshot): Artifact<UsagePreferences> {
  const find = getExchangeLookup(snapshot);
  const read = readRobotsFile(snapshot);
  const robots = read.state === 'ready' ? read.value : undefined;
  const file = robots?.kind === 'file' ? { file: robots.file, exchange: robots.exchange } : undefined;
  const page = find('page');
  const signals = [
    ...(file ? listRobotsSignals(file.file, file.exchange) : []),
    ...(page ? listHeaderSignals(page) : []),
  ];
  const usage = [...(file ? listRobotsUsage(file.file, file.exchange) : []), ...(page ? listHeaderUsage(page) : [])];
  const tdm = readTdm(find);
  const url = page?.answer.ok ? page.answer.url : snapshot.url;
  const statements = [
    ...(file ? listRuleStatements(file, url) : []),
    ...signals.flatMap((signal) => listSignalStatements(signal)),
    ...selectDecisiveUsage(usage, url).flatMap((one) => listUsageStatements(one)),
    ...(file ? listTokenStatements(file, url) : []),
    ...(page ? listDirectiveStatements(page, snapshot.clockMs) : []),
    ...buildTdmStatements(tdm, url),
  ];
  return { state: 'ready', value: { robotsRead: isRead(robots), signals, usage, tdm, statements } };
}

const isRead = (robots: Robots | undefined): boolean =>
  robots !== undefined && (robots.kind !== 'unreachable' || robots.certain);

/** Agents whose whole purpose is one of the topics. Those for search are the ones that link back without an answer. */
const RULED: readonly { topic: Topic; agents: readonly string[] }[] = [
  { topic: 'train', agents: listAgentsByClass('training').map(({ token }) => token) },
  { topic: 'search', agents: ['Googlebot', 'Bingbot'] },
];

/** A rule that keeps an agent out says no to what it comes for; a rule that lets it in says nothing about use. */
function listRuleStatements(
  { file, exchange }: { file: RobotsFile; exchange: Exchange },
  url: string,
): readonly UsageStatement[] {
  const denied = (groups: readonly RobotsGroup[]) => {
    const rule = findDecidingRule(groups, url);
    return rule && !rule.allow ? rule : undefined;
  };
  const said = (topic: Topic, agent: string | undefined, rule: { line: number; pattern: string }): UsageStatement => ({
    topic,
    allows: false,
    source: 'rules in robots.txt',
    agent,
    evidence: buildEvidence(exchange, { line: rule.line, excerpt: `${agent ?? '*'}: Disallow: ${rule.pattern}` }),
  });
  const everybody = denied(listWildcardGroups(file));
  const all = everybody
    ? (['train', 'search', 'input'] as const).map((topic) => said(topic, undefined, everybody))
    : [];
  const named = RULED.flatMap(({ topic, agents }) =>
    agents.flatMap((agent) => {
      const { named: isNamed, groups } = findGroups(file, agent);
      const rule = isNamed ? denied(groups) : undefined;
      return rule ? [said(topic, agent, rule)] : [];
    }),
  );
  return [...all, ...named];
}

/** A group for the use of training says yes or no about the page to everybody. */
function listTokenStatements(
  { file, exchange }: { file: RobotsFile; exchange: Exchange },
  url: string,
): readonly UsageStatement[] {
  const found = findTrainingPreference(file, url);
  if (!found) return [];
  const { allows, rule, line } = found;
  const excerpt = rule ? `${TRAINING_TOKEN}: ${allows ? 'Allow' : 'Disallow'}: ${rule.pattern}` : TRAINING_TOKEN;
  const evidence = buildEvidence(exchange, { line, excerpt });
  return [{ topic: 'train', allows, source: 'Usage token in robots.txt', agent: undefined, evidence }];
}

const TOPIC_OF: Readonly<Record<SignalKey, Topic>> = { search: 'search', 'ai-input': 'input', 'ai-train': 'train' };

function listSignalStatements({
  settings,
  exchange,
  from,
  line,
  text,
  group,
}: ContentSignal): readonly UsageStatement[] {
  if (from === 'robots' && !group) return [];
  const source = from === 'robots' ? 'Content-Signal in robots.txt' : 'Content-Signal header';
  const evidence = buildEvidence(
    exchange,
    line === undefined ? { header: 'content-signal', excerpt: text } : { line, excerpt: text },
  );
  return settings.flatMap(({ key, yes }) =>
    listAddressees(group).map((agent) => ({ topic: TOPIC_OF[key], allows: yes, source, agent, evidence }) as const),
  );
}

/** The rules of robots.txt that decide for a URL: of each group those with the longest path that matches. */
function selectDecisiveUsage(usage: readonly ContentUsage[], url: string): readonly ContentUsage[] {
  const matching = usage.filter(
    ({ path }) => path === '' || findDecidingRule([buildPathGroup(path)], url) !== undefined,
  );
  return matching.filter((one) =>
    matching.every(
      (other) => other.group !== one.group || other.from !== one.from || other.path.length <= one.path.length,
    ),
  );
}

const buildPathGroup = (path: string): RobotsGroup => ({
  agents: [],
  rules: [{ allow: true, pattern: path, line: 1 }],
  line: 1,
});

function listUsageStatements({
  preferences,
  exchange,
  from,
  line,
  text,
  group,
}: ContentUsage): readonly UsageStatement[] {
  if (!preferences || (from === 'robots' && !group)) return [];
  const source = from === 'robots' ? 'Content-Usage in robots.txt' : 'Content-Usage header';
  const evidence = buildEvidence(
    exchange,
    line === undefined ? { header: 'content-usage', excerpt: text } : { line, excerpt: text },
  );
  return preferences.flatMap(({ label, allows }) => {
    const topic = label === 'train-ai' ? 'train' : 'search';
    return listAddressees(group).map((agent) => ({ topic, allows, source, agent, evidence }) as const);
  });
}

/** Whom a group addresses: everybody (undefined), or the agents of the roster that it names. */
function listAddressees(group: RobotsGroup | undefined): readonly (string | undefined)[] {
  if (!group || group.agents.some((name) => /^\*(?:\s|$)/u.test(name))) return [undefined];
  const names = new Set(group.agents.map((name) => /^[a-z_-]*/u.exec(name)?.[0] ?? ''));
  return RULED.flatMap(({ agents }) => agents).filter((agent) => names.has(agent.toLowerCase()));
}

/** `noai` is a wish about training, `nosnippet` one about text given to models, `noindex` one about search. */
function listDirectiveStatements(exchange: Exchange, clockMs: number): readonly UsageStatement[] {
  const { answer } = exchange;
  if (!answer.ok || !isHtmlAnswer(answer)) return [];
  return listPageDirectives(getPageFacts(answer), answer.headers).flatMap((directive) => {
    const { agent, name, value, from, line } = directive;
    const topics: Topic[] = [
      ...(agent === 'robots' && name === 'noai' ? ['train' as const] : []),
      ...(agent === 'robots' && (name === 'nosnippet' || (name === 'max-snippet' && value === '0'))
        ? ['input' as const]
        : []),
      ...(isForIndexers(directive) && isIndexingForbidden(directive, clockMs) ? ['search' as const] : []),
    ];
    const at =
      from === 'header'
        ? { header: 'x-robots-tag' }
        : { selector: `meta[name=${agent.slice(0, 40)}]`, line: line ?? 1 };
    const evidence = buildEvidence(exchange, { ...at, excerpt: value === '' ? name : `${name}: ${value}` });
    const source = 'robots directives of the page' as const;
    return topics.map((topic) => ({ topic, allows: false, source, agent: undefined, evidence }));
  });
}

function buildTdmStatements({ file, statements }: Tdm, url: string): readonly UsageStatement[] {
  const said = (reserved: boolean, evidence: CheckEvidence): UsageStatement => ({
    topic: 'train',
    allows: !reserved,
    source: 'TDM reservation',
    agent: undefined,
    evidence,
  });
  const entry = file.state === 'found' ? findTdmEntry(file.document, url) : undefined;
  return [
    ...statements
      .filter(({ value }) => value === '0' || value === '1')
      .map(({ value, from, exchange }) =>
        said(
          value === '1',
          buildEvidence(exchange, { [from === 'header' ? 'header' : 'selector']: 'tdm-reservation', excerpt: value }),
        ),
      ),
    ...(file.state === 'found' && entry?.reserved !== undefined
      ? [
          said(
            entry.reserved,
            buildEvidence(file.exchange, { excerpt: `${entry.location}: ${entry.reserved ? 1 : 0}` }),
          ),
        ]
      : []),
  ];
}

/** Two statements about one thing that cannot both hold. */
export type UsageConflict = { yes: UsageStatement; no: UsageStatement };

/**
 * Statements of two sources about one topic, and those that say opposite things. A statement about one agent is an
 * exception from that of its own source about everybody, so it is compared with what the other source says of that agent.
 */
export function compareStatements(statements: readonly UsageStatement[]): {
  compared: number;
  conflicts: readonly UsageConflict[];
} {
  const different = new Map(statements.map((one) => [`${formatStatementKey(one)} ${one.allows}`, one]));
  const said = [...different.values()];
  const places = new Set(said.map(formatStatementKey));
  const yeses = said.filter(({ allows }) => allows);
  const noes = said.filter(({ allows }) => !allows);
  return {
    compared: said.filter((one) => said.some(({ source, topic }) => source !== one.source && topic === one.topic))
      .length,
    conflicts: yeses.flatMap((yes) => noes.filter((no) => isContradiction(yes, no, places)).map((no) => ({ yes, no }))),
  };
}

const formatStatementKey = ({ source, topic, agent }: Omit<UsageStatement, 'allows' | 'evidence'>): string =>
  `${source} ${topic} ${agent ?? '*'}`;

function isContradiction(yes: UsageStatement, no: UsageStatement, places: ReadonlySet<string>): boolean {
  if (yes.topic !== no.topic) return false;
  if (yes.agent === no.agent) return true;
  if (yes.source === no.source || (yes.agent !== undefined && no.agent !== undefined)) return false;
  const [general, special] = yes.agent === undefined ? [yes, no] : [no, yes];
  return !places.has(formatStatementKey({ ...general, agent: special.agent }));
}
