import { extractEmailLocalPart } from '../../../lib/email.ts';
import { getTextMember, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';

/** RFC 5321 section 4.5.3.1: maximum lengths of an address and of the part before its `@`. */
const MAX_EMAIL_CHARS = 254;
const MAX_LOCAL_CHARS = 64;
/** An address with a domain of two labels or more, without quotes and comments. */
const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;

/** Whether a text is an address of RFC 5321, in the plain form that directories use. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_CHARS && extractEmailLocalPart(text).length <= MAX_LOCAL_CHARS && EMAIL.test(text);
}

/** @throws Refusal 400 `Invalid Input: <name>` for a text that is longer than allowed (characters) */
export function requireShortTexts(body: JsonObject, limits: Readonly<Record<string, number>>): void {
  for (const [name, maxChars] of Object.entries(limits)) {
    if (getTextMember(body, name).length > maxChars) throw vendorRefusals.invalidInput(name);
  }
}
