import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyFieldMask,
  judgeFieldMask,
  parseFieldMask,
} from '../../../../src/management/core/conventions/field-mask.ts';
import { HOSTILE, schemas, told } from './table.ts';

const parse = (text: string): unknown => told(parseFieldMask(text));
const judge = (text: string): unknown => {
  const paths = parseFieldMask(text);
  return told(paths.ok ? judgeFieldMask(paths.value, 'User', schemas) : paths);
};

describe('an update mask', () => {
  test.each([
    ['', []],
    ['  ', []],
    ['a', [['a']]],
    ['a,b.c', [['a'], ['b', 'c']]],
    [' a , b . c ', [['a'], ['b', 'c']]],
    ['lines["-1"]', [['lines', '-1']]],
    ['lines["-1"].state', [['lines', '-1', 'state']]],
    ['lines[-1].state', [['lines', '-1', 'state']]],
    [
      'lines["123"].adUnitMappings["ca-app-pub-1/2,3"],targeting.adUnitIds',
      [
        ['lines', '123', 'adUnitMappings', 'ca-app-pub-1/2,3'],
        ['targeting', 'adUnitIds'],
      ],
    ],
    ['labels.`k8s.io/x,y`', [['labels', 'k8s.io/x,y']]],
    [
      'labels["a.b"],labels["]"]',
      [
        ['labels', 'a.b'],
        ['labels', ']'],
      ],
    ],
    ['labels.-1', [['labels', '-1']]],
    ['*', [['*']]],
  ])('%s', (text, paths) => expect(parse(text)).toEqual(paths));

  test.each([
    ',',
    'a,',
    ',a',
    'a,,b',
    '.',
    'a.',
    '.a',
    'a..b',
    'a b',
    '["a"]',
    'a.["b"]',
    'a["b',
    'a["b"',
    'a[b',
    'a]',
    'a[]',
    'a[""]',
    'a``',
    'a.``',
    'a`b`',
    'a["b"]c',
    'a.__proto__',
    '__proto__',
    'a["__proto__"].x',
    'a.`__proto__`',
  ])('%s is none', (text) =>
    expect(parse(text)).toBe(
      "400 INVALID_ARGUMENT invalid: Invalid value at 'updateMask' " +
        `(type.googleapis.com/google.protobuf.FieldMask), ${JSON.stringify(text)}`,
    ),
  );

  test('K9: has at most 100 paths, 10 deep, and keys of 1,024 bytes', () => {
    expect(parse(Array(100).fill('a').join(','))).toHaveLength(100);
    expect(parse(Array(101).fill('a').join(','))).toContain('400 INVALID_ARGUMENT');
    expect(parse(Array(10).fill('a').join('.'))).toHaveLength(1);
    expect(parse(Array(11).fill('a').join('.'))).toContain('400 INVALID_ARGUMENT');
    expect(parse(`a["${'x'.repeat(1_024)}"]`)).toHaveLength(1);
    expect(parse(`a["${'x'.repeat(1_025)}"]`)).toContain('400 INVALID_ARGUMENT');
    expect(parse('a'.repeat(20_001))).toContain('400 INVALID_ARGUMENT');
    expect(parse('["'.repeat(10_000))).toContain('400 INVALID_ARGUMENT');
  });
});

describe('an update mask is judged by the schema', () => {
  test.each([
    ['primaryEmail', [['primaryEmail']]],
    ['primary_email,name.given_name', [['primaryEmail'], ['name', 'givenName']]],
    ['delivery_settings', [['delivery_settings']]],
    ['labels.any_key', [['labels', 'any_key']]],
    ['lines["-1"].cpm_micros', [['lines', '-1', 'cpmMicros']]],
    ['aliases,aliases', [['aliases']]],
    ['emails.x.y', [['emails', 'x', 'y']]],
    ['id,primaryEmail', [['primaryEmail']]],
    ['manager.id', []],
  ])('%s', (text, paths) => expect(judge(text)).toEqual(paths));

  test.each(['bogus', 'name.bogus', 'lines["-1"].bogus', 'primaryEmail.x', 'addresses.city', 'constructor', 'name.*'])(
    '%s cannot be updated',
    (text) => expect(judge(text)).toContain('400 INVALID_ARGUMENT invalid: Invalid field mask: no field'),
  );

  test('`*` is every field that can be written', () => {
    const names = (judge('*') as string[][]).map(([name]) => name);
    expect(names).toContain('primaryEmail');
    expect(names).not.toContain('id');
    expect(names).toHaveLength(Object.keys(schemas['User'] ?? {}).length - 1);
  });

  test.each(HOSTILE)('%j neither throws nor passes', (text) => {
    // A lone byte order mark is white space: no path at all.
    expect(text === '\uFEFF' ? judge(text) : String(judge(text)).slice(0, 20)).toEqual(
      text === '\uFEFF' ? [] : '400 INVALID_ARGUMENT',
    );
    expect(typeof judge(`labels["${text}"]`)).toMatch(/string|object/);
  });
});

describe('an update by mask', () => {
  const before = { a: 1, name: { givenName: 'A', familyName: 'B' }, list: [1, 2], lines: { x: { s: 1, t: 2 } } };
  const apply = (text: string, sent: Parameters<typeof applyFieldMask>[2]): unknown => {
    const paths = parseFieldMask(text);
    return paths.ok && applyFieldMask(paths.value, before, sent);
  };

  test.each([
    ['a', { a: 2, list: [] }, { ...before, a: 2 }],
    [
      'name.givenName',
      { name: { givenName: 'C', familyName: 'D' } },
      { ...before, name: { givenName: 'C', familyName: 'B' } },
    ],
    ['name', { name: { givenName: 'C' } }, { ...before, name: { givenName: 'C' } }],
    ['list', { list: [3] }, { ...before, list: [3] }],
    ['name.givenName', {}, { ...before, name: { familyName: 'B' } }],
    ['name.givenName', { name: null }, { ...before, name: { familyName: 'B' } }],
    ['list', { list: null }, { a: 1, name: before.name, lines: before.lines }],
    ['lines["y"]', { lines: { y: { s: 9 } } }, { ...before, lines: { ...before.lines, y: { s: 9 } } }],
    ['lines["x"].s', { lines: { x: { s: 9, t: 9 } } }, { ...before, lines: { x: { s: 9, t: 2 } } }],
    ['lines["x"]', {}, { ...before, lines: {} }],
    ['new.deep.path', { new: { deep: { path: 1, other: 2 } } }, { ...before, new: { deep: { path: 1 } } }],
    ['new.deep.path', {}, before],
    ['a.b', { a: { b: 1 } }, { ...before, a: { b: 1 } }],
    ['', { a: 2 }, before],
    ['constructor', {}, before],
  ])('%s of %j', (text, sent, after) => {
    const kept = structuredClone(before);
    expect(apply(text, sent)).toEqual(after);
    expect(before).toEqual(kept);
  });

  test('changes nothing but what it names', () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const bodies = fc.dictionary(
      names,
      fc.oneof(fc.integer(), fc.dictionary(names, fc.integer(), { noNullPrototype: true })),
      {
        noNullPrototype: true,
      },
    );
    fc.assert(
      fc.property(bodies, bodies, fc.subarray(['a', 'b', 'c']), (old, sent, masked) => {
        const after = applyFieldMask(
          masked.map((name) => [name]),
          old,
          sent,
        );
        for (const name of ['a', 'b', 'c']) expect(after[name]).toEqual((masked.includes(name) ? sent : old)[name]);
      }),
    );
  });
});
