/**
 * Counts what matchers do, so that one call does not hold up its object (rule K9). A unit is some ten nanoseconds: looking
 * at a character of a regular expression's text, or at eight of a plain one. Beyond the limit it throws.
 */
export type Meter = { spent: number; limit: number };

/** A filter takes more work than its call may: thrown by matchers whose meter has a limit. */
export class FilterTooSlow extends Error {
  constructor() {
    super('A filter takes more work than a call may');
    this.name = 'FilterTooSlow';
  }
}

export const createMeter = (limit = Number.POSITIVE_INFINITY): Meter => ({ spent: 0, limit });

/** Begins to count anew. */
export function resetMeter(meter: Meter, limit: number): void {
  meter.spent = 0;
  meter.limit = limit;
}

/** Does work within a limit: what its filters do is counted from its beginning. Outside of it they have none. */
export function runWithLimit<T>(meters: Iterable<Meter>, limit: number, work: () => T): T {
  const all = [...meters];
  for (const meter of all) resetMeter(meter, limit);
  try {
    return work();
  } finally {
    for (const meter of all) resetMeter(meter, Number.POSITIVE_INFINITY);
  }
}

/** @throws FilterTooSlow */
export function spend(meter: Meter, units: number): void {
  meter.spent += units;
  if (meter.spent > meter.limit) throw new FilterTooSlow();
}
