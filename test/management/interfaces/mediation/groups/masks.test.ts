import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeMaskOnce,
  parseMaskLeaves,
  readMask,
} from '../../../../../src/management/interfaces/mediation/groups/masks.ts';
import { Refusal } from '../../../../../src/lib/refusal.ts';
import { budgetFor } from '../../../../support/runner/budget.ts';

const DIGITS = '9876543210987654';
const UNIT = `ca-app-pub-${DIGITS}/1234567890`;

/** What a refusal says; the violations must blame the mask. */
function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.data).toMatchObject({
      status: 400,
      word: 'INVALID_ARGUMENT',
      details: [{ fieldViolations: [{ field: 'update_mask' }] }],
    });
    return error.data.message;
  }
  throw new Error('It was not refused');
}

describe('the mask reader', () => {
  test.each<[string, ReturnType<typeof readMask>]>([
    ['state', [[{ name: 'state' }]]],
    ['targeting.ad_unit_ids', [[{ name: 'targeting' }, { name: 'ad_unit_ids' }]]],
    ['lines["-1"]', [[{ name: 'lines', key: '-1' }]]],
    ["lines['-1']", [[{ name: 'lines', key: '-1' }]]],
    ['lines[-1]', [[{ name: 'lines', key: '-1' }]]],
    ['lines[123].state , state', [[{ name: 'lines', key: '123' }, { name: 'state' }], [{ name: 'state' }]]],
    ['m["a,b"],m["c"]', [[{ name: 'm', key: 'a,b' }], [{ name: 'm', key: 'c' }]]],
    ['m["a.b/c~d]e"]', [[{ name: 'm', key: 'a.b/c~d]e' }]]],
    [`m["it's"],m['say "x"']`, [[{ name: 'm', key: "it's" }], [{ name: 'm', key: 'say "x"' }]]],
    [String.raw`m["a\"b\\c\/d"]`, [[{ name: 'm', key: String.raw`a"b\c/d` }]]],
    ['a,', [[{ name: 'a' }]]],
    ['m["-1"],m["-2"], ', [[{ name: 'm', key: '-1' }], [{ name: 'm', key: '-2' }]]],
    [String.raw`m[\"a/b\"],m[\'c\'].d`, [[{ name: 'm', key: 'a/b' }], [{ name: 'm', key: 'c' }, { name: 'd' }]]],
    [`m[${UNIT.replace('/', '%2F')}]`, [[{ name: 'm', key: UNIT }]]],
    ['m[%22-1%22].a,m[%27b%20c%27]', [[{ name: 'm', key: '-1' }, { name: 'a' }], [{ name: 'm', key: 'b c' }]]],
    ['m[%22-1%27]', [[{ name: 'm', key: `"-1'` }]]],
    [`m[${UNIT}]`, [[{ name: 'm', key: UNIT }]]],
    ['m["__proto__"]', [[{ name: 'm', key: '__proto__' }]]],
  ])('reads %s', (mask, paths) => {
    expect(readMask(mask)).toEqual(paths);
  });

  test.each([
    '',
    ' ',
    ',',
    ',a',
    'a,,b',
    'a,,',
    'a, ,',
    ',a,',
    'a.',
    '.a',
    'a..b',
    'a b',
    '1a',
    '*',
    'a[',
    'a[]',
    'a[""]',
    'a["b"',
    'a["b]',
    'a["b"]c',
    'a["b"]["c"]',
    'a.["b"]',
    '["b"]',
    'a["b\']',
    'a[b/c]',
    'a[b~c]',
    'a[b,c]',
    'a[ "b" ]',
    String.raw`a["b\"]`,
    String.raw`a["b\n"]`,
    'a`b`',
    'a[%]',
    'a[%e9]',
    'a[%22]b',
    String.raw`a[\"b"]`,
    String.raw`a["b\"]`,
    String.raw`a[\"b\']`,
    String.raw`a[\"b\"c]`,
    `a["${'b'.repeat(1_025)}"]`,
    `a["${'é'.repeat(513)}"]`,
  ])('refuses %j', (mask) => {
    expect(refusalOf(() => readMask(mask))).toMatch(/^Invalid value for update_mask: /);
  });

  test.each([
    ['m%5B%22a%22%5D.b%2cc', 'm["a"].b,c'],
    ['m%5b1%5d', 'm[1]'],
    ['m["%5B"]', 'm["%5B"]'],
    ['a%2Cb', 'a%2Cb'],
    ['m%5B%', 'm%5B%'],
    ['m%5B%ff', 'm%5B%ff'],
    ['%255B', '%255B'],
  ])('takes %s, which may have been encoded twice, for %s', (mask, meant) => {
    expect(decodeMaskOnce(mask)).toBe(meant);
  });

  test('K9: takes 100 paths, ten deep, 20,000 characters and no more', () => {
    const paths = (count: number, depth: number) =>
      Array.from({ length: count }, () => Array.from({ length: depth }, () => 'a').join('.')).join(',');
    expect(readMask(paths(100, 10))).toHaveLength(100);
    expect(refusalOf(() => readMask(paths(101, 1)))).toContain('more than 100 paths');
    expect(refusalOf(() => readMask(paths(1, 11)))).toContain('deeper than 10');
    expect(refusalOf(() => readMask('a'.repeat(20_001)))).toContain('more than 20000 characters');
    expect(readMask('a'.repeat(20_000))).toHaveLength(1);
  });

  test('shows a long mask cut in what it says', () => {
    expect(refusalOf(() => readMask(`a[${'"'.repeat(15_000)}`)).length).toBeLessThan(400);
  });

  test('gives back any key that was quoted', () => {
    const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 256 }).filter((text) => text.isWellFormed());
    const quote = fc.constantFrom('"', "'");
    const property = fc.property(fc.array(fc.tuple(key, quote), { minLength: 1, maxLength: 5 }), (keys) => {
      const quoted = keys.map(([text, mark]) => {
        const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll(mark, `\\${mark}`);
        return `lines[${mark}${escaped}${mark}].state`;
      });
      const read = readMask(quoted.join(',')).map(([first]) => first?.key);
      return JSON.stringify(read) === JSON.stringify(keys.map(([text]) => text));
    });
    expect(fc.check(property, { numRuns: budgetFor(200, 1_000) }).counterexample).toBeNull();
  });

  test('reads or refuses any text, and throws nothing else', () => {
    const pieces = fc.constantFrom('lines', '[', ']', '"', "'", '\\', ',', '.', '-1', 'a/b', ' ', '_', '\u{1F600}');
    const mask = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    const property = fc.property(mask, (text) => {
      try {
        return readMask(text).length > 0;
      } catch (error) {
        return error instanceof Refusal;
      }
    });
    expect(fc.check(property, { numRuns: budgetFor(400, 2_000) }).counterexample).toBeNull();
  });
});

describe('a mask of a group', () => {
  test.each<[string, ReturnType<typeof parseMaskLeaves>[number]]>([
    ['mediationGroupLines["-1"]', { kind: 'line', line: '-1' }],
    ['mediation_group_lines["123"].cpm_micros', { kind: 'lineField', line: '123', field: 'cpmMicros' }],
    ['mediationGroupLines[123].cpmMode', { kind: 'lineField', line: '123', field: 'cpmMode' }],
    ["mediationGroupLines['123'].state", { kind: 'lineField', line: '123', field: 'state' }],
    ['mediationGroupLines["123"].display_name', { kind: 'lineField', line: '123', field: 'displayName' }],
    ['mediationGroupLines["123"].adUnitMappings', { kind: 'lineField', line: '123', field: 'adUnitMappings' }],
    [
      `mediationGroupLines["123"].ad_unit_mappings["${UNIT}"]`,
      { kind: 'mapping', line: '123', fragment: '1234567890' },
    ],
    [`mediationGroupLines[123].adUnitMappings[${UNIT}]`, { kind: 'mapping', line: '123', fragment: '1234567890' }],
    ['mediationGroupLines[123].adUnitMappings[1234567890]', { kind: 'mapping', line: '123', fragment: '1234567890' }],
    [
      `mediationGroupLines["123"].adUnitMappings["${UNIT.replace('/', '%2F')}"]`,
      { kind: 'mapping', line: '123', fragment: '1234567890' },
    ],
    ['mediationGroupLines["%2D1"]', { kind: 'line', line: '-1' }],
    [String.raw`mediationGroupLines[\"-1\"]`, { kind: 'line', line: '-1' }],
    ['mediationGroupLines["-9223372036854775808"]', { kind: 'line', line: '-9223372036854775808' }],
    ['mediationGroupLines["-1"].ad_source_id', { kind: 'lineField', line: '-1', field: 'adSourceId' }],
    ['mediationGroupLines["-1"].id', { kind: 'lineField', line: '-1', field: 'id' }],
    ['targeting.adUnitIds', { kind: 'targeting', field: 'adUnitIds' }],
    ['targeting.targeted_region_codes', { kind: 'targeting', field: 'targetedRegionCodes' }],
    ['display_name', { kind: 'group', field: 'displayName' }],
    ['state', { kind: 'group', field: 'state' }],
  ])('names %s', (mask, leaf) => {
    expect(parseMaskLeaves(mask, DIGITS)).toEqual([leaf]);
  });

  test('may name the same leaf twice, and a new line with parts of it', () => {
    expect(parseMaskLeaves('state,state', DIGITS)).toEqual([{ kind: 'group', field: 'state' }]);
    expect(parseMaskLeaves('mediationGroupLines["-1"],mediationGroupLines["-1"].state', DIGITS)).toHaveLength(2);
  });

  test.each([
    ['nothing', undefined, 'it must name at least one field'],
    ['the name', 'name', '"name" is nothing that can be updated'],
    ['the id', 'mediationGroupId', 'is nothing that can be updated'],
    ['the experiment', 'mediationAbExperimentState', 'is nothing that can be updated'],
    ['the platform', 'targeting.platform', '"targeting.platform" is nothing that can be updated'],
    ['the format', 'targeting.format', 'is nothing that can be updated'],
    ['what lists show', 'targeting.adUnits', 'is nothing that can be updated'],
    ['all of the targeting', 'targeting', 'is nothing that can be updated'],
    ['all lines', 'mediationGroupLines', 'is nothing that can be updated'],
    ['a field of the object prototype', 'constructor', 'is nothing that can be updated'],
    ['a key of no map', 'targeting.adUnitIds["x"]', 'is nothing that can be updated'],
    ['a key of a price', 'mediationGroupLines["1"].cpmMicros["x"]', 'is nothing that can be updated'],
    ['the ad source of a line', 'mediationGroupLines["1"].adSourceId', 'is nothing that can be updated'],
    ['the variant of a line', 'mediationGroupLines["1"].experimentVariant', 'is nothing that can be updated'],
    ['what is deeper', 'mediationGroupLines["1"].state.x', 'is nothing that can be updated'],
    ['a key that is no number', 'mediationGroupLines["x"]', 'is no id of a line, nor a negative integer'],
    ['minus zero', 'mediationGroupLines["-0"]', 'is no id of a line, nor a negative integer'],
    ['a number with a zero before it', 'mediationGroupLines["-01"]', 'is no id of a line, nor a negative integer'],
    ['a number with a space', 'mediationGroupLines[" -1"]', 'is no id of a line, nor a negative integer'],
    ['a new line twice', 'mediationGroupLines["-1"],mediationGroupLines[-1]', 'the new line "-1" is named twice'],
    ['the variant of a new line', 'mediationGroupLines["-1"].experimentVariant', 'is nothing that can be updated'],
    ['the id of a line', 'mediationGroupLines["1"].id', 'is nothing that can be updated'],
    ['a dotted key', 'mediationGroupLines.123.state', 'is no'],
    [
      'a number below int64',
      'mediationGroupLines["-9223372036854775809"]',
      '"-9223372036854775809" is below -9223372036854775808',
    ],
    ['a number of a hundred digits', `mediationGroupLines["-${'9'.repeat(100)}"]`, 'is below -9223372036854775808'],
    ['no ad unit', 'mediationGroupLines["1"].adUnitMappings["x"]', 'is no ad unit id of this publisher'],
  ])('is refused with %s', (_what, mask, message) => {
    expect(refusalOf(() => parseMaskLeaves(mask, DIGITS))).toContain(message);
  });

  test('K1: is refused with an ad unit of another publisher', () => {
    const mask = 'mediationGroupLines["1"].adUnitMappings["ca-app-pub-1111111111111111/1234567890"]';
    expect(refusalOf(() => parseMaskLeaves(mask, DIGITS))).toContain('is no ad unit id of this publisher');
  });
});
