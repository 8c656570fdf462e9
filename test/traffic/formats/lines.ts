import type { LogFormat } from '../../../src/traffic/formats/formats-data.ts';
import { createLogReader, type LineCounts } from '../../../src/traffic/formats/log-reader.ts';
import type { LogRecord } from '../../../src/traffic/record.ts';

/** A text as a file has it: its UTF-8 bytes, a character each. */
export const toByteString = (text: string): string => Buffer.from(text).toString('latin1');

/** What a file of this text comes to, read in pieces of so many characters. */
export function readText(
  text: string,
  { format, piece = text.length }: { format?: LogFormat; piece?: number } = {},
): { records: readonly LogRecord[]; counts: LineCounts } {
  const records: LogRecord[] = [];
  const reader = createLogReader((record) => records.push({ ...record }), format);
  const bytes = toByteString(text);
  for (let at = 0; at < bytes.length; at += Math.max(1, piece)) reader.push(bytes.slice(at, at + Math.max(1, piece)));
  reader.end();
  return { records, counts: reader.counts };
}
