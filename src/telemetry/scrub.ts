/** What no log entry may hold (rule X9), and what stands in its place. Lines mostly hold words of our own: this is for messages of errors. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // An address tells its origin; path, query and fragment may be bearers of something.
  [/\b(https?:\/\/[^\s"'\\/?#<>]{1,255})[/?#][^\s"'\\<>]*/g, '$1/...'],
  [/\b(Bearer|Basic|Channel-Token) [A-Za-z0-9._~+/=:-]+/gi, '$1 ...'],
  // Tokens of machine clients and of people, webhook secrets, JSON Web Tokens.
  [/\bslm_[A-Za-z0-9_-]+/g, 'slm_...'],
  [/\b[0-9a-f]{32}:[A-Za-z0-9_-]{1,64}:[A-Za-z0-9_-]+/g, 'token...'],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, 'whsec_...'],
  [/\beyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9._-]*/g, 'eyJ...'],
  // Hashes and signatures of payments.
  [/\b0x[0-9a-fA-F]{64,}/g, '0x...'],
];
const SUSPECT = /:\/\/|earer|asic|hannel-|slm_|whsec_|eyJ|0x|[0-9a-f]{32}:/i;

/** A log line, a JSON text, without addresses' paths and without anything that has the form of a credential. */
export function scrubbed(line: string): string {
  if (!SUSPECT.test(line)) return line;
  return RULES.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), line);
}
