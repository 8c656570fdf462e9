import { DurableObject } from 'cloudflare:workers';
import { bytesToHex } from '@noble/hashes/utils';
import { splitIntoChunks } from '../../src/search/ingest/indexed-file.ts';
import { type SearchStore, searchStore } from '../../src/search/index/store.ts';
import { freshPeer } from './peer.ts';
import { CHUNKS, type Chunked, type Document, type Found, itemOf, queryOf, type Side } from './workload.ts';

/** Both engines in one object: ours over its SQLite on disk, the peer in memory. */
export class Engines extends DurableObject<unknown> {
  readonly #ours: SearchStore;
  /** The same database, in which no index counts as small: SQLite's BM25 ranks alone. */
  readonly #ranked: SearchStore;
  #peer = freshPeer();
  #documents: readonly Document[] = [];
  #questions: readonly string[] = [];

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    const { sql } = ctx.storage;
    const tools: Parameters<typeof searchStore>[0] = {
      sql,
      transaction: (work) => ctx.storage.transactionSync(work),
      now: () => Date.now(),
      random: (bytes) => bytesToHex(crypto.getRandomValues(new Uint8Array(bytes))),
      databaseBytes: () => sql.databaseSize,
    };
    this.#ours = searchStore(tools);
    this.#ranked = searchStore({ ...tools, smallChunks: 0 });
  }

  prepare(documents: readonly Document[], questions: readonly string[]): void {
    this.#documents = documents;
    this.#questions = questions;
  }

  empty(side: Side): void {
    if (side === 'ours') this.#ours.reset();
    else this.#peer = freshPeer();
  }

  /** Cuts the documents and puts them into an index, under names of this copy. Another checksum indexes them again. */
  fill(side: Side, copy: number, checksum = ''): void {
    const documents = this.#documents.map((document) => chunked(document, copy));
    if (side === 'ours') for (const document of documents) this.#put(document, checksum);
    else this.#peer.add(documents);
  }

  #put({ key, title, text, chunks }: Chunked, checksum: string): void {
    const item = itemOf({ key, title, text });
    const outcome = this.#ours.putItem({ ...item, checksum: `${item.checksum} ${checksum}` }, chunks);
    if (!outcome.ok) throw new Error(outcome.message);
  }

  /** What each question finds. */
  found(side: Side): Found[][] {
    return this.#questions.map((question) => this.#ask(side, question));
  }

  /** All questions, some times over. @returns how many chunks were found */
  searchAll(side: Side, times: number): number {
    let chunks = 0;
    for (let time = 0; time < times; time += 1)
      for (const question of this.#questions) chunks += this.#ask(side, question).length;
    return chunks;
  }

  /** All questions of a small index, some times over, ranked by our BM25 or by SQLite's. */
  searchSmall(by: 'own' | 'sqlite', times: number): number {
    const store = by === 'own' ? this.#ours : this.#ranked;
    let chunks = 0;
    for (let time = 0; time < times; time += 1)
      for (const question of this.#questions) chunks += store.search(queryOf(question)).length;
    return chunks;
  }

  #ask(side: Side, question: string): Found[] {
    if (side !== 'ours') return this.#peer.ask(question, side);
    return this.#ours
      .search(queryOf(question))
      .map(({ text, item, score }) => ({ page: pageOf(item.key), text, score }));
  }

  chunks(): number {
    return this.#ours.stats().chunks;
  }

  /** Bytes of the database. */
  bytes(): number {
    return this.ctx.storage.sql.databaseSize;
  }
}

const chunked = (document: Document, copy: number): Chunked => ({
  ...document,
  key: `${copy}/${document.page}`,
  chunks: splitIntoChunks(document.text, { ...CHUNKS, title: document.title }),
});

const pageOf = (key: string): string => key.slice(key.indexOf('/') + 1);

type Ask = { call: string; args: readonly unknown[] };
type Named = { getByName: (name: string) => Record<string, (...args: readonly unknown[]) => Promise<unknown>> };

/** Passes a question on to the only object. */
export default {
  async fetch(request: Request, env: { ENGINES: Named }): Promise<Response> {
    if (request.method !== 'POST') return new Response('ok');
    const { call, args } = (await request.json()) as Ask;
    return Response.json((await env.ENGINES.getByName('bench')[call]?.(...args)) ?? null);
  },
};
