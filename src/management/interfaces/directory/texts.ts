import { type JsonObject, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';

/** @throws Refusal 400 `Invalid Input: <name>` for a text that is longer than allowed (characters) */
export function requireShortTexts(body: JsonObject, limits: Readonly<Record<string, number>>): void {
  for (const [name, maxChars] of Object.entries(limits)) {
    if (getTextMember(body, name).length > maxChars) throw vendorRefusals.invalidInput(name);
  }
}
