import { gatherSite } from '../../src/audit/core/gather.ts';
import { readSite } from '../../src/audit/core/report.ts';
import { createArtifactReader, judgeSnapshot } from '../../src/audit/core/run.ts';
import { computeScore, type CheckResult } from '../../src/audit/core/scores.ts';
import { type ScoreName, scoreNames } from '../../src/audit/core/check.ts';
import type { Snapshot } from '../../src/audit/core/snapshot.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import type { TruthPage } from './corpora.ts';

const CLOCK_MS = Date.UTC(2026, 10, 26);
/** The other limits are those of the product. */
const TOTAL_BYTES = 200 * 1024 * 1024;

/**
 * Records a page under its own address, as its bytes are. Every other address answers 404, but the canonical one that the
 * page names: what is there was not saved, and a 404 would be a fact that readers were not given.
 */
export function recordPage(page: TruthPage, bytes: Uint8Array<ArrayBuffer>): Promise<Snapshot> {
  const start = new URL(page.url);
  start.hash = '';
  const canonicals = listCanonicals(bytes, start);
  const fetch = createGuardedFetch({
    fetch: (url) => {
      if (isSamePage(url, start)) return Promise.resolve(answerPage(bytes));
      if (canonicals.some((href) => isSamePage(url, new URL(href)))) return Promise.reject(new TypeError('not saved'));
      return Promise.resolve(answerNothing());
    },
    policy: allowPublicOnly(),
    clock: Date.now,
    userAgent: 'bench',
    limits: { totalBytes: TOTAL_BYTES },
  });
  return gatherSite(start.href, { fetch, clockMs: CLOCK_MS });
}

/** Addresses of the canonical links in the bytes of a page; markup is ASCII in every charset that the corpora have. */
function listCanonicals(bytes: Uint8Array<ArrayBuffer>, start: URL): readonly string[] {
  const links = new TextDecoder('latin1').decode(bytes).matchAll(/<link\b[^>]*\brel\s*=\s*["']?canonical\b[^>]*>/gi);
  return [...links].flatMap(([link]) => {
    const href = /\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(link)?.[1]?.replaceAll('&amp;', '&') ?? '';
    return URL.canParse(href, start.href) ? [new URL(href, start).href] : [];
  });
}

/** Real servers answer at every spelling of a page's address: with and without `www.`, TLS, a last slash. */
function isSamePage(href: string, start: URL): boolean {
  if (href === start.href) return true;
  const url = new URL(href);
  const nameOf = ({ hostname, pathname }: URL): string =>
    `${hostname.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}`.toLowerCase();
  return url.pathname !== '/' && nameOf(url) === nameOf(start) && (url.search === start.search || url.search === '');
}

const answerPage = (bytes: Uint8Array<ArrayBuffer>): Response =>
  new Response(bytes, { status: 200, headers: { 'content-type': 'text/html' } });
const answerNothing = (): Response =>
  new Response('not found', { status: 404, headers: { 'content-type': 'text/plain' } });

/** What the engine says of a page. */
export type PageVerdicts = {
  results: readonly CheckResult[];
  scores: Readonly<Record<ScoreName, number>>;
  kind: string;
  mainText: string;
  /** CPU of judging alone: facts, checks and scores, without the requests. */
  cpuMs: number;
};

/** Judges a page, and says what the engine took for its main text and its kind. */
export async function judgePage(page: TruthPage, bytes: Uint8Array<ArrayBuffer>): Promise<PageVerdicts> {
  const snapshot = await recordPage(page, bytes);
  const copy = structuredClone(snapshot); // Facts are remembered by the answer: the time of reading them counts.
  const before = process.cpuUsage();
  const results = judgeSnapshot(copy, readSite(copy));
  const scores = Object.fromEntries(scoreNames.map((name) => [name, computeScore(name, results).score]));
  const { user, system } = process.cpuUsage(before);
  const evidence = createArtifactReader(copy)('textEvidence');
  return {
    results,
    scores: scores as Record<ScoreName, number>,
    kind: evidence.state === 'ready' ? evidence.value.kind.kind : 'unknown',
    mainText: evidence.state === 'ready' ? evidence.value.main.text : '',
    cpuMs: (user + system) / 1000,
  };
}
