import { isText, type JsonObject } from '../../lib/json.ts';
import { byteLength } from '../core/engine/keys.ts';

/** Labels of one entry (the vendor's quota). */
const MAX_LABELS = 64;
/** The vendor cuts longer keys and values, and says so with an ellipsis. */
const MAX_KEY_BYTES = 512;
const MAX_VALUE_BYTES = 64 * 1_024;
const ELLIPSIS = '...';

/** The labels of an entry over those of its call. Undefined where there are more than an entry may have. */
export function labelsOf(given: JsonObject, own: JsonObject): JsonObject | undefined {
  const labels = new Map<string, string>();
  const all = [...Object.entries(given), ...Object.entries(own)];
  if (all.length === 0) return {};
  for (const [key, value] of all) if (isText(value)) labels.set(cut(key, MAX_KEY_BYTES), cut(value, MAX_VALUE_BYTES));
  return labels.size > MAX_LABELS ? undefined : Object.fromEntries(labels);
}

/** A text in so many bytes of UTF-8. */
function cut(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || byteLength(text) <= maxBytes) return text;
  const room = new Uint8Array(maxBytes - ELLIPSIS.length);
  const { read } = new TextEncoder().encodeInto(text, room);
  return `${text.slice(0, read)}${ELLIPSIS}`;
}
