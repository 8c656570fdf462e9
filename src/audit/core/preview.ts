import type { Effort } from '../../fixes/files/fix.ts';
import { DEFAULT_LIMITS } from '../../net/fetch-budget.ts';
import { type AssistantAccess, readAssistantAccess } from '../crawlers/checks/assistants.ts';
import {
  type AuditOptions,
  gatherTyped,
  type OverHttp,
  reportOn,
  readSite,
  type Unreachable,
  findUnreachable,
} from './report.ts';
import type { OutcomeStatus, ScoreName } from './check.ts';
import { checks as allChecks } from './catalogue.ts';
import { getEffort } from './fix-order.ts';
import { countPages, type PageCounts } from './join-pages.ts';
import { createJudging } from './run.ts';
import { type CheckResult, type AuditScore, computeScore } from './scores.ts';
import type { SiteProfile } from './site.ts';
import type { Exchange } from './snapshot.ts';
import type { SuggestedFix } from './summary.ts';
import { toWireCheck, toWireRequest, type WireCheck, type AuditWireRequest } from './wire.ts';

/** A change of it makes kept previews of older builds unknown. */
export const PREVIEW_VERSION = 4;

/** Things to do first that a preview names. */
export const MAX_FIRST_STEPS = 3;

/** What a preview says of every check. */
type CheckFacts = { id: string; title: string; scores: readonly ScoreName[]; weight: number };

/** `open`: a check that a check capability reports too, shown in full. All others are listed without their result. */
export type PreviewCheck = ({ open: true; fix: string } & CheckFacts & WireCheck) | ({ open: false } & CheckFacts);

/**
 * One of the things to do first: what (`title`, an order), where on the site it was seen (`where`, an address; `pages` of a
 * check that was judged on several), the rough work, and the points that it adds to each score once those before it are
 * done. `how`: the same in a sentence, in the language of the page that shows it.
 */
export type FirstStep = {
  check_id: string;
  title: string;
  how?: string;
  /** Where it is not in the language of the page. */
  how_lang?: 'en';
  where?: string;
  pages?: PageCounts;
  effort: Effort;
  gains: Readonly<Partial<Record<ScoreName, number>>>;
};

/** The free preview of a full audit: its four scores, its cheap checks, what to do first, and of the rest the numbers. */
export type Preview = {
  url: string;
  profile: SiteProfile;
  rubric: { version: string; sha256: string };
  scores: Readonly<Record<ScoreName, AuditScore>>;
  /** All checks in the order of the rubric. */
  checks: readonly PreviewCheck[];
  /** How many checks there are of each outcome. */
  counts: Readonly<Record<OutcomeStatus, number>>;
  /** What to do first. */
  first_steps: readonly FirstStep[];
  /** Which assistants may read the start page, by all checks of it. */
  access?: AssistantAccess;
  requests: readonly AuditWireRequest[];
  warnings: readonly string[];
};

/** A preview as it is handed out: `reused` when it was made for another caller, at `made_at` (RFC 3339). */
export type SitePreview = { preview: Preview; reused: boolean; made_at: string };

/** `done` requests were made of `at_most`; redirects count. */
export type FetchStep = AuditWireRequest & { done: number; at_most: number };

/** What happens on the way to a preview, in this order: every `fetch`, every `check`, `scores`. */
export type PreviewStep =
  | { event: 'fetch'; data: FetchStep }
  | { event: 'check'; data: PreviewCheck }
  | { event: 'scores'; data: Preview['scores'] };

/** What can be said before the first request. */
export const PREVIEW_LIMITS = {
  requests: DEFAULT_LIMITS.requests,
  seconds: DEFAULT_LIMITS.wallMs / 1000,
  checks: allChecks.length,
} as const;

/** Checks that are judged before the steps made so far get a chance to leave. */
const CHECKS_A_TURN = 20;

export type PreviewOptions = Pick<AuditOptions, 'fetch' | 'clockMs' | 'profile'> & {
  onStep: (step: PreviewStep) => void;
  /** Given for a bare host, which is read by http where https cannot connect. */
  overHttp?: OverHttp;
  /** Lets other work go on, the sending of steps above all. */
  pause: () => Promise<void>;
  /** Aborts when no caller waits for the preview any more: stops both `fetch` and the judging. */
  signal: AbortSignal;
};

export type PreviewOutcome = { ok: true; preview: Preview } | Unreachable | { ok: false; reason: 'stopped' };

/** Makes a full audit and reports the part of it that is free. Limits of the network are those of `options.fetch`. */
export async function runSitePreview(url: string, options: PreviewOptions): Promise<PreviewOutcome> {
  const { onStep, pause, signal, clockMs, profile, overHttp } = options;
  const scope = profile === undefined ? {} : { profile };
  const tell = fetchTeller(onStep);
  const snapshot = await gatherTyped(url, { fetch: options.fetch, clockMs, ...scope, onExchange: tell }, overHttp);
  if (signal.aborted) return STOPPED;
  const refusal = findUnreachable(snapshot);
  if (refusal) return refusal;
  const site = readSite(snapshot, scope);
  const judging = createJudging(snapshot, site);
  await judging.judgePages(pause);
  if (signal.aborted) return STOPPED;
  const judged: CheckResult[] = [];
  for (const one of judging.listResults()) {
    judged.push(one);
    onStep({ event: 'check', data: toPreviewCheck(one, site.start) });
    if (judged.length % CHECKS_A_TURN === 0) await pause();
    if (signal.aborted) return STOPPED;
  }
  const report = await reportOn(snapshot, scope, { site, judged });
  if (!report.ok) return report;
  const { rubric, requests, warnings, summary } = report;
  const of = (name: ScoreName): AuditScore => computePreviewScore(name, judged);
  const scores = { aeo: of('aeo'), geo: of('geo'), agent: of('agent'), mcp: of('mcp') };
  onStep({ event: 'scores', data: scores });
  const preview = {
    url: snapshot.url,
    profile: site.profile,
    rubric,
    scores,
    checks: judged.map((one) => toPreviewCheck(one, site.start)),
    counts: countStatuses(judged),
    first_steps: listFirstSteps(summary.fixes, judged),
    ...findAccess(judged),
    requests,
    warnings,
  };
  return { ok: true, preview };
}

function findAccess(judged: readonly CheckResult[]): Pick<Preview, 'access'> {
  const access = readAssistantAccess(judged.map(({ check: { id }, outcome }) => ({ id, ...outcome })));
  return access === undefined ? {} : { access };
}

const STOPPED = { ok: false, reason: 'stopped' } as const;

/** The first fixes of a summary, each with the place where its check was seen. */
function listFirstSteps(fixes: readonly SuggestedFix[], judged: readonly CheckResult[]): readonly FirstStep[] {
  const byId = new Map(judged.map((one) => [one.check.id, one]));
  return fixes.slice(0, MAX_FIRST_STEPS).map(({ check_id, title, gains }) => {
    const one = byId.get(check_id);
    const where = one?.outcome.evidence[0]?.url;
    const pages = countPages(one?.pages);
    return {
      check_id,
      title,
      ...(where === undefined ? {} : { where }),
      ...(pages === undefined ? {} : { pages }),
      effort: getEffort(check_id),
      gains,
    };
  });
}

/** The steps of a preview that was made before. */
export function* listPreviewSteps({ requests, checks, scores }: Preview): Generator<PreviewStep, void, undefined> {
  for (const [index, request] of requests.entries())
    yield { event: 'fetch', data: { ...request, done: index + 1, at_most: requests.length } };
  for (const check of checks) yield { event: 'check', data: check };
  yield { event: 'scores', data: scores };
}

/** Counts requests as the budget does: each redirect is one. */
function fetchTeller(onStep: PreviewOptions['onStep']): (exchange: Exchange) => void {
  let done = 0;
  return (exchange) => {
    done = Math.min(PREVIEW_LIMITS.requests, done + 1 + exchange.answer.redirects.length);
    onStep({ event: 'fetch', data: { ...toWireRequest(exchange), done, at_most: PREVIEW_LIMITS.requests } });
  };
}

/** Whether a check is shown in full: those that a check capability reports for a few cents. */
const isOpen = ({ check }: Pick<CheckResult, 'check'>): boolean => (check.capabilities ?? []).length > 0;

function toPreviewCheck(one: CheckResult, start: URL): PreviewCheck {
  const { id, title, scores, weight, fix } = one.check;
  const facts = { id, title, scores, weight };
  return isOpen(one) ? { open: true, ...facts, ...toWireCheck(one, start), fix } : { open: false, ...facts };
}

const OPEN_IDS: ReadonlySet<string> = new Set(allChecks.filter((check) => isOpen({ check })).map((check) => check.id));

/** A gate says that its check failed, and few have the same cap: those of checks that are not open are left out. */
function computePreviewScore(name: ScoreName, judged: readonly CheckResult[]): AuditScore {
  const score = computeScore(name, judged);
  return { ...score, gates: score.gates.filter(({ id }) => OPEN_IDS.has(id)) };
}

function countStatuses(judged: readonly CheckResult[]): Preview['counts'] {
  const counts = { pass: 0, partial: 0, fail: 0, not_applicable: 0, unknown: 0 };
  for (const { outcome } of judged) counts[outcome.status] += 1;
  return counts;
}
