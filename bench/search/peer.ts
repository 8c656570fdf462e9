import MiniSearch from 'minisearch';
import { type Chunked, type Found, RESULTS, type Side } from './workload.ts';

type Row = { id: number; page: string; title: string; text: string };
type PeerSide = Exclude<Side, 'ours'>;

const SETTINGS: Readonly<Record<PeerSide, object>> = {
  plain: {},
  wide: { prefix: true, fuzzy: 0.2, boost: { title: 2 } },
};

/** minisearch with what it needs to show a chunk. Its titles are the headings that a chunk stands below, title first. */
export function freshPeer() {
  const index = new MiniSearch<Row>({ fields: ['title', 'text'], storeFields: ['page', 'text'] });
  let rows = 0;
  return {
    add: (documents: readonly Pick<Chunked, 'page' | 'title' | 'chunks'>[]): void => {
      const all = documents.flatMap(({ page, title, chunks }) =>
        chunks.map(({ text, heading }) => ({ id: (rows += 1), page, title: heading === '' ? title : heading, text })),
      );
      index.addAll(all);
    },
    ask: (question: string, side: PeerSide): Found[] =>
      index
        .search(question, SETTINGS[side])
        .slice(0, RESULTS)
        .map((row) => ({ page: String(row['page']), text: String(row['text']) })),
  };
}
