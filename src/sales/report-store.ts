import * as z from 'zod';
import { publishing } from '../capabilities/published/publishing.ts';
import { type AnyRecording, listRunIds, writeRecordingJson } from '../capabilities/recording.ts';
import { toHex } from '../lib/digest.ts';
import { DAY_MS } from '../lib/time.ts';
import type { LedgerShard } from '../payment/ledger/protocol.ts';
import { type CreditAccounts, readCreditReportState } from './credit-accounts.ts';
import { runOrUnavailable } from './ledger-client.ts';
import { inflateStream } from '../net/inflate.ts';

/** How long a stored result can be read, in days. */
export const REPORT_DAYS = 30;
const MAX_REPORTS_OF_RUN = 20;

/** Replaces the ledger shard for purchases from prepaid credits: the account in their key decides. */
export const CREDIT_SHARD = 'credits';

/** Where the payment of a report is kept: the result opens only when the ledger says `settled`. */
const metadata = z.object({
  paymentKey: z.string(),
  shard: z.union([z.literal(CREDIT_SHARD), z.string().regex(/^[0-9a-f]{2}$/)]),
  capability: z.string(),
  /** Whether it may be published, decided by the request body; absent in what was stored before that was kept. */
  publishing: publishing.optional(),
  /** The key of the site that it is about; absent where it is about none, and in what was stored before that was kept. */
  site: z.string().optional(),
});
export type ReportMetadata = z.infer<typeof metadata>;

export type ReportRecord = { json: string; storedAtMs: number } & ReportMetadata;

/** Results by report id (32 hex digits of randomness). They are stored without payment data (rule P28). */
export type ReportStore = {
  /** Keeps a result and, where it was made from one, its recording. */
  put: (reportId: string, json: string, about: ReportMetadata, recording?: AnyRecording) => Promise<void>;
  /** The reports made from the answers of a run: one, or those of several attempts, of which one at most is sold. */
  reportsOfRun: (runId: string) => Promise<readonly string[]>;
  get: (reportId: string) => Promise<ReportRecord | undefined>;
  /** The same however old it is: the bucket deletes what is too old when it gets to it. */
  find: (reportId: string) => Promise<ReportRecord | undefined>;
  /** What is known of a report without reading it; undefined for one that is gone or can no longer be read. */
  describe: (reportId: string) => Promise<Omit<ReportRecord, 'json'> | undefined>;
  /** The recording behind a result as JSON text in a stream; undefined when there is none. */
  snapshot: (reportId: string) => Promise<ReadableStream<Uint8Array> | undefined>;
  delete: (reportId: string) => Promise<void>;
};

/** Unix milliseconds from which on a report cannot be read any more. */
export const computeReportExpiry = ({ storedAtMs }: Pick<ReportRecord, 'storedAtMs'>): number =>
  storedAtMs + REPORT_DAYS * DAY_MS;

export function reportStore(bucket: R2Bucket, now: () => number): ReportStore {
  const find: ReportStore['find'] = async (reportId) => {
    const object = await bucket.get(buildReportPath(reportId));
    if (!object) return undefined;
    const storedAtMs = object.uploaded.getTime();
    return { json: await object.text(), storedAtMs, ...metadata.parse(object.customMetadata) };
  };
  return {
    find,
    describe: async (reportId) => {
      const object = await bucket.head(buildReportPath(reportId));
      if (!object) return undefined;
      const about = { storedAtMs: object.uploaded.getTime(), ...metadata.parse(object.customMetadata) };
      return now() > computeReportExpiry(about) ? undefined : about;
    },
    put: async (reportId, json, about, recording) => {
      // At once: the buyer waits for all of them, and nothing is settled or readable before the last is stored.
      await Promise.all([
        bucket.put(buildReportPath(reportId), json, {
          httpMetadata: { contentType: 'application/json' },
          customMetadata: toMetadataTexts(about),
        }),
        recording && compressRecording(recording).then((bytes) => bucket.put(buildSnapshotPath(reportId), bytes)),
        ...(recording === undefined ? [] : listRunIds(recording)).map((runId) =>
          bucket.put(`${runPath(runId)}${reportId}`, ''),
        ),
      ]);
    },
    get: async (reportId) => {
      const report = await find(reportId);
      return report === undefined || now() > computeReportExpiry(report) ? undefined : report;
    },
    snapshot: async (reportId) => {
      const object = await bucket.get(buildSnapshotPath(reportId));
      if (!object || now() - object.uploaded.getTime() > REPORT_DAYS * DAY_MS) return undefined;
      return inflateStream(object.body, 'gzip');
    },
    reportsOfRun: async (runId) => {
      const { objects } = await bucket.list({ prefix: runPath(runId), limit: MAX_REPORTS_OF_RUN });
      return objects.map(({ key }) => key.slice(runPath(runId).length));
    },
    delete: (reportId) => bucket.delete([buildReportPath(reportId), buildSnapshotPath(reportId)]),
  };
}

const toMetadataTexts = ({ publishing: kind, site, ...where }: ReportMetadata): Record<string, string> => ({
  ...where,
  ...(site === undefined ? {} : { site }),
  ...(kind === undefined ? {} : { publishing: kind }),
});

const buildReportPath = (reportId: string): string => `reports/${reportId}.json`;
const runPath = (runId: string): string => `runs/${runId}/`;
const buildSnapshotPath = (reportId: string): string => `snapshots/${reportId}.json.gz`;

/** Compressed piece by piece: a recording may be as large as everything an audit read. */
async function compressRecording(recording: AnyRecording): Promise<ArrayBuffer> {
  const pieces = writeRecordingJson(recording);
  const encoder = new TextEncoder();
  const text = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(new Uint8Array(encoder.encode(next.value)));
    },
  });
  return new Response(text.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
}

/** 128 random bits as 32 hex digits: the only key to a report (rule P11). */
export const generateReportId = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** A ledger row outlives its report's opening by at least a day; an object older than this without a row was settled or is orphaned and harmless. */
const ROW_LIFETIME_MS = 24 * 3_600_000;

export type OpenReport =
  | { kind: 'open'; report: ReportRecord }
  | { kind: 'expired' }
  | { kind: 'missing' }
  | { kind: 'unavailable' };

/** Where reports are kept, and who knows whether they are paid. */
export type ReportPorts = {
  reports: Pick<ReportStore, 'find'>;
  /** A shard of the ledger by its name. */
  shard: (name: string) => Pick<LedgerShard, 'resultState'>;
  credits: CreditAccounts;
  /** Unix milliseconds. */
  now: () => number;
};

/**
 * The stored report of an id once its payment is settled; `expired` when its time is over and the bucket has it still;
 * `unavailable` when the ledger cannot be asked (rule P31).
 */
export async function openReport(ports: ReportPorts, id: string): Promise<OpenReport> {
  const report = await ports.reports.find(id);
  if (!report) return { kind: 'missing' };
  const state = await readSettlementState(ports, id, report);
  if (state === 'unavailable') return { kind: 'unavailable' };
  const nowMs = ports.now();
  const isOpen = state === 'settled' || (state === 'absent' && nowMs - report.storedAtMs > ROW_LIFETIME_MS);
  if (!isOpen) return { kind: 'missing' };
  return nowMs > computeReportExpiry(report) ? { kind: 'expired' } : { kind: 'open', report };
}

function readSettlementState({ credits, shard: open }: ReportPorts, id: string, { shard, paymentKey }: ReportRecord) {
  const read = async () =>
    shard === CREDIT_SHARD ? readCreditReportState(credits, id, paymentKey) : open(shard).resultState(paymentKey);
  return runOrUnavailable<Awaited<ReturnType<typeof read>> | 'unavailable'>(read, 'unavailable');
}
