/** Why a file is not imported. Nothing of it, and nothing of the files beside it, is kept. */
export const importRefusals = [
  'empty_file',
  'too_many_bytes',
  'too_many_rows',
  'too_many_files',
  'cell_too_long',
  'zip_file',
  'html_file',
  'not_text',
  'malformed_csv',
  'several_tables',
  'unknown_format',
  'missing_columns',
  'other_export',
  'wrong_row',
  'wrong_number',
  'wrong_date',
  'wrong_url',
  'conflicting_rows',
  'no_ai_channel',
  'same_table_twice',
  'nothing_to_read',
] as const;
export type ImportRefusalReason = (typeof importRefusals)[number];

/** `message` is a sentence, `detail` more of it, a line each; both may hold text of the file. */
export type ImportRefusal = {
  ok: false;
  reason: ImportRefusalReason;
  file: string;
  message: string;
  detail: readonly string[];
};

/** Thrown within a reader; `importFiles` turns it into a refusal. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
  readonly reason: ImportRefusalReason;
  readonly detail: readonly string[];
  constructor(reason: ImportRefusalReason, message: string, detail: readonly string[] = []) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

/** Most characters of a cell that a refusal quotes. */
const QUOTED_CHARS = 80;

/** A text of the file inside a sentence. */
export const quoteCell = (text: string): string =>
  `"${text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}…` : text}"`;
