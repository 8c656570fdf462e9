import { refuseViolations } from '../../core/conventions/invalid.ts';
import { Refusal } from '../../../lib/refusal.ts';

/** 400 for a field of a body, with what is wrong with it: `must be ...`. */
export const invalidField = (field: string, why: string): Refusal =>
  new Refusal(refuseViolations([{ field, description: `Invalid value for ${field}: it ${why}.` }]));

/** 429 for more than may be kept. */
export const exhausted = (message: string): Refusal =>
  new Refusal({ status: 429, word: 'RESOURCE_EXHAUSTED', reason: 'quotaExceeded', message });
