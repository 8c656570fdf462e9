import { expect, test } from 'vitest';
import { parseLinkHeader } from '../../../../src/audit/api/facts/link-header.ts';

test('a Link header gives targets, relations and types', () => {
  expect(parseLinkHeader('</a>; rel="service-desc alternate"; type="application/json", <b>;rel=Next')).toEqual([
    { href: '/a', rels: ['service-desc', 'alternate'], type: 'application/json' },
    { href: 'b', rels: ['next'], type: '' },
  ]);
});
