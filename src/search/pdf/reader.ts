import { getErrorName } from '../../lib/errors.ts';
import * as z from 'zod';
import { readAtMost } from '../../net/read-body.ts';

/** What all streams of one PDF may inflate to, with what is read to find that out. */
export const MAX_PDF_INFLATED = 16 * 1024 * 1024;
/** Characters that are kept of one PDF. */
export const MAX_PDF_CHARS = 4 * 1024 * 1024;
/** The longest answer: each character may be escaped. */
const MAX_ANSWER_BYTES = 6 * MAX_PDF_CHARS + 65_536;
/** How long an answer is waited for. The reader's own limit is one of the processor, which is met before that. */
const ANSWER_MS = 30_000;

const pdfText = z.union([z.object({ text: z.string(), title: z.string() }), z.enum(['unreadable', 'too_large'])]);

/** Text and title of a PDF. `unreadable`: it is broken or encrypted; `too_large`: reading it is more work than a file may be. */
export type PdfText = z.infer<typeof pdfText>;
/** Reads a PDF elsewhere. `took_too_long`: that ended before it was done, or could not be asked. Never throws. */
export type PdfReadingService = (bytes: Uint8Array) => Promise<PdfText | 'took_too_long'>;

/** The Worker that reads PDFs, as a service binding has it. */
export type PdfService = { fetch: (url: string, init: RequestInit) => Promise<Response> };

/** Whose PDF a call brings: where few are read at once, each has its turn. */
export const PDF_OWNER_HEADER = 'x-pdf-owner';

/**
 * Reads PDFs by the Worker that is there for it: the platform ends it where a file takes more of the processor than it may,
 * and nothing else ends with it.
 * @param owner id of the object of the instance that reads
 * @param log hears why there was no answer
 */
export function createServicePdfReader(
  service: PdfService,
  owner: string,
  log: (line: Record<string, unknown>) => void,
): PdfReadingService {
  return async (bytes) => {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const answer = await service.fetch('https://pdf.internal/', {
        method: 'POST',
        headers: { [PDF_OWNER_HEADER]: owner },
        body: new Uint8Array(bytes),
        signal,
      });
      const body = answer.status === 200 && answer.body ? await readAtMost(answer.body, MAX_ANSWER_BYTES) : undefined;
      if (body !== undefined) return pdfText.parse(JSON.parse(new TextDecoder().decode(body)));
      log({ event: 'search.pdf.ended', status: answer.status });
    } catch (error) {
      log({ event: 'search.pdf.ended', error: getErrorName(error) });
    }
    return 'took_too_long';
  };
}
