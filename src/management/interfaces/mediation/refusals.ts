import { Refusal } from '../../../lib/refusal.ts';
import { refuseViolations, truncateSentText } from '../../core/conventions/invalid.ts';

/** 400 for a field, with what is wrong with it: `must be ...`. */
export const refuseMediationField = (field: string, why: string): Refusal =>
  new Refusal(refuseViolations([{ field, description: `Invalid value for ${field}: ${why}.` }]));

/** 400 for a filter, with what is wrong with it. */
export const refuseMediationFilter = (why: string): Refusal => refuseMediationField('filter', why);

/** 400 for an update mask that cannot be read from a place on. */
export const refuseUnreadableMask = (text: string, at: number): Refusal =>
  refuseMediationField(
    'update_mask',
    `${JSON.stringify(truncateSentText(text.slice(at)))} at character ${at + 1} is no field path`,
  );
