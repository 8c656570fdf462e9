import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  quoteFileName,
  isPrintable,
  toScript,
  sh,
  quoteShellWord,
  encodeUrlSegment,
  extractVariables,
} from '../../../src/hybrid/plan/shell.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const ENVIRONMENT: Readonly<Record<string, string>> = { ORG: 'acme corp', A: '$(touch nowhere)', B_1: "it's" };

/** What a real shell makes of a word, with only our variables set. */
function printed(word: string): string {
  const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', `printf '%s|' ${word}`], {
    env: { ...ENVIRONMENT },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** The same by the documentation: variables are replaced, the rest is itself, in one word. */
const meant = (value: string): string =>
  `${value.replaceAll(/\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g, (_, bare, braced) => ENVIRONMENT[bare ?? braced] ?? '')}|`;

const cases: readonly [value: string, word: string][] = [
  ['acme', 'acme'],
  ['./keys/mart-1_2.json', './keys/mart-1_2.json'],
  ['', "''"],
  ['$ORG', '"$ORG"'],
  ['${ORG}', '"${ORG}"'],
  ['$ORG/x', '"$ORG/x"'],
  ['./keys/$ORG-mart.json', '"./keys/${ORG}-mart.json"'],
  ['$ORG[0]:h', '"${ORG}[0]:h"'],
  ['x; rm -rf ~', "'x; rm -rf ~'"],
  ['$(curl evil)', "'$(curl evil)'"],
  ['`id`', "'`id`'"],
  ["it's", "'it'\\''s'"],
  ['"quoted"', `'"quoted"'`],
  ['$ORG`id`', `"$ORG"'\`id\`'`],
  ['${ORG:-$(id)}', "'${ORG:-$(id)}'"],
  ['$1 $$ $?', "'$1 $$ $?'"],
  ['~root', "'~root'"],
  ['*', "'*'"],
  ['=ls', "'=ls'"],
  ['a!b', "'a!b'"],
  ['#no comment', "'#no comment'"],
];

test.each(cases)('%j is the word %s, and a shell prints it back', (value, word) => {
  expect(quoteShellWord(value)).toBe(word);
  expect(printed(word)).toBe(meant(value));
});

test('any printable text is one word that a real shell prints back, its variables replaced', () => {
  const spicy = fc.string({
    unit: fc.constantFrom(
      ...Array.from('ab $(){}`"\'\\;|&<>*?[]!~#=-/:\u00e9\u{1F600}'),
      '$ORG',
      '${A}',
      '$B_1',
      '${ORG:-x}',
      '$(',
    ),
    maxLength: 12,
  });
  const any = fc.string({ unit: 'binary', maxLength: 12 });
  const values = fc
    .oneof(spicy, any)
    .filter((value) => isPrintable(value) && extractVariables(value).every((name) => name in ENVIRONMENT));
  fc.assert(
    fc.property(fc.array(values, { minLength: 20, maxLength: 40 }), (list) => {
      expect(printed(list.map(quoteShellWord).join(' '))).toBe(list.map(meant).join(''));
    }),
    { numRuns: budgetFor(20, 60) },
  );
});

test.each(['a\nrm -rf ~', 'a\u001b[2Jb', 'a\u0000b', 'a\u202eb', '\n$(id)\n'])(
  'what is not printable in %j is replaced, and nothing of it runs',
  (value) => {
    expect(isPrintable(value)).toBe(false);
    expect(printed(quoteShellWord(value))).toBe(`${value.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}')}|`);
  },
);

test('values of a command are words, scripts are taken as they are', () => {
  expect(sh`echo ${'a b'} ${toScript('| cat')} "$HOME"`).toBe(`echo 'a b' | cat "$HOME"`);
});

test('a file whose name begins with a hyphen is not taken for an option', () => {
  expect(quoteFileName('-rf').script).toBe('./-rf');
  expect(quoteFileName('a.yaml').script).toBe('a.yaml');
});

test.each([
  ['acme', 'acme'],
  ['$ORG', '$ORG'],
  ['a/../b?x#y', 'a%2F..%2Fb%3Fx%23y'],
  ['..', '%2E%2E'],
  ['$ORG x', '$ORG%20x'],
])('%j is the segment %s of an address', (value, segment) => {
  expect(encodeUrlSegment(value)).toBe(segment);
});
