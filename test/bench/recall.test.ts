import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readPages } from '../../bench/search/pages.ts';
import { freshPeer } from '../../bench/search/peer.ts';
import { answers, questions } from '../../bench/search/questions.ts';
import { type Found, itemOf, queryOf } from '../../bench/search/workload.ts';
import { searchStore } from '../../src/search/index/store.ts';
import { memorySqlite } from '../support/management/sqlite.ts';

const pages = await readPages();

/** How many of the 200 questions have an answer among five chunks. */
const answered = (ask: (question: string) => readonly Found[]): number =>
  questions.filter((one) => ask(one.question).some((passage) => answers(one, passage))).length;

describe.skipIf(pages === undefined)('of 200 questions about saved pages, where these are at hand,', () => {
  test('the index answers at least as many by words alone as minisearch does on the same chunks', () => {
    const random = (bytes: number): string => randomBytes(bytes).toString('hex');
    const store = searchStore({ ...memorySqlite(), now: () => 0, random, databaseBytes: () => 0 });
    const peer = freshPeer();
    for (const { page, title, text, chunks } of pages ?? []) {
      expect(store.putItem(itemOf({ key: page, title, text }), chunks).ok).toBe(true);
      peer.add([{ page, title, chunks }]);
    }
    const ours = answered((question) =>
      store.search(queryOf(question)).map(({ text, item }) => ({ page: item.key, text })),
    );
    const theirs = answered((question) => peer.ask(question, 'plain'));
    expect(theirs).toBeGreaterThanOrEqual(150);
    expect(ours).toBeGreaterThanOrEqual(theirs);
  });
});
