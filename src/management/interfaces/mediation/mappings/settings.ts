import { shownText } from '../../../core/conventions/invalid.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import type { Adapter } from '../adapters.ts';
import { invalidField } from '../rows.ts';
import { requireShort } from '../texts.ts';

/** Characters of one value. */
const MAX_VALUE_CHARS = 1_024;

/**
 * The `adUnitConfigurations` of a mapping, judged by what its adapter asks for.
 * @throws Refusal 400 for a key that the adapter has not, an empty or long value, a required key that is missing
 */
export function judgedSettings(sent: Json | undefined, adapter: Adapter, field: string): JsonObject {
  const values = isObject(sent) ? sent : {};
  for (const [key, value] of Object.entries(values)) {
    if (!adapter.settings.some(({ id }) => id === key))
      throw invalidField(field, `"${shownText(key)}" is none of ${knownKeys(adapter)}`);
    if (!isText(value) || value.trim() === '') throw invalidField(field, `the value of "${key}" is empty`);
    requireShort(value, field, MAX_VALUE_CHARS);
  }
  const missing = adapter.settings.find(({ id, isRequired }) => isRequired && !Object.hasOwn(values, id));
  if (missing !== undefined) throw invalidField(field, `"${missing.id}" (${missing.label}) is missing`);
  return { ...values };
}

const knownKeys = ({ id, settings }: Adapter): string =>
  `the settings of adapter ${id}: ${settings.map((setting) => setting.id).join(', ')}`;
