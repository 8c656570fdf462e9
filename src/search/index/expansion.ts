import type { Sql } from '../../lib/sqlite.ts';
import type { NewChunk } from './item.ts';
import { CHUNK_NUMBERS } from './tables.ts';

type Piece = Pick<NewChunk, 'text' | 'startByte' | 'endByte'>;

const AROUND = 'SELECT start_byte, end_byte, text FROM chunk WHERE id BETWEEN ? AND ? ORDER BY id';

/** The text of a chunk with that of so many before and behind it in its item; what they share is there once. */
export function expandedText(sql: Sql, chunk: number, expansion: number): string {
  const position = chunk % CHUNK_NUMBERS;
  const first = chunk - Math.min(position, expansion);
  const last = chunk + Math.min(CHUNK_NUMBERS - 1 - position, expansion);
  const rows = sql.exec(AROUND, first, last).toArray();
  return joined(
    rows.map((row) => ({
      text: String(row['text']),
      startByte: Number(row['start_byte']),
      endByte: Number(row['end_byte']),
    })),
  );
}

/** Texts in their order as one; a line break stands where something between them is in none. */
export function joined(pieces: readonly Piece[]): string {
  let end: number | undefined;
  const texts: string[] = [];
  for (const { text, startByte, endByte } of pieces) {
    if (end === undefined) texts.push(text);
    else if (startByte > end) texts.push('\n', text);
    else if (endByte > end) texts.push(behind(text, end - startByte));
    end = Math.max(end ?? 0, endByte);
  }
  return texts.join('');
}

const behind = (text: string, bytes: number): string =>
  bytes === 0
    ? text
    : new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(
        new TextEncoder().encode(text).subarray(bytes),
      );
