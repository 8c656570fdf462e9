import { describe, expect, test } from 'vitest';
import { catalog, findCapability } from '../../../src/capabilities/catalog.ts';
import { exampleBodies } from '../../../src/capabilities/bodies.ts';
import { listOrderTexts } from '../../../src/web/capability/address.ts';
import { judgeOrder } from '../../../src/web/capability/faults.ts';

type Row = Parameters<typeof findCapability>[0];
async function judge(name: Row, filled: Record<string, string>, language: 'en' | 'de' = 'en') {
  const row = findCapability(name);
  if (row === undefined) throw new Error(`no ${name}`);
  return judgeOrder(row, (field) => filled[field], language);
}
const faultsOf = async (name: Row, filled: Record<string, string>, language?: 'en' | 'de') =>
  (await judge(name, filled, language)).faults.map(({ name: field, text }) => [field, text]);

const ACME = { brand: 'Acme', niche: 'CRM for dentists' };

describe('what is wrong with filled fields', () => {
  test.each(catalog)('nothing with the example of $name', async (row) => {
    const filled = new Map(listOrderTexts(exampleBodies[row.name]));
    const { faults, body } = await judgeOrder(row, (name) => filled.get(name), 'en');
    expect(faults).toEqual([]);
    expect(body).toEqual(exampleBodies[row.name]);
  });

  test.each(catalog)('each needed field of $name asks to be filled in', async ({ name, body }) => {
    const faults = await faultsOf(name, {});
    const needed = Object.keys(body.shape).filter((member) => member in exampleBodies[name]);
    expect(faults.map(([field]) => field?.split('.')[0])).toEqual(needed);
    for (const [, text] of faults) expect(text).toMatch(/^Fill in “.+”\.$/);
  });

  test.each<[Row, Record<string, string>, string, RegExp]>([
    ['check_health', { url: 'no address' }, 'url', /must be a website address/],
    ['check_health', { url: 'ftp://example.com' }, 'url', /must be a website address/],
    ['check_health', { url: 'https://a:b@example.com' }, 'url', /user name or password/],
    ['check_health', { url: `https://example.com/${'a'.repeat(2048)}` }, 'url', /at most 2048/],
    ['check_health', { url: 'example.com', max_pages: '99' }, 'max_pages', /whole number from 1 up to 25/],
    ['check_health', { url: 'example.com', max_pages: 'nine' }, 'max_pages', /whole number/],
    ['check_health', { url: 'example.com', profile: 'blog' }, 'profile', /Choose one of the list/],
    ['full_report', { url: 'example.com/path', publish: 'true' }, 'publish', /root of a public site/],
    ['visibility_check', { ...ACME, brand: '!!' }, 'brand', /letter or a digit/],
    ['visibility_check', { ...ACME, niche: 'a'.repeat(200) }, 'niche', /at most 120/],
    ['visibility_check', { ...ACME, niche: 'Acme CRM' }, 'niche', /names a measured brand/],
    ['visibility_check', { ...ACME, brand: 'a\u202eb' }, 'brand', /one line without control/],
    ['visibility_vs_competitor', { ...ACME, competitor_brand: 'ACME' }, 'competitor_brand', /the same brand/],
    ['visibility_fix_pack', { ...ACME, 'weak_spots.1.evidence': 'x' }, 'weak_spots.1.topic', /Fill in “Topic”/],
    [
      'visibility_fix_pack',
      { ...ACME, 'weak_spots.0.topic': 'a', 'weak_spots.2.topic': 'b'.repeat(121) },
      'weak_spots.2.topic',
      /at most 120/,
    ],
  ])('%s with %j is wrong in %s, in both languages', async (name, filled, field, text) => {
    expect(await faultsOf(name, filled)).toEqual([[field, expect.stringMatching(text)]]);
    const [german, ...more] = await faultsOf(name, filled, 'de');
    expect(more).toEqual([]);
    expect(german?.[0]).toBe(field);
    expect(german?.[1]).not.toMatch(text);
  });

  test('one fault for each field, in the order of the form', async () => {
    const faults = await faultsOf('compare', { url: 'no address', max_pages: 'x' });
    expect(faults.map(([field]) => field)).toEqual(['url', 'competitor', 'max_pages']);
  });
});

describe('a field of lines', () => {
  const prompts = ['Which desk is best for us?', 'short', '', 'What does a good help desk cost?', 'x'].join('\n');

  test('says of each wrong line its number and its text', async () => {
    const [fault, ...more] = await faultsOf('visibility_check', { ...ACME, prompts });
    expect(more).toEqual([]);
    expect(fault?.[0]).toBe('prompts');
    expect(fault?.[1]).toContain('Line 2 (“short”) is too short.');
    expect(fault?.[1]).toContain('Line 5 (“x”) is too short.');
    const [german] = await faultsOf('visibility_check', { ...ACME, prompts }, 'de');
    expect(german?.[1]).toContain('Zeile 2 („short“): zu kurz.');
  });

  test('says what is wrong with the list', async () => {
    const [fault] = await faultsOf('visibility_check', { ...ACME, prompts: 'Which desk is best for us?' });
    expect(fault).toEqual(['prompts', '“Your own questions” has too few lines.']);
  });

  test('names the line that names the brand', async () => {
    const six = ['one', 'two', 'three', 'four', 'five'].map((word) => `Which help desk has ${word} agents or more?`);
    const [fault] = await faultsOf('visibility_check', {
      ...ACME,
      prompts: [...six, 'Is Acme a good choice for us?'].join('\n'),
    });
    expect(fault?.[1]).toMatch(/^Line 6 \(“Is Acme a good choice for us\?”\) names a brand that is measured/);
  });
});
