import { isText, type Json } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { invalidField } from './texts.ts';

/** Of a description of anything (the vendor's documents). */
export const MAX_DESCRIPTION_CHARS = 8_000;

/** 429 RESOURCE_EXHAUSTED: one more than a container or bucket may have. */
export const exhausted = (message: string): Refusal =>
  new Refusal({ status: 429, word: 'RESOURCE_EXHAUSTED', reason: 'limitExceeded', message });

/** @throws Refusal for a description that is too long */
export function requireDescription(description: Json | undefined): void {
  if (isText(description) && description.length > MAX_DESCRIPTION_CHARS)
    throw invalidField('description', `description has more than ${MAX_DESCRIPTION_CHARS} characters.`);
}
