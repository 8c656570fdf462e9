import { drawReportCard } from '../../capabilities/published/card.ts';
import type { PublishedEntry } from '../../capabilities/published/history.ts';

/** Pictures of published reports: drawn when one is published, and deleted when it is taken back. */
export type CardStore = {
  get: (reportId: string) => Promise<ReadableStream | undefined>;
  /** @param host the site's key */
  draw: (host: string, entry: PublishedEntry) => Promise<void>;
  delete: (reportId: string) => Promise<void>;
};

const buildCardPath = (reportId: string): string => `cards/${reportId}.png`;

export const createCardStore = (bucket: R2Bucket): CardStore => ({
  get: async (reportId) => (await bucket.get(buildCardPath(reportId)))?.body,
  draw: async (host, entry) => {
    const picture = await drawReportCard(host, entry);
    await bucket.put(buildCardPath(entry.reportId), picture, { httpMetadata: { contentType: 'image/png' } });
  },
  delete: (reportId) => bucket.delete(buildCardPath(reportId)),
});
