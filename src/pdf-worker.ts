import { WorkerEntrypoint } from 'cloudflare:workers';
import { readAtMost } from './net/read-body.ts';
import { MAX_FILE_BYTES } from './search/ingest/kinds-data.ts';
import { extractPdfText } from './search/pdf/text.ts';

/**
 * Reads one PDF a call: `POST` with its bytes, answered with what `extractPdfText` found, as JSON. It has a Worker of its own
 * because a PDF can be work without end: this Worker keeps nothing, so that the platform may end it at its `limits.cpu_ms`.
 */
export class PdfReader extends WorkerEntrypoint {
  override async fetch(request: Request): Promise<Response> {
    if (request.method !== 'POST' || request.body === null) return new Response(null, { status: 405 });
    const bytes = await readAtMost(request.body, MAX_FILE_BYTES);
    return bytes === undefined ? new Response(null, { status: 413 }) : Response.json(await extractPdfText(bytes));
  }
}

/** Nothing is open to the internet. */
export default { fetch: (): Response => new Response(null, { status: 404 }) };
