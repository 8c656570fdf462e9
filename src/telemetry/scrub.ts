import { ADDRESS, shownAddress } from './shown-address.ts';

/** What no log entry may hold (rule X9), and what stands in its place. Lines mostly hold words of our own: this is for messages of errors. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // Ids of reports and runs are bearers of what was bought. `{file}` is a template.
  [/\b(reports|runs)\/[^\s"'\\<>{}/][^\s"'\\<>]*/gi, '$1/...'],
  // Addresses of mail, of any domain.
  [/[^\s"'\\<>@,;:()[\]]{1,64}(?:@|%40)[^\s"'\\<>@,;:()[\]/?#]{1,255}/gi, '...@...'],
  [/\b(Bearer|Basic|DPoP|Channel-Token)[ :]{1,3}[A-Za-z0-9._~+/=:-]+/gi, '$1 ...'],
  // Tokens of machine clients and of people, webhook secrets, JSON Web Tokens.
  [/\bslm_[A-Za-z0-9_-]+/g, 'slm_...'],
  [/\b[0-9a-f]{32}:[A-Za-z0-9_-]{1,64}:[A-Za-z0-9_-]+/g, 'token...'],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, 'whsec_...'],
  [/\beyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9._-]*/g, 'eyJ...'],
  // Keys of the engines that answer questions.
  [/\b(sk|pplx|xai)-[A-Za-z0-9_-]{8,}/gi, '$1-...'],
  [/\bAIza[A-Za-z0-9_-]{8,}/g, 'AIza...'],
  // Hashes and signatures of payments.
  [/\b0x[0-9a-fA-F]{64,}/gi, '0x...'],
];
const SUSPECT =
  /:\\{0,4}\/|@|%40|reports\/|runs\/|earer|asic|dpop|hannel-|slm_|whsec_|eyJ|sk-|pplx-|xai-|AIza|0x|[0-9a-f]{32}:/i;

/** A log line, a JSON text, without addresses' paths and without anything that has the form of a credential. */
export function scrubbed(line: string): string {
  if (!SUSPECT.test(line)) return line;
  return RULES.reduce(
    (text, [pattern, instead]) => text.replaceAll(pattern, instead),
    line.replaceAll(ADDRESS, shownAddress),
  );
}
