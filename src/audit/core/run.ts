import { yieldToEventLoop } from '../../lib/concurrency.ts';
import type { Artifact } from './artifact.ts';
import { type ArtifactName, type Artifacts, parseArtifact } from './artifacts.ts';
import { checks } from './catalogue.ts';
import { type AnyCheck, type CheckOutcome, verdict } from './check.ts';
import { isRefusalStatus, isShutOut } from '../reach/facts/blocked-crawler.ts';
import { joinPageOutcomes } from './join-pages.ts';
import { listPageViews, type PageView } from './page-views.ts';
import type { CheckResult, PageOutcome } from './scores.ts';
import type { Site } from './site.ts';
import { getExchangeLookup, type Snapshot, type SnapshotAnswer } from './snapshot.ts';

/** The judging of one snapshot. */
export type Judging = {
  /** Judges the pages one after the other, with a pause before each: many pages must not keep other requests waiting. */
  judgePages: (pause?: () => Promise<unknown>) => Promise<void>;
  /** The same for what rests on the page alone: while an audit still waits for other answers. */
  judgePagesAhead: (pause: () => Promise<void>) => Promise<void>;
  /** Every verdict in the order of the checks, one at a time. Judges itself what `judgePages` has not. */
  listResults: () => Generator<CheckResult, void, undefined>;
};

/**
 * Prepares to judge a snapshot by the given checks (all when absent). A check whose artifact could not be read is
 * `unknown`, with the reason; it never sees the gap. One that is judged on each page sees one page at a time, and its
 * outcomes are joined.
 */
export function createJudging(snapshot: Snapshot, site: Site, chosen: readonly AnyCheck[] = checks): Judging {
  const artifactOf = createArtifactReader(snapshot);
  const views = listPageViews(snapshot).map((view) => ({
    view,
    reader: view.isStart ? artifactOf : createArtifactReader(view.snapshot),
    outcomes: new Map<AnyCheck, CheckOutcome>(),
    ofPage: getPageOutcomes(view, site),
  }));
  const isShut = isShutOut(snapshot);
  const asSeen = (check: AnyCheck, outcome: CheckOutcome): CheckOutcome =>
    isShut && check.ofRefusals !== true ? removeUnseen(outcome) : outcome;
  const judgeSeen = (check: AnyCheck, reader: typeof artifactOf): CheckOutcome =>
    asSeen(check, judgeOne(check, reader, site));
  const judgePage = (check: AnyCheck, { reader, ofPage }: (typeof views)[number]): CheckOutcome => {
    const outcome = ofPage.get(check) ?? judgeOne(check, reader, site);
    if (isOfPageAlone(check)) ofPage.set(check, outcome);
    return outcome;
  };
  const judgeView = (check: AnyCheck, one: (typeof views)[number]): PageOutcome => {
    const { view, outcomes } = one;
    const outcome = outcomes.get(check) ?? asSeen(check, judgePage(check, one));
    outcomes.set(check, outcome);
    const { url, pattern, isStart } = view;
    return { url, pattern, isStart, outcome };
  };
  const judge = (check: AnyCheck): CheckResult => {
    // Without a start page there is nothing to join: the check says why it could not look.
    if (check.each === undefined || views.length < 2) return { check, outcome: judgeSeen(check, artifactOf) };
    const pages = views.map((view) => judgeView(check, view));
    return { check, outcome: joinPageOutcomes(pages, check.each), pages };
  };
  return {
    async judgePages(pause = yieldToEventLoop) {
      for (const view of views) {
        await pause();
        for (const check of chosen) if (check.each !== undefined) judgeView(check, view);
      }
    },
    async judgePagesAhead(pause) {
      const ahead = chosen.filter((check) => check.each !== undefined && isOfPageAlone(check));
      for (const view of views) {
        for (const check of ahead.filter((one) => !view.ofPage.has(one))) {
          await pause();
          judgePage(check, view);
        }
      }
    },
    *listResults() {
      for (const check of chosen) yield judge(check);
    },
  };
}

/** Whether nothing but the page and what is known of its site decides. */
const isOfPageAlone = ({ each, needs }: AnyCheck): boolean =>
  each !== undefined && !needs.includes('canonical') && !needs.includes('rendered');

type PageOutcomes = Map<AnyCheck, CheckOutcome>;
const judgedPages = new WeakMap<SnapshotAnswer, { basis: string; outcomes: PageOutcomes }>();

/**
 * What was judged on a page, kept with its answer as long as what is known of its site is the same: so pages are judged
 * while other answers are awaited, and never twice.
 */
function getPageOutcomes({ snapshot, isStart }: PageView, site: Site): PageOutcomes {
  const exchange = getExchangeLookup(snapshot)('page');
  if (exchange?.answer.ok !== true) return new Map();
  const { url, method, requestHeaders } = exchange;
  const basis = JSON.stringify([site, isStart, url, method, requestHeaders]);
  const known = judgedPages.get(exchange.answer);
  if (known?.basis === basis) return known.outcomes;
  const outcomes: PageOutcomes = new Map();
  judgedPages.set(exchange.answer, { basis, outcomes });
  return outcomes;
}

/**
 * Where a site refuses us as every reader, the refusal is the one thing that was seen: what rests on refused answers alone
 * says nothing about the page behind them.
 */
function removeUnseen(outcome: CheckOutcome): CheckOutcome {
  const { status, evidence } = outcome;
  const isSeen = evidence.some((one) => one.status !== undefined && !isRefusalStatus(one.status));
  if (status === 'not_applicable' || status === 'unknown' || isSeen) return outcome;
  return verdict.unknown('The site refuses us as every reader, so this could not be seen.', evidence);
}

/** Judges a snapshot by the given checks (all when absent). Pure: the same snapshot and site give the same outcomes. */
export const judgeSnapshot = (snapshot: Snapshot, site: Site, chosen?: readonly AnyCheck[]): readonly CheckResult[] => [
  ...createJudging(snapshot, site, chosen).listResults(),
];

/** Reads artifacts of a snapshot, each parsed once. */
export function createArtifactReader(snapshot: Snapshot): <K extends ArtifactName>(name: K) => Artifact<Artifacts[K]> {
  const parsed = new Map<string, Artifact<unknown>>();
  return <K extends ArtifactName>(name: K) => {
    const known = parsed.get(name) ?? parseArtifact(name, snapshot);
    parsed.set(name, known);
    return castArtifact<Artifacts[K]>(known); // Holds because the parser of `name` made it.
  };
}

const castArtifact = <T>(artifact: Artifact<unknown>): Artifact<T> => artifact as Artifact<T>;

function judgeOne(check: AnyCheck, artifactOf: ReturnType<typeof createArtifactReader>, site: Site): CheckOutcome {
  const values: Record<string, unknown> = {};
  for (const name of check.needs) {
    const artifact = artifactOf(name);
    if (artifact.state === 'failed') {
      return verdict.unknown(`Could not read ${name}: ${artifact.reason}`, { url: artifact.url });
    }
    values[name] = artifact.value;
  }
  return check.judge(values as Artifacts, site); // Holds because every name in `needs` was put there above.
}
