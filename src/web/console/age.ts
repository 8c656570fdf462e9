const HOUR_MS = 3_600_000;

/** How far back a search looks. */
export const SINCE = [
  { value: 'hour', text: 'Last hour', ms: HOUR_MS },
  { value: 'day', text: 'Last 24 hours', ms: 24 * HOUR_MS },
  { value: 'week', text: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
] as const;

export type Since = (typeof SINCE)[number]['value'];
