import type { Dropped, NotKept } from './wire.ts';

const NONE: Dropped = { lines: 0, spans: 0 };

/**
 * What a port says of a batch. It is another Worker's, maybe of another version: what is no number of records says that
 * all were kept.
 */
export function notKeptIn(answer: unknown): NotKept {
  if (answer === 'all') return answer;
  if (typeof answer !== 'object' || answer === null) return NONE;
  const { lines, spans } = answer as Readonly<Record<string, unknown>>; // Its members can be looked at.
  return { lines: countIn(lines), spans: countIn(spans) };
}

const countIn = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
