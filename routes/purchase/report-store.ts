import * as z from 'zod';
import { hexOf } from '../../src/payment/bytes.ts';

/** How long a stored result can be read, in days. */
export const REPORT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Where the payment of a report is kept: the result opens only when the ledger says `settled`. */
const metadata = z.object({ paymentKey: z.string(), shard: z.string().regex(/^[0-9a-f]{2}$/), capability: z.string() });
export type ReportMetadata = z.infer<typeof metadata>;

export type StoredReport = { json: string; storedAtMs: number } & ReportMetadata;

/** Results by report id (32 hex digits of randomness). They are stored without payment data (rule P28). */
export type ReportStore = {
  put: (reportId: string, json: string, about: ReportMetadata) => Promise<void>;
  get: (reportId: string) => Promise<StoredReport | undefined>;
  delete: (reportId: string) => Promise<void>;
};

export function reportStore(bucket: R2Bucket, now: () => number): ReportStore {
  return {
    put: async (reportId, json, about) => {
      await bucket.put(pathOf(reportId), json, {
        httpMetadata: { contentType: 'application/json' },
        customMetadata: about,
      });
    },
    get: async (reportId) => {
      const object = await bucket.get(pathOf(reportId));
      if (!object) return undefined;
      const storedAtMs = object.uploaded.getTime();
      if (now() - storedAtMs > REPORT_DAYS * DAY_MS) return undefined;
      return { json: await object.text(), storedAtMs, ...metadata.parse(object.customMetadata) };
    },
    delete: (reportId) => bucket.delete(pathOf(reportId)),
  };
}

const pathOf = (reportId: string): string => `reports/${reportId}.json`;

/** 128 random bits as 32 hex digits: the only key to a report (rule P11). */
export const newReportId = (): string => hexOf(crypto.getRandomValues(new Uint8Array(16)));
