import { isText, type Json } from '../../../lib/json.ts';

/** @see https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#LogSeverity */
export const SEVERITY_RANKS: Readonly<Record<string, number>> = {
  DEFAULT: 0,
  DEBUG: 100,
  INFO: 200,
  NOTICE: 300,
  WARNING: 400,
  ERROR: 500,
  CRITICAL: 600,
  ALERT: 700,
  EMERGENCY: 800,
};

const RANKS: readonly number[] = Object.values(SEVERITY_RANKS);
const INTEGER = /^\d{1,9}$/;

/** The rank of a severity's name, in capitals: 0 (DEFAULT) for none and for an unknown one. */
export const getSeverityRank = (name: string | undefined): number =>
  name !== undefined && Object.hasOwn(SEVERITY_RANKS, name) ? (SEVERITY_RANKS[name] ?? 0) : 0;

/** The rank of an entry's severity, which is one of the nine: by name or number. */
export function readSeverityRank(value: Json): number {
  if (isText(value)) return getSeverityRank(value.toUpperCase());
  return typeof value === 'number' && RANKS.includes(value) ? value : 0;
}

/** The number that a filter's value for a severity means: a name in any letter case, or a number. */
export function parseSeverityRank(text: string): number | undefined {
  const name = text.toUpperCase();
  if (Object.hasOwn(SEVERITY_RANKS, name)) return SEVERITY_RANKS[name];
  return INTEGER.test(text) ? Number(text) : undefined;
}
