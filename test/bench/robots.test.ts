import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { askedAgents } from '../../bench/truth/robots/agents-data.ts';
import { countDifferences, decideOurs } from '../../bench/truth/robots/compare.ts';
import { decodeDecisions, encodeDecisions } from '../../bench/truth/robots/decisions.ts';
import { listAskedPaths } from '../../bench/truth/robots/questions.ts';
import { reasons } from '../../bench/truth/robots/reasons.ts';
import { readRobotsManifest, renderRobotsManifest } from '../../bench/truth/robots/robots-corpora.ts';

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const ids = reasons.map(({ id }) => id);

describe('the manifest of robots.txt files', () => {
  const cases = readRobotsManifest();

  test('has at least 1,000 files, each once, and is written as it is read', () => {
    expect(cases.length).toBeGreaterThan(1000);
    expect(new Set(cases.map(({ sha256 }) => sha256)).size).toBe(cases.length);
    const file = new URL('../../bench/truth/robots/manifest.tsv', import.meta.url);
    expect(renderRobotsManifest(cases)).toBe(readFileSync(file, 'utf8'));
  });

  test('names known reasons only, and each of them', () => {
    expect([...new Set(cases.flatMap(({ reasons: own }) => own))].toSorted()).toEqual(ids.toSorted());
  });

  test('has decisions of every file that decode and encode to the same text', () => {
    const wrong = cases.filter(({ decisions }) => {
      const decoded = decodeDecisions(decisions, { agents: askedAgents.length, paths: 30 });
      return encodeDecisions(decoded) !== decisions;
    });
    expect(wrong).toEqual([]);
  });
});

describe('decisions as text', () => {
  test('the commonest row comes first, others name their agents', () => {
    expect(encodeDecisions(['0111', '0000', '0111', '0000', '0111', '1111'])).toBe('7 0:BD f:F');
    expect(decodeDecisions('7 0:BD f:F', { agents: 6, paths: 4 })).toEqual([
      '0111',
      '0000',
      '0111',
      '0000',
      '0111',
      '1111',
    ]);
  });

  test.each(['', '7 0:Z', '1f', '7;0'])('%j is refused', (text) => {
    expect(() => decodeDecisions(text, { agents: 6, paths: 4 })).toThrow(/row|letter/);
  });

  test('differences are counted one by one', () => {
    expect(countDifferences(['0111', '0000'], ['0101', '1001'])).toBe(3);
  });
});

describe('the questions of a file', () => {
  test('are six fixed paths and those of its rules, escaped as bytes', () => {
    const text =
      'User-agent: *\nDisallow: /a*b$\nDissallow: /c\nAllow: /é # why\nDisallow: /robots.txt$\nCrawl-delay: 5\n';
    expect(listAskedPaths(encode(text)).slice(6)).toEqual(['/aab', '/ca', '/%C3%A9/a.html', '/?a=b']);
  });

  test('are thirty at most, at even distances', () => {
    const rules = Array.from({ length: 240 }, (_, at) => `Disallow: /${at}$`).join('\n');
    const paths = listAskedPaths(encode(rules));
    expect(paths).toHaveLength(30);
    expect(paths.slice(6, 9)).toEqual(['/0', '/10', '/20']);
  });
});

/** What our matcher answers about one path, and what it answers when it takes the file as Google's parser does. */
function decideBoth(file: Uint8Array<ArrayBuffer>, path: string, id: string): readonly (string | undefined)[] {
  return [[], [id]].map((own) => decideOurs(file, [path], own)[0]);
}

describe('reasons for other decisions', () => {
  const rule = (text: string): Uint8Array<ArrayBuffer> => encode(`User-agent: *\n${text}\n`);
  test.each([
    ['escape-case', rule('Disallow: /*%2b'), '/a%2b', '0', '1'],
    ['misspelt-key', rule('Dissalow: /a'), '/a', '1', '0'],
    ['misspelt-key', encode('User agent: *\nDisallow: /a'), '/a', '1', '0'],
    ['index-file', rule('Disallow: /\nAllow: /a/index.html'), '/a/', '0', '1'],
    ['long-file', rule(`Disallow: /a\n${'# filler\n'.repeat(100_000)}Disallow: /b`), '/b', '1', '0'],
    ['long-file', rule(`${'Disallow: /a\n'.repeat(30_000)}Disallow: /b`), '/b', '1', '0'],
  ])('%s', (id, file, path, ours, google) => {
    expect(decideBoth(file, path, id)).toEqual([ours, google]);
  });

  test('not-utf-8: a rule of one-byte letters matches their escapes', () => {
    const file = Uint8Array.from([...encode('User-agent: *\nDisallow: /'), 0xe9]);
    expect(decideBoth(file, '/%E9', 'not-utf-8')).toEqual(['1', '0']);
  });

  test('not-utf-8 accounts for no other difference in letters outside ASCII', () => {
    const file = rule('Disallow: /a\u00A0\nDisallow: /é');
    const paths = ['/a', '/a%C2%A0', '/%C3%A9', '/%E9'];
    expect(decideOurs(file, paths, ['not-utf-8'])).toEqual(decideOurs(file, paths, []));
    expect(decideOurs(file, paths, [])[0]).toBe('1001');
  });

  test('a file that both read alike stays as it is under every reason', () => {
    const file = rule('Disallow: /a\nAllow: /a/b\nDisallow: /é');
    const paths = ['/', '/a', '/a/b', '/%C3%A9'];
    expect(decideOurs(file, paths, ids)).toEqual(decideOurs(file, paths, []));
  });
});
