import { sha256 } from '@noble/hashes/sha2';
import type { R2Bucket, R2Object } from '@cloudflare/workers-types';
import * as z from 'zod';
import { publishing } from '../../capabilities/published/publishing.ts';
import { type AnyRecording, listRunIds, writeRecordingJson } from '../../capabilities/recording.ts';
import { toHex } from '../../lib/digest.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { LedgerShard } from '../../payment/ledger/protocol.ts';
import { type CreditAccounts, parseCreditCallKey, readCreditReportState } from '../credit-accounts.ts';
import { runOrUnavailable } from '../ledger-client.ts';
import { inflateStream } from '../../net/inflate.ts';
import { markUnsigned } from '../../statements/result-statement.ts';

/** How long a stored result can be read, in days. */
export const REPORT_DAYS = 30;
type StoredBytes = ReadableStream<Uint8Array<ArrayBuffer>>;
const MAX_REPORTS_OF_RUN = 20;
/** R2 deletes a thousand objects at once, and a kept report is two. */
const REPORTS_OF_A_DELETION = 500;

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
  /** Of the copy that a monitor keeps: its id and its run's. Only the monitor says whether that may be read. */
  monitor: z.string().optional(),
  run: z.string().optional(),
});
export type ReportMetadata = Omit<z.infer<typeof metadata>, 'monitor' | 'run'>;

/** The run of a monitor that keeps a report. */
export type ReportKeeper = { monitorId: string; runId: string };

/** `keptBy`: this is the copy that a monitor keeps; it has no end of its own. */
export type ReportRecord = { json: string; storedAtMs: number; keptBy?: ReportKeeper } & ReportMetadata;

/** Results by report id (32 hex digits of randomness). They are stored without payment data (rule P28). */
export type ReportStore = {
  /** Keeps a result and, where it was made from one, its recording. */
  put: (reportId: string, json: string, about: ReportMetadata, recording?: PackedRecording) => Promise<void>;
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
  /**
   * Copies a report and its recording to where nothing ends by itself, for the run of a monitor; again changes nothing. False:
   * there is no such report.
   */
  keep: (reportId: string, keeper: ReportKeeper) => Promise<boolean>;
  /** Deletes such copies. What is left of the 30 days of the reports themselves stays. */
  dropKept: (reportIds: readonly string[]) => Promise<void>;
};

/** Unix milliseconds from which on a report cannot be read any more. */
export const computeReportExpiry = ({ storedAtMs }: Pick<ReportRecord, 'storedAtMs'>): number =>
  storedAtMs + REPORT_DAYS * DAY_MS;

const isPast = (report: Pick<ReportRecord, 'storedAtMs' | 'keptBy'>, nowMs: number): boolean =>
  report.keptBy === undefined && nowMs > computeReportExpiry(report);

async function readReportObject(bucket: R2Bucket, path: string): Promise<ReportRecord | undefined> {
  const object = await bucket.get(path);
  if (!object) return undefined;
  return { json: markUnsigned(await object.text()), storedAtMs: object.uploaded.getTime(), ...readMetadata(object) };
}

export function reportStore(bucket: R2Bucket, now: () => number): ReportStore {
  const find: ReportStore['find'] = async (reportId) => {
    const report = await readReportObject(bucket, buildReportPath(reportId));
    if (report !== undefined && !isPast(report, now())) return report;
    return (await readReportObject(bucket, buildKeptPath(reportId))) ?? report;
  };
  return {
    ...createKeeping(bucket),
    find,
    describe: async (reportId) => {
      const object = await bucket.head(buildReportPath(reportId));
      if (!object) return undefined;
      const about = { storedAtMs: object.uploaded.getTime(), ...readMetadata(object) };
      return now() > computeReportExpiry(about) ? undefined : about;
    },
    put: async (reportId, json, about, recording) => {
      // At once: the buyer waits for all of them, and nothing is settled or readable before the last is stored.
      await Promise.all([
        bucket.put(buildReportPath(reportId), json, {
          httpMetadata: { contentType: 'application/json' },
          customMetadata: toMetadataTexts(about),
        }),
        recording && bucket.put(buildSnapshotPath(reportId), recording.gzip),
        ...(recording?.runIds ?? []).map((runId) => bucket.put(`${runPath(runId)}${reportId}`, '')),
      ]);
    },
    get: async (reportId) => {
      const report = await find(reportId);
      return report === undefined || isPast(report, now()) ? undefined : report;
    },
    snapshot: async (reportId) => {
      const object = await bucket.get(buildSnapshotPath(reportId));
      const isThere = object !== null && now() - object.uploaded.getTime() <= REPORT_DAYS * DAY_MS;
      const found = isThere ? object : await bucket.get(buildKeptSnapshotPath(reportId));
      if (found === null) return undefined;
      const body: unknown = found.body; // The types of R2 and those of Node name the same stream apart.
      return inflateStream(body as StoredBytes, 'gzip');
    },
    reportsOfRun: async (runId) => {
      const { objects } = await bucket.list({ prefix: runPath(runId), limit: MAX_REPORTS_OF_RUN });
      return objects.map(({ key }) => key.slice(runPath(runId).length));
    },
    delete: (reportId) => bucket.delete([buildReportPath(reportId), buildSnapshotPath(reportId)]),
  };
}

/** The copies that monitors keep. */
function createKeeping(bucket: R2Bucket): Pick<ReportStore, 'keep' | 'dropKept'> {
  const copy = async (from: string, to: string, more: Record<string, string>): Promise<boolean> => {
    if ((await bucket.head(to)) !== null) return true;
    const object = await bucket.get(from);
    if (!object) return false;
    const { body, httpMetadata, customMetadata } = object;
    const put = {
      ...(httpMetadata === undefined ? {} : { httpMetadata }),
      customMetadata: { ...customMetadata, ...more },
    };
    await bucket.put(to, body, put);
    return true;
  };
  return {
    // The recording first: a report that is there has all that belongs to it.
    keep: async (reportId, { monitorId: monitor, runId: run }) => {
      await copy(buildSnapshotPath(reportId), buildKeptSnapshotPath(reportId), {});
      return copy(buildReportPath(reportId), buildKeptPath(reportId), { monitor, run });
    },
    dropKept: async (reportIds) => {
      for (let from = 0; from < reportIds.length; from += REPORTS_OF_A_DELETION) {
        const some = reportIds.slice(from, from + REPORTS_OF_A_DELETION);
        await bucket.delete(some.flatMap((id) => [buildKeptPath(id), buildKeptSnapshotPath(id)]));
      }
    },
  };
}

function readMetadata({ customMetadata }: R2Object): ReportMetadata & { keptBy?: ReportKeeper } {
  const { monitor, run, ...about } = metadata.parse(customMetadata);
  return monitor === undefined || run === undefined ? about : { ...about, keptBy: { monitorId: monitor, runId: run } };
}

const toMetadataTexts = ({ publishing: kind, site, ...where }: ReportMetadata): Record<string, string> => ({
  ...where,
  ...(site === undefined ? {} : { site }),
  ...(kind === undefined ? {} : { publishing: kind }),
});

const buildReportPath = (reportId: string): string => `reports/${reportId}.json`;
const runPath = (runId: string): string => `runs/${runId}/`;
const buildSnapshotPath = (reportId: string): string => `snapshots/${reportId}.json.gz`;
/** Below `kept/` nothing ends by its age. */
const buildKeptPath = (reportId: string): string => `kept/${reportId}.json`;
const buildKeptSnapshotPath = (reportId: string): string => `kept/${reportId}.snapshot.json.gz`;

/** A recording as it is stored. `sha256`: of the bytes that its readers get, which are not compressed; undefined where no one signs it. */
export type PackedRecording = {
  gzip: ArrayBuffer;
  sha256: string | undefined;
  /** The runs of engines that it holds. */
  runIds: readonly string[];
};

/** Compresses and hashes piece by piece: a recording may be as large as everything an audit read. */
export async function packRecording(
  recording: AnyRecording,
  { isHashed }: { isHashed: boolean },
): Promise<PackedRecording> {
  const pieces = writeRecordingJson(recording);
  const hash = isHashed ? sha256.create() : undefined;
  const encoder = new TextEncoder();
  const text = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = pieces.next();
      if (next.done === true) {
        controller.close();
        return;
      }
      const bytes = new Uint8Array(encoder.encode(next.value));
      hash?.update(bytes);
      controller.enqueue(bytes);
    },
  });
  const gzip = await new Response(text.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  return { gzip, sha256: hash && toHex(hash.digest()), runIds: listRunIds(recording) };
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
  /** Whether a monitor has a stored run with this report: it outlives what credits remember of the call. @throws LedgerUnavailable */
  isKept: (reportId: string, keeper: ReportKeeper, account: string) => Promise<boolean>;
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
  return isPast(report, nowMs) ? { kind: 'expired' } : { kind: 'open', report };
}

type SettlementState = Awaited<ReturnType<LedgerShard['resultState']>>;

function readSettlementState(
  { credits, shard: open, isKept }: ReportPorts,
  id: string,
  { shard, paymentKey, keptBy }: ReportRecord,
) {
  const readKept = async (keeper: ReportKeeper): Promise<SettlementState> => {
    const { account } = parseCreditCallKey(paymentKey);
    return (await isKept(id, keeper, account)) ? 'settled' : 'unsettled';
  };
  const read = async (): Promise<SettlementState> => {
    if (keptBy !== undefined) return readKept(keptBy);
    return shard === CREDIT_SHARD
      ? readCreditReportState(credits, id, paymentKey)
      : open(shard).resultState(paymentKey);
  };
  return runOrUnavailable<SettlementState | 'unavailable'>(read, 'unavailable');
}
