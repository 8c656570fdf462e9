import { rememberPerObject } from '../../../lib/memo.ts';
import { getExchangeLookup, listNumberedExchanges, type Snapshot, type SnapshotAnswer } from '../../core/snapshot.ts';

/** Statuses by which a host refuses a visitor it does not want, or wants less of; they say nothing about the page. */
const REFUSALS = [403, 429];

export const isRefusalStatus = (status: number): boolean => REFUSALS.includes(status);

/**
 * Whether the host refused us under every name: the start page as ourselves, and as every other User-Agent that
 * was tried. Then there is nothing to judge, which is not a fault of the site.
 */
export function isShutOut(snapshot: Snapshot): boolean {
  const start = getExchangeLookup(snapshot)('page')?.answer;
  if (start?.ok !== true || !isRefusalStatus(start.status)) return false;
  return listNumberedExchanges(snapshot, 'user-agent').every(
    ({ answer }) => !answer.ok || isRefusalStatus(answer.status),
  );
}

/** A page with more visible words than this has content, whatever scripts of a bot manager it carries. */
const CHALLENGE_WORDS = 120;

/** What bot managers leave in the page they put before the content. */
const MARKERS: readonly (readonly [RegExp, string])[] = [
  [/\/cdn-cgi\/challenge-platform\//, '/cdn-cgi/challenge-platform/'],
  [/_Incapsula_Resource/, '_Incapsula_Resource'],
  [/px-captcha/, 'px-captcha'],
  [/(?:captcha|geo\.captcha)-delivery\.com|datadome/i, 'datadome'],
  [/<title>\s{0,20}Just a moment\.\.\./i, 'Just a moment...'],
  [/awswaf\.com|aws-waf-token/, 'aws-waf'],
];

/** Bytes of a page in which a challenge shows itself. */
const MARKER_CHARS = 200_000;

/**
 * The sign by which an answer is a challenge instead of the page, or undefined. Bot managers also leave their scripts
 * in the pages they let through, so a marker counts only next to little text.
 * @param words counts the visible words; asked only when there is a marker.
 */
export function findChallenge(answer: SnapshotAnswer, words: () => number): string | undefined {
  if (answer.headers['cf-mitigated']?.toLowerCase() === 'challenge') return 'cf-mitigated: challenge';
  const marker = findChallengeMarker(answer);
  return marker !== undefined && words() <= CHALLENGE_WORDS ? marker : undefined;
}

/** Several checks ask of the same answer, and a site that treats every User-Agent alike sends the same bytes many times. */
const findChallengeMarker = rememberPerObject((answer: SnapshotAnswer): string | undefined => {
  const key = `${answer.sha256} ${answer.body.length} ${answer.headers['content-type'] ?? ''}`;
  const known = shared.get(key);
  if (known) return known.marker;
  const body = answer.body.slice(0, MARKER_CHARS);
  const marker = MARKERS.find(([pattern]) => pattern.test(body))?.[1];
  if (shared.size >= MAX_SHARED) shared.clear();
  shared.set(key, { marker });
  return marker;
});

/** Bodies whose marker is remembered by their bytes and the charset they are read by: those of a few audits at once. */
const MAX_SHARED = 200;
const shared = new Map<string, { marker: string | undefined }>();
