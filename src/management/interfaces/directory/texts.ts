import { isText, getMember, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';

/** A text member of a body; '' where it is missing or of another type. */
export function textOf(body: JsonObject, name: string): string {
  const value = getMember(body, name);
  return isText(value) ? value : '';
}

/** @throws Refusal 400 `Invalid Input: <name>` for a text that is longer than allowed (characters) */
export function requireShortTexts(body: JsonObject, limits: Readonly<Record<string, number>>): void {
  for (const [name, maxChars] of Object.entries(limits)) {
    if (textOf(body, name).length > maxChars) throw vendorRefusals.invalidInput(name);
  }
}
