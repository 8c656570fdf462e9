import { type LimitsReader, parseServiceLimits, type ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import type { Env } from './env.ts';

/** Where the operator's limits are, as the control Worker last handed them over. No lifecycle rule is for it. */
const KEY = 'settings/limits.json';

/** With the time that a change takes to come here, it is felt within half a minute. */
const MAX_AGE_MS = 20_000;

/** Stores the limits that the operator's preferences set, where they are not what is stored. */
export async function storeLimits({ REPORTS }: Pick<Env, 'REPORTS'>, given: unknown): Promise<void> {
  const text = JSON.stringify(parseServiceLimits(given));
  const stored = await REPORTS.get(KEY);
  if (stored !== null && (await stored.text()) === text) return;
  await REPORTS.put(KEY, text, { httpMetadata: { contentType: 'application/json' } });
}

async function readStoredLimits(reports: R2Bucket): Promise<ServiceLimits> {
  const stored = await reports.get(KEY);
  return stored === null ? {} : parseServiceLimits(await stored.json());
}

const readers = new WeakMap<R2Bucket, LimitsReader>();

/** One for all requests of an isolate, which remembers what it read. */
export function getLimitsReader({ REPORTS }: Pick<Env, 'REPORTS'>): LimitsReader {
  const known = readers.get(REPORTS);
  if (known !== undefined) return known;
  const reader = { read: () => readStoredLimits(REPORTS), maxAgeMs: MAX_AGE_MS };
  readers.set(REPORTS, reader);
  return reader;
}
