/**
 * One request as a log has it. Texts are byte strings: each character is a byte of the log, so that only what is kept
 * has to be decoded. Readers write into one record again and again; who keeps a text copies it.
 */
export type LogRecord = {
  address: string;
  /** Unix milliseconds; undefined where the log names no time, or one that does not exist. */
  atMs: number | undefined;
  method: string;
  /** Path and query, as logged. */
  path: string;
  /** The host that was asked for, where the log names it. */
  host?: string | undefined;
  status: number | undefined;
  bytes: number | undefined;
  referrer: string;
  userAgent: string;
};

export const createRecord = (): LogRecord => ({
  address: '',
  atMs: undefined,
  method: '',
  path: '',
  host: undefined,
  status: undefined,
  bytes: undefined,
  referrer: '',
  userAgent: '',
});

/**
 * What a line turned out to be. `other`: a line that is whole and no request, such as a comment or an entry about a
 * start of the server. The rest are reasons why a line could not be read.
 */
export const unreadableReasons = ['too_long', 'binary', 'incomplete', 'shape'] as const;
export type UnreadableReason = (typeof unreadableReasons)[number];
export type LineOutcome = 'request' | 'other' | UnreadableReason;

/** Reads one line, without its end, into a record. Never throws; the record means something only after `request`. */
export type ReadLine = (line: string, into: LogRecord) => LineOutcome;
