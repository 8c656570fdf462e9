import type { Interface } from '../core/engine/operation.ts';
import type { Sql } from '../../lib/sqlite.ts';
import { textIn } from './settings.ts';
import { isSaved } from './snapshot-rows.ts';

/** Rows and characters that are read at once. */
const PAGE_ROWS = 1_000;
const PAGE_CHARS = 1_000_000;

const ROWS = `SELECT collection, parent, id, s1, s2, s3, ref, json FROM resource
  WHERE (collection, parent, id) > (?, ?, ?) ORDER BY collection, parent, id LIMIT ${PAGE_ROWS}`;
const NAMES = `SELECT namespace, name, collection, parent, id, is_primary FROM name
  WHERE (namespace, name) > (?, ?) ORDER BY namespace, name LIMIT ${PAGE_ROWS}`;

/** Every resource and name that a snapshot holds, a line each, in the order of their keys (rule K3: no credentials). */
export function* savedLines(sql: Sql, interfaces: readonly Interface[]): Generator<string> {
  for (const row of pages(sql, ROWS, ['collection', 'parent', 'id'])) {
    if (!isSaved(String(row['collection']), interfaces)) continue;
    const { collection, parent, id, s1, s2, s3, ref, json } = row;
    yield JSON.stringify(['row', collection, parent, id, s1, s2, s3, ref, json]);
  }
  for (const row of pages(sql, NAMES, ['namespace', 'name'])) {
    if (!isSaved(String(row['collection']), interfaces)) continue;
    const { namespace, name, collection, parent, id, is_primary: primary } = row;
    yield JSON.stringify(['name', namespace, name, collection, parent, id, primary]);
  }
}

/** All rows of a query that goes on after a key: read page by page, so that writing in between disturbs nothing. */
function* pages(sql: Sql, query: string, key: readonly string[]): Generator<Record<string, unknown>> {
  let after = key.map(() => '');
  for (;;) {
    const page = onePage(sql, query, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = key.map((column) => String(last[column]));
  }
}

function onePage(sql: Sql, query: string, after: readonly string[]): Record<string, unknown>[] {
  const page: Record<string, unknown>[] = [];
  let chars = 0;
  for (const row of sql.exec(query, ...after)) {
    page.push(row);
    chars += textIn(row['json'] ?? '').length;
    if (chars > PAGE_CHARS) break;
  }
  return page;
}
