/** PDFs of reports that were printed once: each form of a report costs one run of a browser. */
export type PdfStore = {
  get: (reportId: string) => Promise<ReadableStream | undefined>;
  put: (reportId: string, pdf: Uint8Array) => Promise<void>;
};

/** @param form of the PDFs: whatever of a page may differ between two of one report */
export function createPdfStore(bucket: R2Bucket, form: string): PdfStore {
  const buildPath = (reportId: string): string => `pdfs/${reportId}-${form}.pdf`;
  return {
    get: async (reportId) => (await bucket.get(buildPath(reportId)))?.body,
    put: async (reportId, pdf) => {
      await bucket.put(buildPath(reportId), pdf, { httpMetadata: { contentType: 'application/pdf' } });
    },
  };
}
