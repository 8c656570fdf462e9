import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ROBOTS_LIMITS, parseRobots, decideRobotsVerdict } from '../../../../src/audit/crawlers/facts/robots.ts';

type Vector = { test: string; googleOnly: boolean; robots: string; agent: string; url: string; allowed: boolean };

const file = join(import.meta.dirname, '../../../data/robots-vectors.json');
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
const rfc = vectors
  .filter((vector) => !vector.googleOnly)
  .map((vector, index) => [index, vector.test, vector] as const);

const allowed = (robots: string, agent: string, path: string): boolean =>
  decideRobotsVerdict(parseRobots(robots), agent, `https://acme.example${path}`).allowed;

test('the RFC vectors of the reference parser are all here', () => {
  expect(rfc).toHaveLength(72);
});

test.each(rfc)('RFC vector %i (%s) has the verdict of the reference parser', (_index, _name, vector) => {
  expect(decideRobotsVerdict(parseRobots(vector.robots), vector.agent, vector.url).allowed).toBe(vector.allowed);
});

describe('groups', () => {
  test.each([
    [
      'Crawl-delay between two User-agent lines does not part them',
      'User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /',
      'a',
      '/x',
      false,
    ],
    [
      'a Sitemap line does not close a group',
      'User-agent: a\nDisallow: /x\nSitemap: /s.xml\nDisallow: /y',
      'a',
      '/y',
      false,
    ],
    ['rules before the first group are ignored', 'Disallow: /\nUser-agent: a\nAllow: /', 'a', '/', true],
    [
      'groups of one agent are merged',
      'User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: a\nDisallow: /y',
      'a',
      '/y',
      false,
    ],
    [
      'an agent with a group of its own does not read the * group',
      'User-agent: *\nDisallow: /\n\nUser-agent: a\nDisallow:',
      'a',
      '/',
      true,
    ],
    ['agents compare without case', 'User-agent: GPTBot\nDisallow: /', 'gptbot', '/', false],
    ['a name is no prefix of another', 'User-agent: Google\nDisallow: /', 'Googlebot', '/', true],
    ['a version after the name is left out', 'User-agent: GPTBot/1.2\nDisallow: /', 'GPTBot', '/', false],
    ['a byte order mark is skipped', '\uFEFFUser-agent: *\nDisallow: /', 'a', '/', false],
    ['form feeds and tabs are white space', 'User-agent:\t*\f\n\vDisallow\t:\t/x\f', 'a', '/x', false],
    ['a no-break space belongs to the name before it', 'User-agent: *\u00A0\nDisallow: /', 'a', '/', true],
    ['a no-break space belongs to the key after it', 'User-agent: *\n\u00A0Disallow: /', 'a', '/', true],
    ['an en space belongs to the path before it', 'User-agent: *\nDisallow: /x\u2002', 'a', '/x', true],
    ['and matches as its escapes', 'User-agent: *\nDisallow: /x\u2002', 'a', '/x%E2%80%82', false],
    ['lines may end in CR alone', 'User-agent: *\rDisallow: /x', 'a', '/x', false],
  ])('%s', (_name, robots, agent, path, expected) => {
    expect(allowed(robots, agent, path)).toBe(expected);
  });
});

describe('patterns', () => {
  test.each([
    ['an empty Disallow allows', '', '/x', true],
    ['paths compare with case', '/X', '/x', true],
    ['$ ends a path', '/x$', '/xy', true],
    ['$ matches the whole path', '/x$', '/x', false],
    ['* is any run', '/a*c', '/abbbc', false],
    ['* may be empty', '/a*b', '/ab', false],
    ['$ after * asks for the ending', '/*.pdf$', '/a.pdf?x=1', true],
    ['$ after * finds the last occurrence', '/*.pdf$', '/a.pdf.pdf', false],
    ['the query belongs to the path', '/x?y=', '/x?y=1', false],
    ['escapes compare without case', '/%e3%81%82', '/%E3%81%82', false],
    ['letters outside ASCII compare as their escapes', '/あ', '/%E3%81%82', false],
  ])('%s: Disallow: %s on %s', (_name, pattern, path, expected) => {
    expect(allowed(`User-agent: *\nDisallow: ${pattern}`, 'a', path)).toBe(expected);
  });

  test('the longest match wins, whatever the order', () => {
    const robots = 'User-agent: *\nDisallow: /docs/private\nAllow: /docs\nDisallow: /';
    expect(['/docs/a', '/docs/private/a', '/other'].map((path) => allowed(robots, 'a', path))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test('sitemaps, other records and broken lines are kept with their lines', () => {
  const robots = parseRobots(
    'Sitemap: https://acme.example/s.xml\n<html>\nUser-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /x # why',
  );
  expect(robots.sitemaps).toEqual([{ url: 'https://acme.example/s.xml', line: 1 }]);
  expect(robots.others).toEqual([{ key: 'content-signal', value: 'search=yes, ai-train=no', line: 4 }]);
  expect(robots.broken).toBe(1);
  expect(robots.groups).toEqual([{ agents: ['*'], rules: [{ allow: false, pattern: '/x', line: 5 }], line: 3 }]);
});

test('hostile patterns and files stay within their bounds', () => {
  const stars = `User-agent: *\nDisallow: ${'/*a'.repeat(600)}$\n`.repeat(200);
  expect(allowed(stars, 'a', `/${'a'.repeat(4000)}`)).toBe(true);
  expect(parseRobots('sitemap: x\n'.repeat(100_000)).sitemaps).toHaveLength(ROBOTS_LIMITS.sitemaps);
  expect(parseRobots('disallow: /\n'.repeat(100_000)).groups).toEqual([]);
});

test('no text breaks the parser, and an unmatched agent without a * group may fetch', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const robots = parseRobots(text);
      const verdict = decideRobotsVerdict(robots, 'nobody', 'https://acme.example/');
      expect(verdict.allowed || verdict.rule !== undefined).toBe(true);
    }),
  );
});
