import type { Artifact } from '../../core/artifact.ts';
import {
  getExchangeLookup,
  listNumberedExchanges,
  type Exchange,
  type Snapshot,
  type SnapshotAnswer,
} from '../../core/snapshot.ts';
import { getPageFacts, isHtmlAnswer } from './html-page.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { isRefusalStatus } from './blocked-crawler.ts';

/** An exchange that has an answer. */
export type ExchangeWithAnswer = { exchange: Exchange; answer: SnapshotAnswer };

const buildFailure = (reason: string, url: string): { state: 'failed'; reason: string; url: string } => ({
  state: 'failed',
  reason,
  url,
});

/** The answer of one role, whatever its status; failed when there is none. */
export function readAnswerArtifact(snapshot: Snapshot, role: string): Artifact<ExchangeWithAnswer> {
  const exchange = getExchangeLookup(snapshot)(role);
  if (!exchange) return buildFailure('not_fetched', snapshot.url);
  const { answer } = exchange;
  return answer.ok ? { state: 'ready', value: { exchange, answer } } : buildFailure(answer.reason, exchange.url);
}

/** Artifact `start`: the answer for the start URL. */
export const readStart = (snapshot: Snapshot): Artifact<ExchangeWithAnswer> => readAnswerArtifact(snapshot, 'page');

/** The start page as something to judge; failed, too, when its answer is a refusal of us or a fault of the moment. */
export function readStartPageArtifact(snapshot: Snapshot): Artifact<ExchangeWithAnswer> {
  const start = readStart(snapshot);
  if (start.state === 'failed') return start;
  const { answer } = start.value;
  return isRefusalStatus(answer.status) || answer.status >= 500
    ? buildFailure(`http_${answer.status}`, answer.url)
    : start;
}

/** Artifact `control`: the answer for a path that cannot exist. */
export const readControlAnswer = (snapshot: Snapshot): Artifact<ExchangeWithAnswer> =>
  readAnswerArtifact(snapshot, 'control');

/** Artifact `page`: the facts of the start page; failed when it is no HTML page with a 2xx status. */
export function readPageFacts(snapshot: Snapshot): Artifact<PageFacts> {
  const start = readStart(snapshot);
  if (start.state === 'failed') return start;
  const { answer } = start.value;
  if (answer.status < 200 || answer.status > 299) return buildFailure(`http_${answer.status}`, answer.url);
  if (!isHtmlAnswer(answer)) return buildFailure('not_html', answer.url);
  return { state: 'ready', value: getPageFacts(answer) };
}

/** Artifact `schemes`: the site's root over https and http; failed when they were not asked for. */
export function readSchemes(snapshot: Snapshot): Artifact<{ https: Exchange; http: Exchange } | 'not_asked'> {
  const find = getExchangeLookup(snapshot);
  const [https, http] = [find('scheme:https'), find('scheme:http')];
  return { state: 'ready', value: https && http ? { https, http } : 'not_asked' };
}

/** Artifact `canonical`: the exchange for the page's canonical URL, or that there was none to ask for. */
export function readCanonical(snapshot: Snapshot): Artifact<Exchange | 'not_asked'> {
  return { state: 'ready', value: getExchangeLookup(snapshot)('canonical') ?? 'not_asked' };
}

/** Artifact `sample`: the exchanges of sampled internal pages, in the order of the sample. */
export function readSample(snapshot: Snapshot): Artifact<readonly Exchange[]> {
  return { state: 'ready', value: listNumberedExchanges(snapshot, 'sample') };
}

/** A sampled page that is HTML and answered 2xx. */
export type SamplePage = { exchange: Exchange; page: PageFacts };

/** Artifact `samplePages`: the facts of the sampled internal pages that could be read, in the order of the sample. */
export const readSamplePages = (snapshot: Snapshot): Artifact<readonly SamplePage[]> => ({
  state: 'ready',
  value: listHtmlPages(listNumberedExchanges(snapshot, 'sample')),
});

/** Those of some exchanges that are HTML pages with a 2xx answer. */
export const listHtmlPages = (exchanges: readonly Exchange[]): readonly SamplePage[] =>
  exchanges.flatMap((exchange) => {
    const { answer } = exchange;
    if (!answer.ok || answer.status < 200 || answer.status > 299 || !isHtmlAnswer(answer)) return [];
    return [{ exchange, page: getPageFacts(answer) }];
  });

/** Artifact `faqPage`: the linked page of questions and answers, `none` when there is no such link or no such page. */
export function readFaqPage(snapshot: Snapshot): Artifact<PageFacts | 'none'> {
  const exchange = getExchangeLookup(snapshot)('faq');
  if (!exchange) return { state: 'ready', value: 'none' };
  const { answer } = exchange;
  if (!answer.ok) return buildFailure(answer.reason, exchange.url);
  return { state: 'ready', value: answer.status === 200 && isHtmlAnswer(answer) ? getPageFacts(answer) : 'none' };
}

/** Milliseconds that each answer for the start page took, from the request (redirects included) to the end of the body. */
export type StartTimings = { url: string; timesMs: readonly number[] };

/** Artifact `startTimings`: the times of every GET of the start page with a 2xx answer, under any User-Agent. */
export function readStartTimings(snapshot: Snapshot): Artifact<StartTimings> {
  const start = getExchangeLookup(snapshot)('page');
  const reads = [...(start ? [start] : []), ...listNumberedExchanges(snapshot, 'user-agent')];
  const timesMs = reads
    .filter(({ answer }) => answer.ok && answer.status >= 200 && answer.status < 300)
    .map(({ ms }) => ms);
  return { state: 'ready', value: { url: snapshot.url, timesMs } };
}
