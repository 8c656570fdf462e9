import { describe, expect, test } from 'vitest';
import { ABSTRACT_ROLES, ARIA_ATTRIBUTES, ARIA_ROLES } from '../../../../src/audit/controls/facts/aria-data.ts';
import { listAriaFaults } from '../../../../src/audit/controls/facts/aria.ts';
import { PAGE_LIMITS } from '../../../../src/audit/page/facts/page-facts.ts';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';
import { type Row, testChecks } from '../../../support/audit/judge-check.ts';
import { pageOf } from '../../../support/audit/pages.ts';

const faults = (body: string): readonly string[] =>
  listAriaFaults(parsePage(body, { url: 'https://acme.example/', bodyBytes: body.length }), true).map(
    ({ kind, detail }) => `${kind} ${detail}`,
  );

const rows: readonly Row<string>[] = [
  ['valid ARIA passes', '<nav aria-label="Main"></nav>', 'pass', /No fault in the ARIA of 1 element/],
  [
    'one fault is partial',
    '<div role="x"></div>',
    'partial',
    /1 fault in the ARIA of 1 element: unknown role \(1\)/,
    { value: 0.75 },
  ],
  [
    'three faults are partial',
    '<div role="x"></div><div role="y" aria-busy="z"></div>',
    'partial',
    /unknown role \(2\), invalid value \(1\)/,
    { value: 0.25 },
  ],
  [
    'four faults fail',
    '<p role="w"></p><p role="x"></p><p role="y"></p><p role="z"></p>',
    'fail',
    /4 faults/,
    { value: 0 },
  ],
  ['a fault that a template repeats is one', '<p role="w"></p>'.repeat(50), 'partial', /1 fault in the ARIA of 50/],
  ['no ARIA is not applicable', '<button>x</button>', 'not_applicable', /no ARIA/, { value: 0 }],
];

describe('valid by WAI-ARIA 1.2', () => {
  test.each([
    '<div role="navigation"></div>',
    '<div role="MAIN"></div>',
    '<div role=""></div>',
    '<div role="doc-chapter"></div>',
    '<svg role="graphics-symbol img"></svg>',
    '<div role="text generic"></div>',
    '<button aria-pressed="mixed" aria-expanded="TRUE"></button>',
    '<div aria-relevant="additions text"></div>',
    '<div aria-current="page"></div>',
    '<div aria-haspopup="dialog"></div>',
    '<div aria-hidden="undefined"></div>',
    '<div aria-level="2" aria-colcount="-1"></div>',
    '<div aria-valuenow="0.5" aria-valuemin="-1e3" aria-valuemax=".5"></div>',
    '<div aria-label="anything at all"></div>',
    '<div aria-expanded=""></div>',
    '<div aria-labelledby="a" id="a"></div>',
    '<div aria-labelledby="missing a"></div><p id="a"></p>',
    '<svg aria-labelledby="t"><title id="t">x</title></svg>',
    '<button aria-controls="menu" aria-expanded="false"></button>',
    '<button aria-controls="menu" aria-haspopup="true"></button>',
    '<div role="tab" aria-selected="false" aria-controls="panel"></div>',
    '<div aria-describedby="built-later"></div>',
    '<p id="a"></p><p id="a"></p><div aria-label="x"></div>',
  ])('%s', (body) => {
    expect(faults(body)).toEqual([]);
  });
});

describe('faults', () => {
  test.each([
    ['<div role="butt0n"></div>', ['unknown_role butt0n']],
    ['<div role="widget"></div>', ['abstract_role widget']],
    ['<div role="constructor"></div>', ['unknown_role constructor']],
    ['<div aria-labeledby="a"></div>', ['unknown_attribute aria-labeledby']],
    ['<div aria-expanded="maybe"></div>', ['invalid_value aria-expanded="maybe"']],
    ['<div aria-busy="undefined"></div>', ['invalid_value aria-busy="undefined"']],
    ['<div aria-haspopup="true false"></div>', ['invalid_value aria-haspopup="true false"']],
    ['<div aria-relevant="additions more"></div>', ['invalid_value aria-relevant="additions more"']],
    ['<div aria-level="two"></div>', ['invalid_value aria-level="two"']],
    ['<div aria-level="2.5"></div>', ['invalid_value aria-level="2.5"']],
    ['<div aria-valuenow="50%"></div>', ['invalid_value aria-valuenow="50%"']],
    ['<div aria-activedescendant="a b"></div>', ['invalid_value aria-activedescendant="a b"']],
    ['<div aria-labelledby="a b"></div>', ['dangling_reference a b']],
    ['<button aria-controls="a" aria-expanded="true"></button>', ['dangling_reference a']],
    ['<template><p id="a"></p></template><div aria-labelledby="a"></div>', ['dangling_reference a']],
    ['<p id="a"></p><p id="a"></p><div aria-describedby="b a"></div>', ['duplicate_id a']],
    ['<div role="x"></div><div role="x"></div><p role="y"></p>', ['unknown_role x', 'unknown_role y']],
  ])('%s', (body, expected) => {
    expect(faults(body)).toEqual(expected);
  });

  test('references are not judged on a page whose ids are not all known', () => {
    expect(faults(`${'<p id="x"></p>'.repeat(PAGE_LIMITS.ids + 1)}<div aria-labelledby="y"></div>`)).toEqual([]);
    const page = parsePage('<div aria-labelledby="y">', { url: 'https://acme.example/', bodyBytes: 1 });
    expect(listAriaFaults(page, false)).toEqual([]);
  });
});

test('the tables have what the specification counts', () => {
  // WAI-ARIA 1.2 has 82 roles for authors, 12 abstract ones, and 48 states and properties; DPUB-ARIA 1.1 has 41 roles.
  const own = [...ARIA_ROLES].filter((role) => !role.includes('-'));
  const books = [...ARIA_ROLES].filter((role) => role.startsWith('doc-'));
  expect({ own: own.length, books: books.length, abstract: ABSTRACT_ROLES.size }).toEqual({
    own: 82 + 6,
    books: 41,
    abstract: 12,
  });
  expect(Object.keys(ARIA_ATTRIBUTES)).toHaveLength(48 + 5);
  expect([...ABSTRACT_ROLES].filter((role) => ARIA_ROLES.has(role))).toEqual([]);
});

testChecks(
  {
    'agent.ui.aria-valid': rows,
  },
  { site: pageOf, seen: 200 },
);
