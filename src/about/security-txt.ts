import { DAY_MS, formatIsoTimestamp } from '../lib/time.ts';

/** Days that the file is good for: a year is the most that RFC 9116 recommends (section 2.5.5). */
const GOOD_FOR_DAYS = 180;

/**
 * Whom to write about a weakness. It ends half a year after the day on which it is asked for, so one that is read is good.
 * @see https://www.rfc-editor.org/rfc/rfc9116
 */
export function formatSecurityTxt(baseUrl: string, contact: string, nowMs: number): string {
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return [
    `Contact: mailto:${contact}`,
    `Expires: ${formatIsoTimestamp(dayMs + GOOD_FOR_DAYS * DAY_MS)}`,
    'Preferred-Languages: en, de',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    `Policy: ${baseUrl}/contact#weakness`,
    '',
  ].join('\n');
}
