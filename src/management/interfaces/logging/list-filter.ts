import type { Call } from '../../core/engine/operation.ts';
import { matcherOf, parseFilter } from '../../core/filter/index.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { invalidField, MAX_FILTER_CHARS, textOf } from './texts.ts';

/**
 * What the `filter` of a list of resources lets through (AIP-160): judged on them as they are shown.
 * @throws Refusal for a text that is no filter
 */
export function requireListFilter(call: Call): (resource: JsonObject) => boolean {
  const text = textOf(call.query['filter']);
  if (text.length > MAX_FILTER_CHARS)
    throw invalidField('filter', `filter has more than ${MAX_FILTER_CHARS} characters.`);
  const parsed = parseFilter(text, { profile: 'aip' });
  if (parsed.ok) return matcherOf(parsed.filter, { isLogEntry: false });
  throw invalidField('filter', `Unparseable filter: ${parsed.message} (at character ${parsed.at})`);
}
