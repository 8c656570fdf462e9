import {
  type Dropped,
  type LineRecord,
  MAX_BATCH_RECORDS,
  MAX_LINE_CHARS,
  type NotKept,
  type SpanRecord,
} from './wire.ts';

/** Records of each sort that wait; further ones are left out and counted. */
export const MAX_WAITING_RECORDS = 1_000;
/** Of those places, so many are for what the service says of itself: the lines of mere requests leave them free. */
export const KEPT_PLACES = 250;
/** Characters of all waiting lines together. */
const MAX_WAITING_CHARS = 1_048_576;

export type TelemetryBatchContent = { lines: readonly LineRecord[]; spans: readonly SpanRecord[]; dropped: Dropped };

/** What waits to be sent. It never grows beyond its limits: what comes then is left out, and counted. */
export type RecordBuffer = {
  line: (record: LineRecord) => void;
  span: (record: SpanRecord) => void;
  size: () => number;
  /** Takes the oldest out, as many as go into a batch, and what was left out meanwhile. */
  take: () => TelemetryBatchContent;
  /** What was taken out and got lost counts as left out, and what was left out before it still does. */
  lost: (taken: TelemetryBatchContent, what: NotKept) => void;
};

export function recordBuffer(): RecordBuffer {
  let lines: LineRecord[] = [];
  let spans: SpanRecord[] = [];
  let chars = 0;
  let dropped: Dropped = { lines: 0, spans: 0 };
  const hasRoom = ({ line, http }: LineRecord): boolean =>
    line.length <= MAX_LINE_CHARS &&
    chars + line.length <= MAX_WAITING_CHARS &&
    lines.length < (http === undefined ? MAX_WAITING_RECORDS : MAX_WAITING_RECORDS - KEPT_PLACES);
  return {
    line: (record) => {
      if (!hasRoom(record)) dropped.lines += 1;
      else {
        lines.push(record);
        chars += record.line.length;
      }
    },
    span: (record) => {
      if (spans.length >= MAX_WAITING_RECORDS) dropped.spans += 1;
      else spans.push(record);
    },
    size: () => lines.length + spans.length,
    take: () => {
      const taken = { lines: lines.slice(0, MAX_BATCH_RECORDS), spans: spans.slice(0, MAX_BATCH_RECORDS), dropped };
      lines = lines.slice(MAX_BATCH_RECORDS);
      spans = spans.slice(MAX_BATCH_RECORDS);
      for (const { line } of taken.lines) chars -= line.length;
      dropped = { lines: 0, spans: 0 };
      return taken;
    },
    lost: (taken, what) => {
      const lost = what === 'all' ? countDropped(taken) : what;
      dropped.lines += lost.lines;
      dropped.spans += lost.spans;
    },
  };
}

/** What is lost with a batch: its records, and the word of those that were left out before. */
const countDropped = ({ lines, spans, dropped }: TelemetryBatchContent): Dropped => ({
  lines: lines.length + dropped.lines,
  spans: spans.length + dropped.spans,
});
