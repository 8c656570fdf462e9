import { parentPort, workerData } from 'node:worker_threads';
import { extractPdfText } from '../../src/search/pdf/text.ts';

/** Reads the PDF that it was started with, answers, and is over: `pdf-service.ts` ends it where it takes too long. */
if (!(workerData instanceof Uint8Array)) throw new Error('Started without the bytes of a PDF');
const read = await extractPdfText(workerData);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
parentPort?.postMessage(read);
