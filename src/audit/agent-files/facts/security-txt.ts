import type { Artifact } from '../../core/artifact.ts';
import { type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { readTextFile, type SiteTextFile } from '../../llms-txt/facts/llms-files.ts';

/** Lines of one file that are read. */
const MAX_LINES = 1_000;

/** Values of the fields that decide, with their lines; names in lower case. */
export type SecurityTxt = { contacts: readonly SecurityTxtField[]; expires: readonly SecurityTxtField[] };
export type SecurityTxtField = { value: string; line: number };

/** Artifact `securityTxt`: /.well-known/security.txt and its fields. Never fails as a whole. */
export function readSecurityTxt(snapshot: Snapshot): Artifact<{ file: SiteTextFile; fields: SecurityTxt }> {
  const find = getExchangeLookup(snapshot);
  const file = readTextFile(find('security-txt'), find('control'));
  return { state: 'ready', value: { file, fields: parseSecurityTxt(file.state === 'found' ? file.answer.body : '') } };
}

/** Reads the fields of a security.txt, signed or not (RFC 9116, 2.5). Never throws. */
export function parseSecurityTxt(body: string): SecurityTxt {
  const contacts: SecurityTxtField[] = [];
  const expires: SecurityTxtField[] = [];
  for (const [index, raw] of body
    .split(/\r\n|\n|\r/u)
    .slice(0, MAX_LINES)
    .entries()) {
    const found = /^([A-Za-z-]{1,40}):[ \t]{0,20}(\S.{0,2000})$/u.exec(raw.trimEnd());
    const field = { value: found?.[2] ?? '', line: index + 1 };
    if (found?.[1]?.toLowerCase() === 'contact') contacts.push(field);
    if (found?.[1]?.toLowerCase() === 'expires') expires.push(field);
  }
  return { contacts, expires };
}

/** A contact is an address for mail, a phone number, or a page over https (RFC 9116, 2.5.3). */
export const isContact = (value: string): boolean =>
  /^(?:mailto:[^\s@]{1,200}@[^\s@]{1,200}|tel:\+?[\d().-]{3,40}|https:\/\/\S{3,2000})$/iu.test(value);

/** Unix milliseconds of an RFC 3339 date and time; undefined for anything else. */
export function parseRfc3339(value: string): number | undefined {
  const isDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/iu.test(value.trim());
  const ms = isDateTime ? Date.parse(value.trim()) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
