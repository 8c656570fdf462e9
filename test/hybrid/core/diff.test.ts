import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatOverridesDiff } from '../../../src/hybrid/core/diff.ts';
import { type Edit, spliceText } from '../../../src/hybrid/edits/splice.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const names = { before: 'overrides.yaml', after: 'overrides.yaml' };
const HEAD = '--- overrides.yaml\n+++ overrides.yaml\n';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-diff-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const edit = (start: number, end: number, text: string): Edit => ({ start, end, text, reason: 'test' });

/** The edit that puts `piece` for the only `old` in `text`. */
const replacing = (text: string, old: string, piece: string): Edit =>
  edit(text.indexOf(old), text.indexOf(old) + old.length, piece);

const tools: readonly { tool: string; args: readonly string[] }[] = [
  { tool: 'patch', args: ['-p0', '--silent'] },
  { tool: 'git', args: ['apply', '-p0', '--whitespace=nowarn'] },
];

const isPresent = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0;

/** The bytes that a system tool makes of `text` with `diff`. */
function appliedBy({ tool, args }: (typeof tools)[number], text: string, diff: string): string {
  const file = join(folder, names.before);
  writeFileSync(file, text);
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: folder };
  const { status, stdout, stderr } = spawnSync(tool, args, { cwd: folder, input: diff, env });
  expect({ status, out: String(stdout), err: String(stderr) }).toEqual({ status: 0, out: '', err: '' });
  return readFileSync(file, 'utf8');
}

/** A text of short lines of few letters, with edits at any offsets that do not overlap. */
const cases = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', '  a', '', 'key: value'), { maxLength: 30 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([lines, eol, isEnded]) => lines.join(eol) + (isEnded && lines.length > 0 ? eol : ''))
  .chain((text) =>
    fc.record({
      text: fc.constant(text),
      edits: fc
        .array(
          fc.record({
            at: fc.nat({ max: text.length }),
            length: fc.nat({ max: 12 }),
            text: fc.constantFrom('', 'x', 'x\n', '\nx', 'a\nb\n', '\r\n', 'a', '\n'),
          }),
          { maxLength: 6 },
        )
        .map((wishes) => withoutOverlaps(wishes, text.length)),
    }),
  );

function withoutOverlaps(
  wishes: readonly { at: number; length: number; text: string }[],
  most: number,
): readonly Edit[] {
  let free = 0;
  return wishes
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ at, length, text }) => {
      if (at < free) return [];
      free = Math.min(at + length, most);
      return [edit(at, free, text)];
    });
}

describe('a diff made of edits', () => {
  test('applied by a library, it gives the text with the edits made', () => {
    fc.assert(
      fc.property(cases, ({ text, edits }) => {
        const diff = formatOverridesDiff(names, text, edits);
        const after = spliceText(text, edits);
        expect(diff === '').toBe(after === text);
        if (diff !== '') expect(applyPatch(text, diff, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: budgetFor(1_000, 5_000) },
    );
  });

  test.each(tools.filter(({ tool }) => isPresent(tool)))('applied by $tool, it gives the same', (tool) => {
    fc.assert(
      fc.property(cases, ({ text, edits }) => {
        const diff = formatOverridesDiff(names, text, edits);
        const after = spliceText(text, edits);
        // Both tools remove a file that becomes empty, and take an empty one for one that is not there.
        fc.pre(diff !== '' && text !== '' && after !== '');
        expect(appliedBy(tool, text, diff)).toBe(after);
      }),
      { numRuns: budgetFor(20, 100) },
    );
  });

  test('edits that together give the same text make no diff', () => {
    const text = 'a\nb\n\n\n';
    const undone = [edit(0, 0, 'a\nb\n'), edit(0, 6, '\n'), edit(6, 6, '\n')];
    expect([spliceText(text, undone), formatOverridesDiff(names, text, undone)]).toEqual([text, '']);
  });

  const ten = Array.from({ length: 20 }, (_, index) => `line ${index + 1};\n`).join('');

  test('has three lines of context, and the edits of one line in one change', () => {
    const word = replacing(ten, 'line 5', 'LINE 5');
    const expected = `${HEAD}@@ -2,7 +2,7 @@
 line 2;
 line 3;
 line 4;
-line 5;
+LINE 5;
 line 6;
 line 7;
 line 8;
`;
    expect(formatOverridesDiff(names, ten, [word])).toBe(expected);
    const sign = edit(word.end, word.end + 1, '!');
    expect(formatOverridesDiff(names, ten, [word, sign])).toBe(expected.replace('+LINE 5;', '+LINE 5!'));
  });

  test('hunks whose contexts meet are one; others count the lines that came before', () => {
    const near = [replacing(ten, 'line 2;\n', ''), replacing(ten, 'line 9;', 'nine')];
    expect(formatOverridesDiff(names, ten, near).match(/^@@.*$/gm)).toEqual(['@@ -1,12 +1,11 @@']);
    const far = [replacing(ten, 'line 2;\n', ''), replacing(ten, 'line 10;', 'ten')];
    expect(formatOverridesDiff(names, ten, far).match(/^@@.*$/gm)).toEqual(['@@ -1,5 +1,4 @@', '@@ -7,7 +6,7 @@']);
  });

  test('an insertion within a line shows only the lines that are new', () => {
    const text = 'a\nb\nc\n';
    expect(formatOverridesDiff(names, text, [edit(1, 1, '\nx')])).toBe(`${HEAD}@@ -1,3 +1,4 @@\n a\n+x\n b\n c\n`);
  });

  test('of edits that only touch, a line that stays is not shown as removed and added', () => {
    const text = 'a\nb\nc\nd\ne\n';
    const touching = [edit(2, 4, ''), edit(5, 7, '')];
    expect(formatOverridesDiff(names, text, touching)).toBe(`${HEAD}@@ -1,5 +1,3 @@\n a\n-b\n c\n-d\n e\n`);
    const both = [edit(2, 2, 'x\n'), edit(2, 3, 'y'), edit(4, 4, 'z\n'), edit(4, 6, '')];
    expect(formatOverridesDiff(names, text, both)).toBe(`${HEAD}@@ -1,5 +1,6 @@\n a\n-b\n-c\n+x\n+y\n+z\n d\n e\n`);
  });

  const NONE = '\\ No newline at end of file\n';
  test.each([
    ['added to', 'a', edit(1, 1, '\nb'), `@@ -1,1 +1,2 @@\n-a\n${NONE}+a\n+b\n${NONE}`],
    ['given one', 'a', edit(1, 1, '\n'), `@@ -1,1 +1,1 @@\n-a\n${NONE}+a\n`],
    ['robbed of it', 'a\n', edit(1, 2, ''), `@@ -1,1 +1,1 @@\n-a\n+a\n${NONE}`],
    ['kept as context', 'a\nb', edit(0, 1, 'x'), `@@ -1,2 +1,2 @@\n-a\n+x\n b\n${NONE}`],
    ['removed', 'a\nb', edit(2, 3, ''), `@@ -1,2 +1,1 @@\n a\n-b\n${NONE}`],
  ])('a last line without a newline is %s', (_, text, made, body) => {
    expect(formatOverridesDiff(names, text, [made])).toBe(`${HEAD}${body}`);
  });

  test('edits that change nothing give nothing', () => {
    expect(formatOverridesDiff(names, 'a\nb\n', [])).toBe('');
    expect(formatOverridesDiff(names, 'a\nb\n', [edit(0, 1, 'a'), edit(2, 4, 'b\n')])).toBe('');
  });

  test('a file name with spaces or signs is written as Git and patch read it', () => {
    const diff = (name: string): string | undefined =>
      formatOverridesDiff({ before: name, after: 'x' }, 'a\n', [edit(0, 1, 'b')]).split('\n')[0];
    expect(diff('my overrides.yaml')).toBe('--- my overrides.yaml\t');
    expect(diff('a"b\\c\nd\u0085.yaml')).toBe('--- "a\\"b\\\\c\\nd\\302\\205.yaml"');
  });
});
