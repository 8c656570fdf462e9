import { expect, test } from 'vitest';
import { formatSecurityTxt } from '../../src/about/security-txt.ts';
import { isContact, parseRfc3339, parseSecurityTxt } from '../../src/audit/agent-files/facts/well-known-files.ts';
import { DAY_MS } from '../../src/lib/time.ts';

const NOW = Date.parse('2026-11-29T12:34:56Z');
const text = formatSecurityTxt('https://a.example', 'operator@a.example', NOW);

test('has the fields that RFC 9116 requires, each in a line of its own', () => {
  const lines = text.trimEnd().split('\n');
  expect(lines.every((line) => /^[A-Z][A-Za-z-]*: \S/.test(line))).toBe(true);
  const names = lines.map((line) => line.split(':', 1)[0]);
  expect(names.filter((name) => name === 'Contact').length).toBeGreaterThan(0);
  expect(names.filter((name) => name === 'Expires')).toHaveLength(1);
  expect(names.filter((name) => name === 'Preferred-Languages')).toHaveLength(1);
  expect(text).toContain('Canonical: https://a.example/.well-known/security.txt\n');
});

test('passes what the audit asks of sites: a contact, and an end that is ahead and less than a year away', () => {
  const { contacts, expires } = parseSecurityTxt(text);
  expect(contacts.map(({ value }) => [value, isContact(value)])).toEqual([['mailto:operator@a.example', true]]);
  const endMs = parseRfc3339(expires[0]?.value ?? '') ?? 0;
  expect(endMs - NOW).toBeGreaterThan(170 * DAY_MS);
  expect(endMs - NOW).toBeLessThan(365 * DAY_MS);
});

test('is the same for a day, and renewed the next', () => {
  expect(formatSecurityTxt('https://a.example', 'operator@a.example', NOW + 3_600_000)).toBe(text);
  expect(formatSecurityTxt('https://a.example', 'operator@a.example', NOW + DAY_MS)).not.toBe(text);
});
