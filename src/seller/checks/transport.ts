import { type CheckOutcome, verdict } from '../../audit/core/check.ts';
import {
  buildHeaderSighting,
  buildSightingEvidence,
  findAnswer,
  type SellerReading,
  type Sighting,
} from '../reading/sighting.ts';
import { GOOD_TERMS_BYTES, MAX_HEADERS_BYTES, MAX_TERMS_BYTES } from '../limits.ts';
import { defineOfferCheck, defineSellerCheck, FETCH_CORS, HTTP_CACHING, HTTP_SEMANTICS } from '../seller-check.ts';

/** Colon, space and line end of one header. */
const HEADER_OVERHEAD = 4;
/** The headers that carry terms. */
const TERMS_HEADERS = ['payment-required', 'www-authenticate'];

const termsSize = defineOfferCheck({
  id: 'seller.size.terms',
  title: `The headers with terms are at most ${GOOD_TERMS_BYTES / 1024} KiB`,
  failureTitle: 'Make the terms smaller',
  weight: 3,
  grade: 'B',
  why: 'Most of it comes back inside the payment. Proxies and runtimes stop at 8 or 16 KiB of headers, and the buyer sees an error of theirs.',
  source: 'https://nodejs.org/api/cli.html#--max-http-header-sizesize',
  fix: 'Leave schemas and examples to the OpenAPI document, and shorten descriptions.',
  judge(offered) {
    const { headers } = offered.answer;
    const bytes = TERMS_HEADERS.reduce((sum, name) => sum + (headers[name]?.length ?? 0), 0);
    if (bytes === 0) return verdict.notApplicable('The terms are in the body');
    const note = `${bytes} bytes`;
    const evidence = buildSightingEvidence(offered);
    if (bytes <= GOOD_TERMS_BYTES) return verdict.pass(note, evidence);
    return bytes <= MAX_TERMS_BYTES ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
  },
});

/** What a client says where an answer has more headers than it reads. */
const OVERFLOW = ['HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW', 'headers are larger'];

const allSize = defineSellerCheck({
  id: 'seller.size.headers',
  title: `All headers of the 402 are below ${MAX_HEADERS_BYTES / 1024} KiB`,
  failureTitle: 'Send fewer or shorter headers',
  weight: 2,
  grade: 'B',
  why: 'Node reads no more than 16 KiB of headers: its client fails before it sees the 402.',
  source: 'https://nodejs.org/api/cli.html#--max-http-header-sizesize',
  fix: 'Make terms, cookies and policies smaller.',
  judge({ offered, sightings }) {
    const over = Object.values(sightings).find(
      ({ answer }) => !answer.ok && OVERFLOW.some((word) => answer.detail.includes(word)),
    );
    if (over !== undefined)
      return verdict.fail(
        `The answer to ${over.method} has more headers than clients read`,
        buildSightingEvidence(over),
      );
    if (offered === undefined) return verdict.unknown('No answer with payment terms was read');
    const rows = Object.entries(offered.answer.headers);
    const bytes = rows.reduce((sum, [name, value]) => sum + name.length + value.length + HEADER_OVERHEAD, 0);
    const evidence = buildSightingEvidence(offered);
    return bytes < MAX_HEADERS_BYTES
      ? verdict.pass(`${bytes} bytes`, evidence)
      : verdict.fail(`${bytes} bytes`, evidence);
  },
});

const cache = defineOfferCheck({
  id: 'seller.cache.no-store',
  title: 'The 402 is not stored by caches',
  failureTitle: 'Answer 402 with Cache-Control: no-store',
  weight: 3,
  grade: 'A',
  why: 'A stored 402 has old prices and used challenges, and reaches buyers who have paid.',
  source: HTTP_CACHING,
  fix: 'Send Cache-Control: no-store with every 402.',
  judge(offered) {
    const value = (offered.answer.headers['cache-control'] ?? '').toLowerCase();
    const evidence = buildHeaderSighting(offered, 'cache-control');
    if (value.includes('no-store')) return verdict.pass('no-store', evidence);
    if (/public|s-maxage|max-age=[1-9]/.test(value)) return verdict.fail('Caches may store it', evidence);
    return value === ''
      ? verdict.partial(0.5, 'Nothing is said about caches', evidence)
      : verdict.partial(0.7, 'Caches may store it for one reader', evidence);
  },
});

const listNames = (value: string | undefined): readonly string[] =>
  (value ?? '').split(',').map((name) => name.trim().toLowerCase());

const exposed = defineOfferCheck({
  id: 'seller.cors.exposed',
  title: 'A page of another origin can read the terms',
  failureTitle: 'Let pages of other origins read the terms (CORS)',
  weight: 2,
  grade: 'A',
  why: 'Agents and wallets in browsers see neither status nor terms of an answer without these headers.',
  source: FETCH_CORS,
  fix: 'Send Access-Control-Allow-Origin, and Access-Control-Expose-Headers with PAYMENT-REQUIRED, PAYMENT-RESPONSE and, for MPP, WWW-Authenticate and Payment-Receipt, on the 402 too.',
  judge(offered) {
    const { headers } = offered.answer;
    const allowed = headers['access-control-allow-origin'];
    if (allowed === undefined)
      return verdict.fail(
        'The 402 has no Access-Control-Allow-Origin',
        buildHeaderSighting(offered, 'access-control-allow-origin'),
      );
    const names = listNames(headers['access-control-expose-headers']);
    const carried = TERMS_HEADERS.filter((name) => headers[name] !== undefined);
    const hidden = carried.filter((name) => !names.includes(name) && !names.includes('*'));
    const evidence = buildHeaderSighting(offered, 'access-control-expose-headers');
    if (hidden.length === 0) return verdict.pass('Origin and terms are open to pages', evidence);
    return verdict.partial(
      hidden.length < carried.length ? 0.7 : 0.3,
      `Pages cannot read ${hidden.join(' and ')}`,
      evidence,
    );
  },
});

const preflight = defineSellerCheck({
  id: 'seller.cors.preflight',
  title: 'A preflight allows the headers of a payment',
  failureTitle: 'Answer OPTIONS, and allow the headers of a payment',
  weight: 2,
  grade: 'A',
  why: 'Browsers ask by OPTIONS before they send a payment. A 402, 404 or 405 there ends it.',
  source: FETCH_CORS,
  fix: 'Answer OPTIONS with 204, without asking for a payment, and allow content-type, payment-signature and access-control-expose-headers; for MPP authorization.',
  judge(reading) {
    if (reading.isReadOnly) return verdict.unknown('Not asked: only the command line sends OPTIONS');
    const seen = findAnswer(reading, 'preflight');
    if (seen === undefined) return verdict.unknown('OPTIONS was not answered');
    const { status, headers } = seen.answer;
    const evidence = buildHeaderSighting(seen, 'access-control-allow-headers');
    if (status < 200 || status > 299)
      return verdict.fail(`OPTIONS is answered with ${status}`, buildSightingEvidence(seen));
    const names = listNames(headers['access-control-allow-headers']);
    const wanted = [
      'content-type',
      ...(reading.x402.state === 'none' ? [] : ['payment-signature']),
      ...(reading.mpp.state === 'read' ? ['authorization'] : []),
    ];
    // A star does not include Authorization.
    const missing = wanted.filter(
      (name) => !names.includes(name) && !(names.includes('*') && name !== 'authorization'),
    );
    if (headers['access-control-allow-origin'] === undefined) return verdict.fail('No origin is allowed', evidence);
    return missing.length === 0
      ? verdict.pass(`${status}; the headers of a payment are allowed`, evidence)
      : verdict.partial(0.4, `${missing.join(' and ')} not allowed`, evidence);
  },
});

/** How far the clock of a seller may be off: facilitators refuse what ends within 6 s, and servers round down. */
const GOOD_SKEW_S = 10;
const MOST_SKEW_S = 60;

const clock = defineSellerCheck({
  id: 'seller.clock.date',
  title: `The clock of the seller is right to ${GOOD_SKEW_S} s`,
  failureTitle: 'Set the clock of the server',
  weight: 2,
  grade: 'B',
  why: 'Payments are valid from and until a time. A wrong clock refuses good ones, or takes what has ended.',
  source: `${HTTP_SEMANTICS}#section-6.6.1`,
  fix: 'Run a time service (NTP), and send Date.',
  judge(reading) {
    const skews = Object.values(reading.sightings).flatMap((sighting) => measureSkew(sighting));
    if (skews.length === 0) return verdict.unknown('No answer has a Date');
    const { seconds, sighting } = skews.reduce((least, one) => (one.seconds < least.seconds ? one : least));
    return judgeSkew(seconds, sighting, reading);
  },
});

/** The least that the two clocks differ, given that the answer was made between the request and now. */
function measureSkew(sighting: Sighting): readonly { seconds: number; sighting: Sighting }[] {
  const { answer, atMs } = sighting;
  const dateMs = answer.ok ? Date.parse(answer.headers['date'] ?? '') : NaN;
  if (Number.isNaN(dateMs)) return [];
  const earliest = atMs - answer.elapsedMs - 1_000; // Date has whole seconds, rounded down.
  const off = dateMs > atMs ? dateMs - atMs : dateMs < earliest ? earliest - dateMs : 0;
  return [{ seconds: Math.round(off / 1000), sighting }];
}

function judgeSkew(seconds: number, sighting: Sighting, { offered }: SellerReading): CheckOutcome {
  const evidence = offered === undefined ? [buildSightingEvidence(sighting)] : [buildHeaderSighting(offered, 'date')];
  if (seconds <= GOOD_SKEW_S) return verdict.pass(`Off by ${seconds} s at least`, evidence);
  const note = `Off by ${seconds} s at least`;
  return seconds <= MOST_SKEW_S ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

export const transportChecks = [termsSize, allSize, cache, exposed, preflight, clock];
