import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { cutPage, getPageFacts, isHtmlAnswer, MAX_TAGS } from '../facts/html-page.ts';
import type { ExchangeWithAnswer } from '../facts/site-files.ts';
import type { Site } from '../../core/site.ts';

/** Checks of how the start page travels: its redirects, time, size and coding. */
export const startTransferChecks = [
  defineCheck({
    id: 'aeo.reach.redirect-chain',
    title: 'At most one redirect leads to the final address',
    failureTitle: 'Shorten the chain of redirects to the page',
    weight: 1,
    grade: 'B',
    why: 'Each hop costs a fetch, and crawlers give up after a few. A loop, or more than five hops, gives no page to audit at all, so it is an error before any check. Redirects by meta refresh are named but not counted; those by script cannot be seen without running it.',
    source: 'RFC 9110, section 15.4; RFC 9309, section 2.3.1.2 (at least five hops for robots.txt)',
    fix: 'Link to the final address, and let every older address redirect straight to it.',
    needs: ['start'],
    judge: judgeRedirects,
  }),
  defineCheck({
    id: 'aeo.reach.ttfb',
    title: 'The server answers fast',
    failureTitle: 'Make the server answer faster',
    weight: 1,
    grade: 'C',
    why: 'A fetcher that works while a person waits has a short budget. We take the median of the reads that the audit makes anyway, and each lasts to the end of the page, so it is an upper bound of the time to the first byte; only its class is reported, so that a second run gives the same result.',
    source: 'web.dev, "Time to First Byte" (good up to 0.8 s, poor above 1.8 s)',
    fix: 'Cache the HTML near the reader, and do less work on the server before the first byte.',
    needs: ['startTimings'],
    judge: judgeTimes,
  }),
  defineCheck({
    id: 'aeo.reach.html-size',
    title: 'The HTML is smaller than 2 MiB',
    failureTitle: 'Make the HTML smaller',
    weight: 1,
    grade: 'B',
    why: 'Crawlers cut a page at their limit, and what comes after it does not exist for them. 99 % of 1,343 real pages are smaller than 1 MB.',
    source:
      'Google Search Central documentation updates, February 2026, file size limits of Googlebot; Agent-Friendly Docs Spec, page-size-html',
    fix: 'Move inlined state, data: URIs and inline SVG into files of their own.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeSize,
  }),
  defineCheck({
    id: 'aeo.reach.compression',
    title: 'The HTML is compressed on its way',
    failureTitle: 'Compress the HTML on its way',
    weight: 1,
    grade: 'B',
    why: 'Compressed text arrives sooner and is cut less often by time limits. We ask with Accept-Encoding: gzip, br; both runtimes that we audit from undo the coding and leave its header in place.',
    source: 'RFC 9110, sections 8.4 and 12.5.5',
    fix: 'Turn on gzip or Brotli for text at the edge, and send Vary: Accept-Encoding with it.',
    needs: ['start', 'page'],
    judge: judgeCompression,
  }),
];

const MAX_GOOD_HOPS = 1;
const MAX_FAIR_HOPS = 3;

function judgeRedirects({ start: { exchange, answer } }: FactsOf<'start'>, site: Site): CheckOutcome {
  const { redirects } = answer;
  const refresh = hasMetaRefresh({ exchange, answer }) ? ' The page itself has a meta refresh on top of that.' : '';
  const evidence = buildEvidence(exchange, {
    excerpt: redirects.map(({ status, url, location }) => `${status} ${url} -> ${location}`).join('; '),
  });
  const note = `${formatCount(redirects.length, 'redirect')} to the final address.${refresh}`;
  if (!site.local) {
    const crosses = getRegistrableDomain(new URL(answer.url).hostname) !== getRegistrableDomain(site.start.hostname);
    if (crosses) return verdict.fail(`The address leads to another site.${refresh}`, evidence);
    const downgrades = redirects.some(({ url, location }) => url.startsWith('https:') && location.startsWith('http:'));
    if (downgrades) return verdict.fail(`A redirect leads from https back to plain http.${refresh}`, evidence);
  }
  if (redirects.length <= MAX_GOOD_HOPS) return verdict.pass(note, evidence);
  return redirects.length <= MAX_FAIR_HOPS ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

function hasMetaRefresh({ answer }: ExchangeWithAnswer): boolean {
  if (!isHtmlAnswer(answer)) return false;
  return getPageFacts(answer).metas.some(
    ({ httpEquiv, content }) => httpEquiv === 'refresh' && /url\s{0,9}=/i.test(content),
  );
}

const GOOD_MS = 800;
const FAIR_MS = 1800;
/** Fewer reads than this have no median worth the name. */
const MIN_READS = 3;

function judgeTimes({ startTimings: { url, timesMs } }: FactsOf<'startTimings'>, site: Site): CheckOutcome {
  if (site.local)
    return verdict.notApplicable('The way to a private or loopback host says nothing of the way to a public one.');
  if (timesMs.length < MIN_READS)
    return verdict.unknown(
      `Only ${timesMs.length} of the reads of the start page brought it; ${MIN_READS} are needed.`,
      {
        url,
      },
    );
  const sorted = timesMs.toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  if (median <= GOOD_MS) return verdict.pass(`The whole page arrives within ${GOOD_MS} ms (median).`, { url });
  if (median <= FAIR_MS) return verdict.partial(0.5, `The whole page arrives within ${FAIR_MS} ms (median).`, { url });
  return verdict.fail(`The whole page takes longer than ${FAIR_MS} ms (median).`, { url });
}

const MIB = 1024 * 1024;

function judgeSize({ start: { exchange, answer }, page: { inlineChars } }: FactsOf<'start' | 'page'>): CheckOutcome {
  const { state, dataUri, svg } = inlineChars;
  const excerpt = `inlined characters: ${state} of state, ${dataUri} of data: URIs, ${svg} of SVG`;
  const evidence = buildEvidence(exchange, { excerpt });
  if (answer.truncated)
    return verdict.fail(
      cutPage(answer.body, MAX_TAGS - 1) !== undefined
        ? `The HTML has more than the ${MAX_TAGS} tags that we read.`
        : 'The HTML is larger than the 5 MiB that we read.',
      evidence,
    );
  const note = `The HTML has ${Math.ceil(answer.bodyBytes / 1024)} KiB after decompression.`;
  if (answer.bodyBytes <= MIB) return verdict.pass(note, evidence);
  return answer.bodyBytes <= 2 * MIB ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

/** A smaller body fits into the first packet anyway. */
const MIN_COMPRESSED_BYTES = 1400;

/**
 * Node's fetch (undici) and workerd both leave Content-Encoding among the headers of a body they have decoded, which a
 * test of each proves. So an answer without the header came as it is.
 */
function judgeCompression({ start: { exchange, answer } }: FactsOf<'start'>): CheckOutcome {
  if (answer.bodyBytes < MIN_COMPRESSED_BYTES)
    return verdict.notApplicable(`The page has ${answer.bodyBytes} bytes: too few to compress.`);
  const coding = (answer.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity')
    return verdict.fail(
      `${answer.bodyBytes} bytes of HTML came uncompressed although gzip and br were offered.`,
      buildEvidence(exchange, { header: 'content-encoding' }),
    );
  const vary = (answer.headers['vary'] ?? '').toLowerCase();
  const evidence = buildEvidence(exchange, { header: 'vary', excerpt: `content-encoding: ${coding}; vary: ${vary}` });
  const varies = vary.split(',').some((name) => name.trim() === 'accept-encoding' || name.trim() === '*');
  if (varies) return verdict.pass('The page is compressed, and caches know that it varies.', evidence);
  return verdict.partial(0.5, 'The page is compressed, but Vary does not name Accept-Encoding.', evidence);
}
