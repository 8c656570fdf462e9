import {
  badgeScores,
  badgeText,
  entryOf,
  type FourScores,
  type History,
} from '../src/capabilities/published/history.ts';
import { historyJson, parseHistory, withEntry, withoutEntry } from '../src/capabilities/published/history.ts';
import { type Publishing, PUBLISHING_WORDS } from '../src/capabilities/published/publishing.ts';
import { siteKeyOf } from '../src/capabilities/published/site-key.ts';
import type { PublishPanelProps } from '../src/web/report/publish-panel.tsx';
import type { Env } from './env.ts';
import { reportStore, type StoredReport } from './purchase/report-store.ts';

// For the page of a report: `publishPanelOf(id, await publishedState(env, baseUrl, id, report))`. Its `published` also decides
// whether search engines may show the report.

/** Attempts of one change before it is given up: each time, somebody else changed the same host in between. */
const MAX_TRIES = 40;
/** Longest wait before the next attempt, in milliseconds: it grows with each, and is drawn, so that two do not meet again. */
const MAX_WAIT_MS = 400;
const WAIT_STEP_MS = 20;

type Published = { history: History; etag: string | undefined };

const pathOf = (key: string): string => `published/${key}.json`;

/** What is published of a site, newest first; empty when nothing is. @param key as `siteKeyOf` makes it */
export const readHistory = async (bucket: R2Bucket, key: string): Promise<History> => (await read(bucket, key)).history;

/** The newest published scores of a site, read without the rest; undefined when nothing is published. */
export async function readBadge(bucket: R2Bucket, key: string): Promise<FourScores | undefined> {
  const object = await bucket.head(pathOf(key));
  return badgeScores(object?.customMetadata?.['badge']);
}

export const publish = (bucket: R2Bucket, key: string, json: string, atMs: number): Promise<History> => {
  const entry = entryOf(json, atMs);
  return change(bucket, key, (history) => withEntry(history, entry));
};

/** Takes a report from the history of a site; what is not there is no failure. */
export const unpublish = (bucket: R2Bucket, key: string, reportId: string): Promise<History> =>
  change(bucket, key, (history) => withoutEntry(history, reportId));

/** Compare and swap: of changes at the same time none is lost. @throws when the host is changed again and again */
async function change(bucket: R2Bucket, key: string, next: (history: History) => History): Promise<History> {
  for (let tried = 1; tried <= MAX_TRIES; tried += 1) {
    const { history, etag } = await read(bucket, key);
    const wanted = next(history);
    if (etag === undefined && wanted.length === 0) return wanted;
    const written = await bucket.put(pathOf(key), historyJson(wanted), {
      onlyIf: etag === undefined ? { etagDoesNotMatch: '*' } : { etagMatches: etag },
      httpMetadata: { contentType: 'application/json' },
      customMetadata: { badge: badgeText(wanted) },
    });
    if (written !== null) return wanted;
    const waitMs = Math.random() * Math.min(MAX_WAIT_MS, tried * WAIT_STEP_MS);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new Error('what is published of a host was changed by others each time');
}

async function read(bucket: R2Bucket, key: string): Promise<Published> {
  const object = await bucket.get(pathOf(key));
  if (!object) return { history: [], etag: undefined };
  return { history: parseHistory(await object.text()), etag: object.etag };
}

/** Publishes a report that was just sold, by what is stored of it. @throws when it cannot be published now */
export async function publishSold(env: Pick<Env, 'REPORTS'>, reportId: string): Promise<void> {
  const report = await reportStore(env.REPORTS, Date.now).get(reportId);
  const key = report && publishableKey(report);
  if (!report || key === undefined) throw new Error('a sold report cannot be published'); // Its body was judged before the payment.
  await publish(env.REPORTS, key, report.json, report.storedAtMs);
}

/** Whether a stored report may be published, and under which key. */
export function publishableKey(report: Pick<StoredReport, 'json' | 'publishing'>): string | undefined {
  return standingOf(report) === 'possible' ? keyOf(report) : undefined;
}

export const standingOf = ({ publishing }: Pick<StoredReport, 'publishing'>): Publishing =>
  publishing ?? 'not_recorded';

/** The key of the site that a stored report is about. */
export function keyOf({ json }: Pick<StoredReport, 'json'>): string | undefined {
  const { url } = JSON.parse(json) as { url?: unknown }; // We wrote it.
  return typeof url === 'string' ? siteKeyOf(url) : undefined;
}

/** What the page of a report says about publishing it. `host` is there when it may be published. */
export type PublishedState = Omit<PublishPanelProps, 'id'>;

/** @param base our own address */
export async function publishedState(
  env: Pick<Env, 'REPORTS'>,
  base: string,
  id: string,
  report: Pick<StoredReport, 'json' | 'publishing'>,
): Promise<PublishedState> {
  const reason = PUBLISHING_WORDS[standingOf(report)];
  const host = publishableKey(report);
  const baseUrl = new URL(base).origin;
  if (host === undefined) return { published: false, publishable: false, reason, baseUrl };
  const history = await readHistory(env.REPORTS, host);
  return { published: history.some(({ reportId }) => reportId === id), publishable: true, reason, host, baseUrl };
}
