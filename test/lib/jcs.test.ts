import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatJcs } from '../../src/lib/jcs.ts';

test('members are sorted by UTF-16 code units, and numbers and texts are as RFC 8785 has them', () => {
  // The example of its section 3.2.3, and numbers of its appendix B.
  const value = JSON.parse(
    String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
  ) as unknown;
  expect(formatJcs(value)).toBe(
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
  expect(
    formatJcs(JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0, 1e21, 1e-7]')),
  ).toBe('[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21,1e-7]');
  expect(formatJcs({ b: [{ z: null, a: true }], a: '\u000f\n"\\' })).toBe(
    String.raw`{"a":"\u000f\n\"\\","b":[{"a":true,"z":null}]}`,
  );
});

test('half of a surrogate pair is written as its escape, so that there is one text for it', () => {
  expect(formatJcs(['\ud83d'])).toBe(String.raw`["\ud83d"]`);
});

test('the same value has one text, however it was written and whatever the order of its members', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
      const turned = Object.fromEntries(Object.entries(members).toReversed());
      const spaced = JSON.parse(JSON.stringify(members, null, 3)) as unknown;
      const text = formatJcs(JSON.parse(JSON.stringify(members)));
      expect(formatJcs(JSON.parse(JSON.stringify(turned)))).toBe(text);
      expect(formatJcs(spaced)).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(members)));
    }),
  );
});
