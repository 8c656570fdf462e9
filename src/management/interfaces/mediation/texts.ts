import { isObject, isText, type JsonObject, memberOf } from '../../../lib/json.ts';
import { invalidField } from './rows.ts';

/** A text member; '' where it is missing or of another type. */
export function textIn(body: JsonObject, name: string): string {
  const value = memberOf(body, name);
  return isText(value) ? value : '';
}

/** The texts of a list; none where it is missing or of another type. */
export function textsIn(body: JsonObject, name: string): readonly string[] {
  const value = memberOf(body, name);
  return Array.isArray(value) ? value.filter(isText) : [];
}

/** A member that is an object; an empty one where it is missing or of another type. */
export function objectIn(body: JsonObject, name: string): JsonObject {
  const value = memberOf(body, name);
  return isObject(value) ? value : {};
}

/** A display name as it is kept. @throws Refusal 400 for an empty one, and for one that is longer */
export function requireName(text: string, field: string, maxChars: number): string {
  if (text.trim() === '') throw invalidField(field, 'it must not be empty');
  requireShort(text, field, maxChars);
  return text;
}

/** @throws Refusal 400 for a text of more characters; one that takes two places of a string is one */
export function requireShort(text: string, field: string, maxChars: number): void {
  const isLong = text.length > maxChars && (text.length > 2 * maxChars || Array.from(text).length > maxChars);
  if (isLong) throw invalidField(field, `it has more than ${maxChars} characters`);
}
