import { isText } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { DAY_MS, formatIsoTimestamp } from '../../../lib/time.ts';
import type { Call, Context } from '../../core/engine/operation.ts';

/** The vendor has reports of 15 months. */
const MAX_AGE_MS = 450 * DAY_MS;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const PARAMETER = /^[a-z0-9_]{1,64}:[A-Za-z0-9_]{1,128}$/;
const MAX_PARAMETERS = 200;

/**
 * The day of a report. The last one is yesterday's, and a later day is refused in the words that clients look for to ask
 * for that one.
 * @throws Refusal 400
 */
export function requireReportDate({ path }: Call, context: Context): string {
  const { date = '' } = path;
  const dayMs = DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(dayMs) || !formatIsoTimestamp(dayMs).startsWith(date))
    throw vendorRefusals.invalid(`Invalid date: it must be yyyy-mm-dd`);
  const last = formatIsoTimestamp(context.now() - DAY_MS).slice(0, 10);
  if (date > last)
    throw vendorRefusals.invalid(`Data for dates later than ${last} is not yet available. Please check back later`);
  if (dayMs < context.now() - MAX_AGE_MS) throw vendorRefusals.invalid('Data of this date is no longer available');
  return date;
}

/** Whether a parameter is asked for: all are where none is named. @throws Refusal 400 for what is no parameter's name */
export function readWantedParameters({ query }: Call): (name: string) => boolean {
  const { parameters } = query;
  if (!isText(parameters) || parameters === '') return () => true;
  const names = parameters.split(',').map((name) => name.trim());
  if (names.length > MAX_PARAMETERS || !names.every((name) => PARAMETER.test(name)))
    throw vendorRefusals.invalid('Invalid parameters: each is an application, a colon and a name');
  return (name) => names.includes(name);
}
