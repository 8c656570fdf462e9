import { createRecord, type LineOutcome, type LogRecord, type ReadLine, type UnreadableReason } from '../record.ts';
import { createAlbReader } from './alb.ts';
import { createCloudFrontReader } from './cloudfront.ts';
import { createCombinedReader } from './combined.ts';
import type { LogFormat } from './formats-data.ts';
import {
  createCaddyReader,
  createCloudflareReader,
  createNginxJsonReader,
  createVercelReader,
} from './json-readers.ts';

/**
 * A reader of each format, made anew for each file. Where two read as many lines of a beginning, the first is taken: the
 * general ones come last.
 */
export const readerMakers: Readonly<Record<LogFormat, () => ReadLine>> = {
  combined: createCombinedReader,
  cloudfront: createCloudFrontReader,
  alb: createAlbReader,
  cloudflare: createCloudflareReader,
  caddy: createCaddyReader,
  vercel: createVercelReader,
  'nginx-json': createNginxJsonReader,
};

/** Longest line that is read, in bytes; a longer one is counted and never held. */
export const MAX_LINE_BYTES = 65_536;
/** Lines by which the format is found; where none can be read, the next ones decide. */
export const DETECTED_LINES = 20;

/** What became of the lines of one file. Empty lines are no lines. */
export type LineCounts = {
  lines: number;
  requests: number;
  other: number;
  unreadable: Record<UnreadableReason, number>;
  /** Requests without a time, or with one that does not exist. */
  undated: number;
  /** Undefined while no line could be read. */
  format: LogFormat | undefined;
};

export type LogReader = {
  /** The next part of the file as a byte string; it may end anywhere. */
  push: (text: string) => void;
  /** The end of the file: its last line needs no line end. */
  end: () => void;
  counts: LineCounts;
};

const createCounts = (format: LogFormat | undefined): LineCounts => ({
  lines: 0,
  requests: 0,
  other: 0,
  unreadable: { too_long: 0, binary: 0, incomplete: 0, shape: 0 },
  undated: 0,
  format,
});

/** Reads one file of any size: the record is the same object every time, for `use` to read and not to keep. */
export function createLogReader(use: (record: LogRecord) => void, format?: LogFormat): LogReader {
  const counts = createCounts(format);
  const record = createRecord();
  let read = format === undefined ? undefined : readerMakers[format]();
  let first: string[] = [];

  const decide = (): void => {
    const lines = first;
    first = [];
    const found = detectFormat(lines);
    if (found !== undefined) {
      counts.format = found;
      read = readerMakers[found]();
    }
    for (const line of lines) count(line, read === undefined ? 'shape' : read(line, record));
  };
  const count = (line: string, outcome: LineOutcome): void => {
    counts.lines += 1;
    if (outcome === 'request') {
      counts.requests += 1;
      if (record.atMs === undefined) counts.undated += 1;
      use(record);
    } else if (outcome === 'other') counts.other += 1;
    else counts.unreadable[outcome === 'too_long' || !hasControls(line) ? outcome : 'binary'] += 1;
  };
  const take = (line: string): void => {
    if (read !== undefined) count(line, read(line, record));
    else if (first.push(line) >= DETECTED_LINES) decide();
  };
  const { push, end } = createLineSplitter(take, () => count('', 'too_long'));
  return {
    counts,
    push,
    end: () => {
      end();
      if (first.length > 0) decide();
    },
  };
}

/** Hands on each line that is not empty, without its end. */
function createLineSplitter(
  take: (line: string) => void,
  refuse: () => void,
): { push: LogReader['push']; end: () => void } {
  let rest = '';
  let [isTooLong, isFirst] = [false, true];
  const finishLine = (line: string): void => {
    if (isTooLong || line.length > MAX_LINE_BYTES + 1) refuse();
    else {
      const whole = line.charCodeAt(line.length - 1) === CARRIAGE_RETURN ? line.slice(0, -1) : line;
      if (whole.length > MAX_LINE_BYTES) refuse();
      else if (whole !== '' && (whole.charCodeAt(0) > SPACE || whole.trim() !== '')) take(whole);
    }
    isTooLong = false;
  };
  const push = (text: string): void => {
    let at = isFirst && text.startsWith(MARK) ? MARK.length : 0;
    isFirst = false;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      if (rest === '' && !isTooLong) finishLine(text.slice(at, end));
      else {
        finishLine(rest + text.slice(at, end));
        rest = '';
      }
      at = end + 1;
    }
    if (isTooLong || rest.length + text.length - at > MAX_LINE_BYTES + 1) {
      isTooLong = true;
      rest = '';
    } else rest += text.slice(at);
  };
  const end = (): void => {
    if (isTooLong || rest !== '') finishLine(rest);
    rest = '';
  };
  return { push, end };
}

const CARRIAGE_RETURN = 13;
const SPACE = 32;
/** The byte order mark of UTF-8, as bytes. */
const MARK = '\u00EF\u00BB\u00BF';

/** Controls that no log writes in its lines; a tab is one of some formats. */
function hasControls(line: string): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code < 32 && code !== 9) return true;
  }
  return false;
}

/** The format that reads the most of these lines as requests, comments next; undefined where none reads any. */
function detectFormat(lines: readonly string[]): LogFormat | undefined {
  const scratch = createRecord();
  let best: { format: LogFormat; score: number } | undefined;
  for (const [format, make] of Object.entries(readerMakers) as [LogFormat, () => ReadLine][]) {
    const read = make();
    let score = 0;
    for (const line of lines) {
      const outcome = read(line, scratch);
      score += outcome === 'request' ? 1 : outcome === 'other' ? OTHER_SCORE : 0;
    }
    if (score > (best?.score ?? 0)) best = { format, score };
  }
  return best?.format;
}

/** Less than a request for every line: comments alone decide only where nothing else is there. */
const OTHER_SCORE = 0.01;
