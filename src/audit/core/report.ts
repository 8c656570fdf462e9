import { yieldToEventLoop } from '../../lib/concurrency.ts';
import { PRODUCT } from '../../lib/product.ts';
import { computeSha256Hex } from '../../lib/digest.ts';
import { finishSentence } from '../../lib/text.ts';
import { classifyHost } from '../../net/address.ts';
import { DEFAULT_LIMITS } from '../../net/fetch-budget.ts';
import { failureWords, type ReadFailure } from '../../net/failure-words-data.ts';
import type { GuardedFetch } from '../../net/fetched.ts';
import { buildAgentFileFacts } from '../agent-files/facts/agent-file-facts.ts';
import { buildLlmsFacts } from '../llms-txt/facts/llms-facts.ts';
import { buildMcpFacts } from '../mcp/facts/facts.ts';
import type { Renderer } from '../rendered/gather/render-page.ts';
import { isShutOut } from '../reach/facts/blocked-crawler.ts';
import { buildHealthFacts } from '../reach/facts/health.ts';
import { readPageFacts } from '../reach/facts/site-files.ts';
import { buildSchemaFacts } from '../structured-data/facts/schema-graph-facts.ts';
import { type GathererName, listGatherersFor } from './artifacts.ts';
import { checks as allChecks } from './catalogue.ts';
import { type AnyCheck, type CheckCapability, type ScoreName, scoreNames } from './check.ts';
import { gatherSite } from './gather.ts';
import { computeScoreInterval, type ScoreInterval } from './interval.ts';
import { detectProfile } from './profile.ts';
import { RUBRIC_VERSION } from './rubric-version.ts';
import { createJudging, judgeSnapshot } from './run.ts';
import { type AuditScore, type CheckResult, computeScore } from './scores.ts';
import type { ProfileName, Site, SiteProfile } from './site.ts';
import {
  type CapabilityFacts,
  type Exchange,
  formatReadInstead,
  getExchangeLookup,
  type Snapshot,
} from './snapshot.ts';
import { summarise, summariseChecks, type Summary } from './summary.ts';
import { type AuditWireRequest, toWireCheck, toWireRequest, type WireCheck } from './wire.ts';

/** Hash over what decides a score: id, weight, scores and gate caps of every check, in the order of their ids. */
export function computeRubricSha256(checks: readonly AnyCheck[]): Promise<string> {
  const rows = checks
    .map(
      ({ id, weight, scores, gate }) =>
        [
          id,
          weight,
          scoreNames.filter((name) => scores.includes(name)),
          scoreNames.map((name) => gate?.caps[name] ?? null),
          ...(gate?.inProportion === true ? ['in proportion'] : []),
        ] as const,
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return computeSha256Hex(JSON.stringify(rows));
}

/** One row per check capability. */
export const capabilityFacts: Partial<Record<CheckCapability, CapabilityFacts>> = {
  check_health: buildHealthFacts,
  check_llms_txt: buildLlmsFacts,
  check_schema: buildSchemaFacts,
  check_agent_files: buildAgentFileFacts,
  check_mcp: buildMcpFacts,
};

export type AuditOptions = {
  fetch: GuardedFetch;
  /** Unix milliseconds: dates on the site are judged against it. */
  clockMs: number;
  /** Scores to compute; all four when neither they nor `capability` are named. */
  scores?: readonly ScoreName[];
  /** Reports only the checks of one cheap capability, with its facts and without scores. */
  capability?: CheckCapability;
  /** The kind of site, when the caller knows it. */
  profile?: ProfileName;
  /** Pages to read, the start page included (1 to 25; on the command line more). */
  maxPages?: number;
  /** Requests that `fetch` makes at most, where it has other limits than usual. */
  requests?: number;
  /** Called after each request with the number made so far. */
  onProgress?: (step: { done: number; label: string }) => void;
  /** A browser to look at the start page with. Where there is none, what only a browser shows is unknown. */
  renderer?: Renderer;
  /** Called after each request with what came of it. */
  onExchange?: (exchange: Exchange) => void;
};

export type WireScore = AuditScore & { interval?: ScoreInterval; checks: readonly WireCheck[] };

/** What every audit says beside its checks. */
export type AuditFrame = {
  profile: SiteProfile;
  rubric: { version: string; sha256: string };
  requests: readonly AuditWireRequest[];
  summary: Summary;
  warnings: readonly string[];
};

/** `scores` for an audit, `checks` and `facts` for a check capability. */
export type AuditReport = { ok: true } & AuditFrame &
  (
    | { scores: Partial<Record<ScoreName, WireScore>> }
    | { checks: readonly WireCheck[]; facts: Readonly<Record<string, unknown>> }
  );

/** The start page gave no answer: there is nothing to judge, which is an error and not a score of zero. */
export type Unreachable = {
  ok: false;
  reason: 'target_unreachable';
  failure: ReadFailure;
  detail: string;
  /** The address that was asked for. */
  url: string;
};

export type AuditResult = AuditReport | Unreachable;

/** Reads a site and reports on it. All limits of the network are those of `options.fetch`. */
export async function auditSite(url: string, options: AuditOptions): Promise<AuditResult> {
  if (!URL.canParse(url)) return buildUnreachable({ url }, 'invalid_url', 'The text is no absolute URL.');
  return reportOn(await gatherAudit(url, options), options);
}

/** Reads what the checks of an audit need. @param url absolute; whether it may be fetched is decided by the fetcher. */
export function gatherAudit(url: string, options: AuditOptions): Promise<Snapshot> {
  return gatherSite(url, {
    ...createProgressListener(options),
    fetch: options.fetch,
    clockMs: options.clockMs,
    only: selectGatherers(chooseChecks(options), options),
    whileWaiting: (soFar, pause) => judgePagesAhead(soFar, options, pause),
    ...(options.maxPages === undefined ? {} : { maxPages: options.maxPages }),
    ...(options.renderer === undefined ? {} : { renderer: options.renderer }),
    ...(options.requests === undefined ? {} : { requests: options.requests }),
  });
}

/** Judges the pages that were read, by what is known so far; what turns out otherwise is judged again. */
async function judgePagesAhead(soFar: Snapshot, options: Scope, pause: () => Promise<void>): Promise<void> {
  if (findUnreachable(soFar, options)) return;
  await createJudging(soFar, readSite(soFar, options), chooseChecks(options)).judgePagesAhead(pause);
}

/** What reads the same site by http: to a policy its address is another origin. */
export type OverHttp = (url: string) => Pick<AuditOptions, 'fetch' | 'renderer'>;

/**
 * Reads what the checks of an audit need, of an address whose scheme may be our reading. Only such an address is read
 * by http, and only where https cannot connect: who wrote https gets https or a failure.
 * @param overHttp given for a bare host
 */
export async function gatherTyped(url: string, options: AuditOptions, overHttp?: OverHttp): Promise<Snapshot> {
  const snapshot = await gatherAudit(url, options);
  const missed = overHttp && findMissedHttps(snapshot);
  if (!missed) return snapshot;
  const { insteadOf, http } = missed;
  const requests = (options.requests ?? DEFAULT_LIMITS.requests) - 1;
  const { renderer: _byHttps, ...rest } = options;
  return { ...(await gatherAudit(http, { ...rest, requests, ...overHttp(http) })), insteadOf };
}

/** A wrong certificate is a connection: the site is to be read by https, and its owner to correct it. */
const CERTIFICATE = /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_VERIFY/;

/** The same address by http, where no connection came about by https. */
export function findMissedHttps(
  snapshot: Snapshot,
): { http: string; insteadOf: NonNullable<Snapshot['insteadOf']> } | undefined {
  const url = new URL(snapshot.url);
  const answer = getExchangeLookup(snapshot)('page')?.answer;
  if (url.protocol !== 'https:' || answer === undefined || answer.ok) return undefined;
  const { reason, detail, redirects } = answer;
  if (reason !== 'connection_failed' || redirects.length > 0 || CERTIFICATE.test(detail)) return undefined;
  url.protocol = 'http:';
  return { http: url.href, insteadOf: { url: snapshot.url, reason, detail } };
}

const REFUSED = `The site answers 403 or 429 to us, as whatever reader we come: there is nothing that this could be made from. Allow ${PRODUCT}Bot, or audit it from an address it lets in.`;

const SHUT_OUT =
  'The site refused us as every reader that we came as: who gets in (aeo.reach.edge-policy) is the one verdict, and the scores rest on nothing else.';

type Scope = Pick<AuditOptions, 'scores' | 'capability' | 'profile'> & {
  /** Ids of checks that the caller lets fail: no fix of theirs is among the first. */
  ignored?: ReadonlySet<string>;
  /** What is built needs the page itself, so that a site which refuses every reader is an error. */
  needsPage?: true;
};

/** Scores that the verdict about refusals counts in. */
const SCORES_OF_REFUSALS: readonly ScoreName[] = scoreNames.filter((name) =>
  allChecks.some((check) => check.ofRefusals === true && check.scores.includes(name)),
);

/**
 * Why a snapshot cannot be judged: its start page was not read. A host that refused us as every reader we came as is
 * judged by that alone, where a score counts it and nothing is built from the page. Undefined when it can be judged.
 */
export function findUnreachable(
  snapshot: Snapshot,
  { capability, scores = scoreNames, needsPage }: Scope = {},
): Unreachable | undefined {
  const start = getExchangeLookup(snapshot)('page')?.answer;
  if (start?.ok) {
    const isJudged = needsPage !== true && scores.some((name) => SCORES_OF_REFUSALS.includes(name));
    const refuses = capability === undefined && !isJudged && isShutOut(snapshot);
    return refuses ? buildUnreachable(snapshot, 'refused', REFUSED) : undefined;
  }
  const detail = start?.detail ?? 'The start page was not read.';
  const { insteadOf } = snapshot;
  const both = `${finishSentence(detail)} By https: ${insteadOf?.detail ?? ''}`;
  return buildUnreachable(snapshot, start?.reason ?? 'connection_failed', insteadOf === undefined ? detail : both);
}

/**
 * The report of a snapshot. Pure but for its hashes: the same snapshot and options give the same bytes.
 * @param judgement what `judgeSite` made of the same snapshot and options, when the caller has it.
 */
export async function reportOn(
  snapshot: Snapshot,
  options: Scope = {},
  judgement?: SiteJudgement,
): Promise<AuditResult> {
  const refusal = findUnreachable(snapshot, options);
  if (refusal) return refusal;
  const { site, judged } = judgement ?? (await judgeSiteInTurns(snapshot, options));
  const frame = {
    profile: site.profile,
    rubric: await computeCurrentRubric(),
    requests: snapshot.exchanges.filter(({ sameAs }) => sameAs === undefined).map(toWireRequest),
    warnings: listAuditWarnings(snapshot, options.capability === undefined),
  };
  if (options.capability !== undefined) {
    const facts = capabilityFacts[options.capability]?.(snapshot, site) ?? {};
    const checks = judged.map((one) => toWireCheck(one, site.start));
    return { ok: true, checks, facts, ...frame, summary: summariseChecks(judged) };
  }
  const names = scoreNames.filter((name) => (options.scores ?? scoreNames).includes(name));
  const scores = Object.fromEntries(names.map((name) => [name, toWireScore(name, judged, site.start)]));
  return { ok: true, scores, ...frame, summary: summarise(names, judged, options.ignored) };
}

/** Version and hash of the rubric that this build judges by. */
export async function computeCurrentRubric(): Promise<{ version: string; sha256: string }> {
  rubricHash ??= await computeRubricSha256(allChecks);
  return { version: RUBRIC_VERSION, sha256: rubricHash };
}

/** Made once: a build has one table of checks. The hash and not its promise, which in a Worker belongs to one request. */
let rubricHash: string | undefined;

/** A site and the verdict of every check that was asked for. */
export type SiteJudgement = { site: Site; judged: readonly CheckResult[] };

/** Judges a snapshot by the checks that the options ask for; what `generate` builds its fixes from. */
export function judgeSite(snapshot: Snapshot, options: Scope = {}): SiteJudgement {
  const site = readSite(snapshot, options);
  return { site, judged: judgeSnapshot(snapshot, site, chooseChecks(options)) };
}

/** What checks may know of the site of a snapshot. */
export function readSite(snapshot: Snapshot, { profile }: Pick<Scope, 'profile'> = {}): Site {
  const start = new URL(snapshot.url);
  const local = classifyHost(start.hostname).kind !== 'public';
  return { start, local, profile: detectProfile(snapshot, profile), clockMs: snapshot.clockMs };
}

/** Checks of the whole site that are judged in one turn. */
const CHECKS_A_TURN = 20;

/** The same page by page, with other work in between. */
export async function judgeSiteInTurns(snapshot: Snapshot, options: Scope = {}): Promise<SiteJudgement> {
  const site = readSite(snapshot, options);
  const judging = createJudging(snapshot, site, chooseChecks(options));
  await judging.judgePages();
  const judged: CheckResult[] = [];
  for (const one of judging.listResults()) {
    judged.push(one);
    if (judged.length % CHECKS_A_TURN === 0) await yieldToEventLoop();
  }
  return { site, judged };
}

function chooseChecks({ capability, scores }: Pick<AuditOptions, 'scores' | 'capability'>): readonly AnyCheck[] {
  if (capability !== undefined) return allChecks.filter((check) => check.capabilities?.includes(capability) === true);
  return allChecks.filter((check) => check.scores.some((name) => (scores ?? scoreNames).includes(name)));
}

/**
 * The gatherers that the checks need: the start page always, since the profile rests on it, and more pages for checks
 * that are judged on each. A cheap capability is about one page.
 */
function selectGatherers(chosen: readonly AnyCheck[], { capability }: Scope): readonly GathererName[] {
  const hasPages = capability === undefined && chosen.some(({ each }) => each !== undefined);
  const needed = chosen.flatMap((check) => check.needs.flatMap(listGatherersFor));
  return [...new Set(['page' as const, ...(hasPages ? listGatherersFor('samplePages') : []), ...needed])];
}

function createProgressListener({ onProgress, onExchange }: AuditOptions): {
  onExchange?: (exchange: Exchange) => void;
} {
  if (!onProgress && !onExchange) return {};
  let done = 0;
  return {
    onExchange(exchange) {
      done += 1;
      onProgress?.({ done, label: exchange.role });
      onExchange?.(exchange);
    },
  };
}

function toWireScore(name: ScoreName, judged: readonly CheckResult[], start: URL): WireScore {
  const mine = judged.filter(({ check }) => check.scores.includes(name));
  const score = computeScore(name, judged);
  const interval = computeScoreInterval(name, judged);
  return {
    ...score,
    ...(interval === undefined ? {} : { interval }),
    checks: mine.map((one) => toWireCheck(one, start)),
  };
}

function listAuditWarnings(snapshot: Snapshot, isJudged: boolean): readonly string[] {
  const page = readPageFacts(snapshot);
  const unread = snapshot.exchanges.filter(({ answer }) => !answer.ok && answer.reason === 'budget_exhausted').length;
  const start = getExchangeLookup(snapshot)('page')?.answer;
  const { insteadOf } = snapshot;
  return [
    ...(insteadOf === undefined ? [] : [formatReadInstead(insteadOf.url, snapshot.url)]),
    ...(isJudged && isShutOut(snapshot) ? [SHUT_OUT] : []),
    ...(start?.ok === true && start.truncated
      ? ['The start page is larger than we read; only its first part was judged.']
      : []),
    ...(page.state === 'ready' && page.value.tooDeep ? ['The start page nests elements deeper than we follow.'] : []),
    ...(page.state === 'ready' && page.value.capped.length > 0
      ? [`Only the first of many were judged: ${page.value.capped.join(', ')}.`]
      : []),
    ...(snapshot.rendered?.ok === false
      ? [`The start page was not rendered (${snapshot.rendered.reason}): ${snapshot.rendered.detail}.`]
      : []),
    ...(unread > 0
      ? [
          `${unread} requests were not made: the budget of the audit was used up. The checks that need them are unknown.`,
        ]
      : []),
  ];
}

const buildUnreachable = (
  { url }: Pick<Snapshot, 'url'>,
  failure: Unreachable['failure'],
  detail: string,
): Unreachable => ({
  ok: false,
  reason: 'target_unreachable',
  failure,
  detail,
  url,
});

/** Which address was asked for, what came of it, and what that means. */
export const describeUnreachable = ({
  failure,
  detail,
  url,
}: Pick<Unreachable, 'failure' | 'detail' | 'url'>): string =>
  `${failure} at ${url}: ${finishSentence(detail)} ${failureWords[failure].means}`;
