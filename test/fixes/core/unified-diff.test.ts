import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { diffLines, MAX_EDIT_DISTANCE, formatUnifiedDiff } from '../../../src/fixes/core/unified-diff.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-diff-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `git apply` makes of a diff: the oracle is not ours. */
function applied(before: string, diff: string): string {
  writeFileSync(join(folder, 'page.html'), before);
  writeFileSync(join(folder, 'change.diff'), diff);
  execFileSync('git', ['apply', '--unidiff-zero', '--whitespace=nowarn', 'change.diff'], { cwd: folder });
  return readFileSync(join(folder, 'page.html'), 'utf8');
}

describe('a unified diff', () => {
  test.each([
    { name: 'a changed line', before: 'a\nb\nc\n', after: 'a\nB\nc\n' },
    { name: 'a line added to an empty file', before: '', after: 'a\n' },
    { name: 'a file emptied', before: 'a\nb\n', after: '' },
    { name: 'a missing last line end added', before: 'a\nb', after: 'a\nb\n' },
    { name: 'a missing last line end kept', before: 'a\nb', after: 'A\nb' },
    { name: 'CRLF line ends', before: 'a\r\nb\r\nc\r\n', after: 'a\r\nx\r\nb\r\nc\r\n' },
    { name: 'lone CR and line separators inside a line', before: 'a\rb\u2028c\nd\n', after: 'a\rb\u2028C\nd\n' },
    { name: 'lines that look like a diff', before: '--- a\n+++ b\n@@ -1 +1 @@\n', after: '--- a\n+x\n@@ -1 +1 @@\n' },
    {
      name: 'two changes far apart',
      before: Array.from({ length: 40 }, (_, index) => `${index}\n`).join(''),
      after: Array.from({ length: 40 }, (_, index) => (index % 30 === 5 ? 'new\n' : `${index}\n`)).join(''),
    },
  ])('with $name is applied by git to the same bytes', ({ before, after }) => {
    expect(applied(before, formatUnifiedDiff('page.html', before, after))).toBe(after);
  });

  test('of equal texts is empty', () => {
    expect(formatUnifiedDiff('page.html', 'a\n', 'a\n')).toBe('');
  });

  test('shows three lines around a change and joins changes that are near', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    expect(formatUnifiedDiff('robots.txt', before, before.replace('e', 'E'))).toBe(
      '--- a/robots.txt\n+++ b/robots.txt\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n',
    );
  });

  test('of a new file starts from nothing', () => {
    expect(formatUnifiedDiff('llms.txt', '', '# A\n', true)).toBe(
      '--- /dev/null\n+++ b/llms.txt\n@@ -0,0 +1,1 @@\n+# A\n',
    );
  });

  test('of any two texts is applied by git to the same bytes', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', ' x', '\ty', 'é', '\\ No newline');
    const text = fc.tuple(fc.array(line, { maxLength: 14 }), fc.boolean());
    fc.assert(
      fc.property(text, text, ([a, aEnds], [b, bEnds]) => {
        const before = a.join('\n') + (aEnds && a.length > 0 ? '\n' : '');
        const after = b.join('\n') + (bEnds && b.length > 0 ? '\n' : '');
        fc.pre(before !== after);
        expect(applied(before, formatUnifiedDiff('page.html', before, after))).toBe(after);
      }),
      { numRuns: budgetFor(20, 60) },
    );
  });
});

describe('changed lines', () => {
  test('are as few as there can be', () => {
    const changes = diffLines('ABCABBA'.split(''), 'CBABAC'.split(''));
    expect(changes.filter(({ kind }) => kind !== 'keep')).toHaveLength(5); // Myers 1986, figure 1.
  });

  test.each([
    { name: 'as many lines', extra: 0 },
    { name: 'more lines', extra: 7 },
  ])('beyond the bound, with $name, still lead from one text to the other', ({ extra }) => {
    const count = MAX_EDIT_DISTANCE * 2;
    const before = Array.from({ length: count }, (_, index) => `old ${index}`);
    const after = Array.from({ length: count + extra }, (_, index) => `new ${index}`);
    const changes = diffLines(before, after);
    expect(changes.filter(({ kind }) => kind !== 'add').map(({ line }) => line)).toEqual(before);
    expect(changes.filter(({ kind }) => kind !== 'remove').map(({ line }) => line)).toEqual(after);
  });
});
