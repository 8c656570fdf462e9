import { gatherSite } from '../../src/audit/core/gather.ts';
import { reportOn } from '../../src/audit/core/report.ts';
import type { Snapshot } from '../../src/audit/core/snapshot.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import type { GuardedFetch } from '../../src/net/fetched.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';

/** A site that exists in memory only: its file at a path (with query); other paths answer 404. */
export type FileAt = (path: string) => { type: string; body: string } | undefined;

export const ORIGIN = 'https://bench.example.com';
const CLOCK_MS = Date.UTC(2026, 10, 1);
/** So that a large page is read by every request that asks for it; the other limits are those of the product. */
const TOTAL_BYTES = 200 * 1024 * 1024;

export const onePage =
  (body: string): FileAt =>
  (path) =>
    path === '/' ? { type: 'text/html; charset=utf-8', body } : undefined;

/** The fetch of a runtime, answered from memory. */
export async function answerFrom(fileAt: FileAt, url: string): Promise<Response> {
  const { pathname, search } = new URL(url);
  const file = fileAt(pathname + search);
  return new Response(file?.body ?? 'not found', {
    status: file ? 200 : 404,
    headers: { 'content-type': file?.type ?? 'text/plain' },
  });
}

/** A snapshot of the site: the gatherers and limits of the product, another fetch. */
export function record(fileAt: FileAt): Promise<Snapshot> {
  return gatherSite(`${ORIGIN}/`, { fetch: memoryFetch(fileAt), clockMs: CLOCK_MS });
}

/** Facts, checks, scores and report of a snapshot. @throws Error when there is no report. */
export async function judge(snapshot: Snapshot): Promise<void> {
  const report = await reportOn(snapshot);
  if (!report.ok) throw new Error(`no report: ${report.detail}`);
}

/** A copy of which nothing is known that the engine keeps per snapshot or per bytes; `mark` from 0 tells copies apart. */
export function withOtherHashes(snapshot: Snapshot, mark: number): Snapshot {
  const start = mark.toString(16).padStart(8, '0');
  const exchanges = structuredClone(snapshot.exchanges).map((exchange) =>
    exchange.answer.ok
      ? { ...exchange, answer: { ...exchange.answer, sha256: `${start}${exchange.answer.sha256.slice(start.length)}` } }
      : exchange,
  );
  return { ...snapshot, exchanges };
}

/** What one piece of work took: wall, and user + system CPU of this process; both in milliseconds. */
export type Took = { wallMs: number; cpuMs: number };

export async function timed(work: () => Promise<unknown>): Promise<Took> {
  const [startedMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - startedMs, cpuMs: (user + system) / 1000 };
}

function memoryFetch(fileAt: FileAt): GuardedFetch {
  return createGuardedFetch({
    fetch: (url) => answerFrom(fileAt, url),
    policy: allowPublicOnly(),
    clock: Date.now,
    userAgent: 'bench',
    limits: { totalBytes: TOTAL_BYTES },
  });
}
