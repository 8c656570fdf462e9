import {
  parseBadgeText,
  formatBadgeText,
  EMPTY_RECORD,
  readPublishedEntry,
  type FourScores,
  type History,
  parseRecord,
  addPublished,
  addPublishedBySale,
  recordJson,
  type SiteRecord,
  takeDownReport,
  withdrawReport,
  withdrawListedReport,
} from '../../capabilities/published/history.ts';
import {
  type EarlierReport,
  type PublishedState,
  type PublishingRefusal,
} from '../../capabilities/published/publishing.ts';
import { getSiteKey } from '../../capabilities/published/site-key.ts';
import { createCardStore } from './report-cards.ts';
import { computeReportExpiry, reportStore, type ReportRecord } from './report-store.ts';

/** Attempts at one change before giving up: each one failed because another writer changed the same host meanwhile. */
const MAX_TRIES = 40;
/** Longest wait before the next attempt, in milliseconds: it grows with each, and is drawn, so that two do not meet again. */
const MAX_WAIT_MS = 400;
const WAIT_STEP_MS = 20;

type VersionedSiteRecord = { record: SiteRecord; etag: string | undefined };

const PUBLISHED = 'published/';
const RECORD_TYPE = '.json';
const buildRecordPath = (key: string): string => `published/${key}.json`;

/** What is published of a site, newest first; empty when nothing is. @param key as `getSiteKey` makes it */
export const readHistory = async (bucket: R2Bucket, key: string): Promise<History> =>
  (await read(bucket, key)).record.history;

/** The newest published scores of a site, read without the rest; undefined when nothing is published. */
export async function readBadge(bucket: R2Bucket, key: string): Promise<FourScores | undefined> {
  const object = await bucket.head(buildRecordPath(key));
  return parseBadgeText(object?.customMetadata?.['badge']);
}

/** Its picture is drawn first: a report that is listed without one has the picture that all share. */
export async function publish(bucket: R2Bucket, key: string, json: string, atMs: number): Promise<History> {
  const entry = readPublishedEntry(json, atMs);
  await createCardStore(bucket).draw(key, entry);
  return change(bucket, key, (record) => addPublished(record, entry));
}

/** Takes a report from the history of its site, and its picture; what is not there is no failure. */
export async function unpublish(bucket: R2Bucket, key: string, reportId: string): Promise<History> {
  const history = await change(bucket, key, (record) => withdrawReport(record, reportId));
  await createCardStore(bucket).delete(reportId);
  return history;
}

/** The same for a report that can no longer be read, by the site that its buyer names. */
export async function unpublishListed(bucket: R2Bucket, key: string, reportId: string): Promise<History> {
  const history = await change(bucket, key, (record) => withdrawListedReport(record, reportId));
  await createCardStore(bucket).delete(reportId);
  return history;
}

/** The operator takes a report from the history of a site for good; false when the site does not list it. */
export async function takeDown(bucket: R2Bucket, key: string, reportId: string): Promise<boolean> {
  let wasListed = false;
  await change(bucket, key, (record) => {
    wasListed = record.history.some((entry) => entry.reportId === reportId);
    return takeDownReport(record, reportId);
  });
  await createCardStore(bucket).delete(reportId);
  return wasListed;
}

/** Whether the operator took a report down: its buyer cannot publish it again. */
export const isTakenDown = async (bucket: R2Bucket, key: string, reportId: string): Promise<boolean> =>
  (await read(bucket, key)).record.takenDown.includes(reportId);

/** A site with published reports: the newest scores, as its badge shows them, and when the record last changed. */
export type PublishedSite = { key: string; scores: FourScores; changedAtMs: number };

/**
 * Sites in the order of their keys. `next` is there when there are more. Sites of which everything was taken back are
 * left out, so that a page may have fewer than asked for.
 */
export async function listPublishedSites(
  bucket: R2Bucket,
  { prefix, cursor, limit }: { prefix: string; cursor?: string | undefined; limit: number },
): Promise<{ sites: PublishedSite[]; next?: string }> {
  const listed = await bucket.list({
    prefix: `${PUBLISHED}${prefix}`,
    limit,
    include: ['customMetadata'],
    ...(cursor === undefined ? {} : { cursor }),
  });
  const sites = listed.objects.flatMap(({ key, uploaded, customMetadata }) => {
    const scores = parseBadgeText(customMetadata?.['badge']);
    if (scores === undefined) return [];
    return [{ key: key.slice(PUBLISHED.length, -RECORD_TYPE.length), scores, changedAtMs: uploaded.getTime() }];
  });
  return listed.truncated ? { sites, next: listed.cursor } : { sites };
}

/** Compare and swap: of changes at the same time none is lost. @throws when the host is changed again and again */
async function change(bucket: R2Bucket, key: string, next: (record: SiteRecord) => SiteRecord): Promise<History> {
  for (let tried = 1; tried <= MAX_TRIES; tried += 1) {
    const { record, etag } = await read(bucket, key);
    const wanted = next(record);
    if (wanted === record) return record.history;
    const written = await bucket.put(buildRecordPath(key), recordJson(wanted), {
      onlyIf: etag === undefined ? { etagDoesNotMatch: '*' } : { etagMatches: etag },
      httpMetadata: { contentType: 'application/json' },
      customMetadata: { badge: formatBadgeText(wanted.history) },
    });
    if (written !== null) return wanted.history;
    const waitMs = Math.random() * Math.min(MAX_WAIT_MS, tried * WAIT_STEP_MS);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new Error('what is published of a host was changed by others each time');
}

async function read(bucket: R2Bucket, key: string): Promise<VersionedSiteRecord> {
  const object = await bucket.get(buildRecordPath(key));
  if (!object) return { record: EMPTY_RECORD, etag: undefined };
  return { record: parseRecord(await object.text()), etag: object.etag };
}

/**
 * Publishes a report that is sold, or whose purchase is repeated, by what is stored of it; not one that was taken back.
 * @throws when it cannot be published now
 */
export async function publishSold(bucket: R2Bucket, reportId: string, now: () => number): Promise<void> {
  const report = await reportStore(bucket, now).get(reportId);
  const site = report && judgePublishable(report);
  // Its body was judged before the payment; only a bare host may have been read by http on a port of its own since.
  if (!report || site?.ok !== true) throw new Error('a sold report cannot be published');
  const entry = readPublishedEntry(report.json, report.storedAtMs);
  await createCardStore(bucket).draw(site.key, entry);
  const history = await change(bucket, site.key, (record) => addPublishedBySale(record, entry));
  if (!history.some((one) => one.reportId === reportId)) await createCardStore(bucket).delete(reportId);
}

/** Whether a stored report may be published, and under which key. */
export function judgePublishable(report: Pick<ReportRecord, 'json' | 'publishing' | 'site'>): PublishableSite {
  const { publishing = 'not_recorded' } = report;
  if (publishing !== 'possible') return { ok: false, reason: publishing };
  const key = findSiteKey(report);
  return key === undefined ? { ok: false, reason: 'not_its_port' } : { ok: true, key };
}

type PublishableSite = { ok: true; key: string } | { ok: false; reason: PublishingRefusal };

/** The key of the site that a stored report is about. Of before that was kept beside it, the address that was asked for decides. */
export function findSiteKey({ json, site }: Pick<ReportRecord, 'json' | 'site'>): string | undefined {
  if (site !== undefined) return site;
  const { url } = JSON.parse(json) as { url?: unknown }; // We wrote it.
  return typeof url === 'string' ? getSiteKey(url) : undefined;
}

/**
 * What the page of a report says about publishing it. `host` is there when it may be published; `published` also decides
 * whether search engines may show the report.
 * @param base our own address
 */
export async function readPublishedState(
  bucket: R2Bucket,
  base: string,
  id: string,
  report: Pick<ReportRecord, 'json' | 'publishing' | 'site' | 'storedAtMs'>,
  nowMs: number,
): Promise<PublishedState> {
  const site = judgePublishable(report);
  const baseUrl = new URL(base).origin;
  if (!site.ok) return { published: false, publishable: false, reason: site.reason, baseUrl };
  const { key: host } = site;
  const { history, takenDown } = (await read(bucket, host)).record;
  const earlier = findEarlier(history, id, report.storedAtMs, nowMs);
  const known = { host, baseUrl, ...(earlier === undefined ? {} : { earlier }) };
  if (takenDown.includes(id)) return { published: false, publishable: false, reason: 'taken_down', ...known };
  return { published: history.some(({ reportId }) => reportId === id), publishable: true, ...known };
}

function findEarlier(history: History, id: string, storedAtMs: number, nowMs: number): EarlierReport | undefined {
  const found = history.find(({ reportId, atMs }) => reportId !== id && atMs <= storedAtMs);
  if (found === undefined) return undefined;
  const { reportId, atMs } = found;
  return { reportId, atMs, isReadable: nowMs <= computeReportExpiry({ storedAtMs: atMs }) };
}
