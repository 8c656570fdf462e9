import type { JsonObject } from '../../lib/json.ts';
import type { SinkTarget } from './order.ts';

/** An entry where a sink sent it: one that was written is placed once a bucket, and once for each sink to a webhook. */
export type PlacedEntry = {
  /** Full name of the bucket that keeps it; undefined for the other targets. */
  bucket?: string;
  target: SinkTarget;
  /** Full name of the sink that sent it. */
  sink: string;
  /** The container of its log name: `projects/p`. */
  container: string;
  /** In its one form: `projects/p/logs/a%2Fb`. */
  logName: string;
  /** RFC 3339 in UTC with nine digits of a second: 30 characters, which sort as time does. */
  ts: string;
  insertId: string;
  /** 0, 100 ... 800. */
  severity: number;
  /** As `entries:list` shows it. */
  entry: JsonObject;
};

/** Hears of what a call wrote, in its transaction: what it throws rolls the call back. */
export type PlacedListener = (placed: readonly PlacedEntry[]) => void;
