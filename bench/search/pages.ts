import type { NewChunk } from '../../src/search/index/item.ts';
import { splitIntoChunks } from '../../src/search/ingest/indexed-file.ts';
import { extractPdfText } from '../../src/search/pdf/text.ts';
import { readFileText } from '../../src/search/ingest/text-of.ts';
import { readCorpus } from '../audit/corpus.ts';
import { CHUNKS } from './workload.ts';

/** A saved page as it is indexed: Markdown, and its chunks. */
export type Page = { page: string; title: string; text: string; chunks: readonly NewChunk[] };

/** The saved pages that have text; undefined when they are not on this machine. */
export async function readPages(): Promise<readonly Page[] | undefined> {
  const corpus = readCorpus();
  if (!corpus) return undefined;
  const pages: Page[] = [];
  for (const { page, body } of corpus) {
    const read = await readFileText(
      { key: page, type: 'text/html', bytes: new TextEncoder().encode(body) },
      extractPdfText,
    );
    if (!read.ok) continue;
    const { title, text } = read;
    pages.push({ page, title, text, chunks: splitIntoChunks(text, { ...CHUNKS, title }) });
  }
  return pages;
}
