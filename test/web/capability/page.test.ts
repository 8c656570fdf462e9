import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { catalog, findCapability } from '../../../src/capabilities/catalog.ts';
import { findPanel } from '../../../src/capabilities/panels.ts';
import { judgeOrder, type PageRow } from '../../../src/web/capability/faults.ts';
import { type CapabilityPage, renderCapabilityPage } from '../../../src/web/capability/page.tsx';
import { describeRowGoods, findExampleBody, listRelatedRows } from '../../../src/web/capability/rows.ts';
import { LANGUAGES } from '../../../src/web/language/language.ts';
import { treeOf } from '../../support/audit/page-tree.ts';
import { xssStrings } from '../../support/audit/xss-strings.ts';

const BASE_URL = 'https://sightline.test';
const model = { kind: 'openai-compatible', model: 'model-1' } as const;

function pageOf(row: PageRow, changes: Partial<CapabilityPage> = {}): CapabilityPage {
  const { language = 'en' } = changes;
  return {
    row,
    baseUrl: BASE_URL,
    language,
    address: '/',
    index: true,
    read: () => undefined,
    buy: {
      language,
      capability: row.name,
      priceUsd: '0.060000',
      mode: { kind: 'wallet' },
      payTo: `0x${'7a'.repeat(20)}`,
      baseUrl: BASE_URL,
      goods: describeRowGoods(row, findExampleBody(row), language),
    },
    engine: row.engineBacked ? model : undefined,
    ...changes,
  };
}
const render = async (row: PageRow, changes: Partial<CapabilityPage> = {}): Promise<string> =>
  String(await renderCapabilityPage(pageOf(row, changes)));
const rowOf = (name: string): PageRow => {
  const row = findCapability(name);
  if (row === undefined) throw new Error(`no ${name}`);
  return row;
};
/** The attributes of the field of a name. */
const fieldIn = (html: string, name: string): string =>
  html.split('<').find((tag) => /^(?:input|select|textarea) /.test(tag) && tag.includes(` name="${name}"`)) ?? '';

/** A row that no table of the pages knows, with a field of each kind that none of them knows. */
const invented: PageRow = {
  name: 'weigh_cargo',
  summary: 'Weight of a cargo, by what its papers say',
  priceMicroUsdc: 1_230_000,
  worstCaseS: 45,
  engineBacked: false,
  body: z.strictObject({
    port_address: z.url().meta({ description: 'Where the papers are', examples: ['https://port.example/'] }),
    ship: z.string().max(40).meta({ description: 'Name of the ship' }),
    diary: z.string().max(900).optional(),
    flag_of: z.enum(['north', 'south']).optional(),
    deck: z.literal([1, 2]).optional(),
    crates: z.int().min(1).max(9).optional(),
    tons: z.number().optional(),
    insured: z.boolean(),
    secret_cargo: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
    captain: z.strictObject({ full_name: z.string() }).optional(),
    holds: z
      .array(z.strictObject({ holds_what: z.string(), note: z.string().optional() }))
      .min(1)
      .max(2),
    other: z.record(z.string(), z.number()).optional(),
  }),
};

describe('the page of a row', () => {
  test('says price and longest time before the first field, in both languages', async () => {
    for (const row of catalog) {
      const [before = ''] = (await render(row)).split('<form id="order-form"');
      expect(before).toContain(`(${(row.priceMicroUsdc / 1_000_000).toFixed(2)} USDC)`);
      expect(before).toMatch(/at most/);
    }
    const [before = ''] = (await render(rowOf('fix_pack'), { language: 'de' })).split('<form id="order-form"');
    expect(before).toContain('0,55 USDC');
    expect(before).toContain('höchstens 1 Minute');
  });

  test('of an invented row has a field of each kind with a label, and no code of its own', async () => {
    for (const language of LANGUAGES) {
      const html = await render(invented, { language });
      expect(html).toContain('<h1>Weigh cargo</h1>');
      expect(html).toContain('Weight of a cargo');
      for (const label of ['Port address', 'Flag of', 'Secret cargo', 'Full name', 'Holds 2'])
        expect(html).toContain(label);
      expect(fieldIn(html, 'port_address')).toContain('placeholder="https://port.example/"');
      expect(fieldIn(html, 'diary')).toContain('maxlength="900"');
      expect(fieldIn(html, 'deck')).toContain('data-kind="json"');
      expect(fieldIn(html, 'crates')).toContain('inputmode="numeric"');
      expect(fieldIn(html, 'insured')).toContain('data-kind="answer"');
      expect(fieldIn(html, 'holds.0.holds_what')).toContain('required');
      expect(fieldIn(html, 'holds.1.holds_what')).not.toContain('required');
      expect(fieldIn(html, 'other')).toContain('data-kind="json"');
      expect(html).toContain(
        language === 'de' ? '<p id="order-ship-help" class="small" lang="en">' : 'Name of the ship',
      );
    }
    const filled: Record<string, string> = {
      port_address: 'https://port.example/',
      ship: 'Ada',
      deck: '2',
      crates: '3',
      tons: '1.5',
      tags: 'a\nb',
      'captain.full_name': 'C',
      'holds.1.holds_what': 'tea',
      other: '{"a":1}',
    };
    const judged = await judgeOrder(invented, (name) => filled[name], 'en');
    expect(judged).toEqual({
      faults: [],
      body: {
        port_address: 'https://port.example/',
        ship: 'Ada',
        deck: 2,
        crates: 3,
        tons: 1.5,
        insured: false,
        tags: ['a', 'b'],
        captain: { full_name: 'C' },
        holds: [{ holds_what: 'tea' }],
        other: { a: 1 },
      },
    });
    const wrong = await judgeOrder(invented, (name) => ({ ...filled, crates: '99', other: '{' })[name], 'en');
    expect(wrong.faults.map(({ name }) => name)).toEqual(['crates', 'other']);
  });

  test('is where one is in the navigation, filled in too', async () => {
    const html = await render(rowOf('visibility_check'), { address: '/visibility?brand=Acme' });
    expect(html).toContain('<a href="/visibility" aria-current="page">');
  });

  test('links what is wrong to its field', async () => {
    const html = await render(rowOf('check_health'), {
      read: (name) => (name === 'url' ? 'x y' : undefined),
      faults: [{ name: 'url', text: 'wrong here' }],
    });
    expect(html).toContain('<a href="#order-url">wrong here</a>');
    expect(fieldIn(html, 'url')).toContain('aria-invalid="true"');
    expect(fieldIn(html, 'url')).toContain('order-url-fault');
    expect(html).toContain('<p id="order-url-fault" class="fault">wrong here</p>');
    expect(fieldIn(html, 'url')).toContain('value="x y"');
  });

  test('opens what is folded away where it is filled in', async () => {
    const folded = /<details>\s*<summary>More choices/;
    expect(await render(rowOf('full_report'))).toMatch(folded);
    const html = await render(rowOf('full_report'), { read: (name) => (name === 'publish' ? 'true' : undefined) });
    expect(html).not.toMatch(folded);
    expect(fieldIn(html, 'publish')).toContain('checked');
  });

  test('leads to the free live audit of the same site', async () => {
    const html = await render(rowOf('score_geo'), { body: { url: 'https://example.com/?a=1&b' }, faults: [] });
    expect(html).toContain('href="/audit?url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b"');
  });

  test('sells nothing where no one can be asked, and says before the first field what a demonstration cannot say', async () => {
    const html = await render(rowOf('visibility_check'), { engine: undefined });
    expect(html).toContain('connected no AI model');
    expect(html).not.toContain('data-buy="panel"');
    const simulated = await render(rowOf('visibility_check'), { engine: { kind: 'simulated', model: 'simulated-1' } });
    const [before = ''] = simulated.split('<form id="order-form"');
    expect(before).toMatch(/its answers are invented.*cannot say anything about a real brand/s);
    expect(before).toContain('simulated-1');
    expect(before).toContain('at least eight in ten questions (24 of 30)');
    expect(await render(rowOf('visibility_check'))).not.toContain('invented');
  });

  test('of a panel lists the engines, has a box for each under “More choices”, and says when nothing is paid', async () => {
    const panel = findPanel('visibility_panel_2');
    if (panel === undefined) throw new Error('no panel');
    const engines = ['alpha', '<b>beta', 'gamma'].map((name) => ({ ...model, name, webSearch: name === 'alpha' }));
    const read = (name: string): string | undefined => (name === 'engines' ? 'gamma\n<b>beta' : undefined);
    for (const language of LANGUAGES) {
      const html = await render(panel, { engine: model, engines, read, language });
      const [before = '', form = ''] = html.split('<form id="order-form"');
      expect(before).toContain(
        language === 'de' ? 'Sie zahlen nur, wenn jeder Assistent' : 'only if every assistant gives',
      );
      const [needed = '', optional = ''] = form.split('<details open');
      expect(needed).toContain('name="niche"');
      const boxes = optional.split('<input').filter((tag) => tag.includes('name="engines"'));
      expect(boxes.map((tag) => /value="([^"]*)"/.exec(tag)?.[1])).toEqual(['alpha', '&lt;b&gt;beta', 'gamma']);
      expect(boxes.map((tag) => tag.split('>')[0]?.includes('checked'))).toEqual([false, true, true]);
      for (const name of ['competitors', 'site', 'language', 'kind', 'local', 'prompts', 'allow_partial'])
        expect(optional).toContain(`name="${name}"`);
      expect(html).not.toContain('<b>beta');
      const few = await render(panel, { engine: model, engines: engines.slice(0, 1), language });
      expect(few).not.toContain('data-buy="panel"');
      expect(html).toContain('data-buy="panel"');
    }
  });

  test('names the fields in the command as a shell reads them to the letter', () => {
    const { fields } = describeRowGoods(
      rowOf('visibility_fix_pack'),
      { brand: `O'Acme; $(rm)`, niche: 'CRM', weak_spots: [{ topic: 'a' }] },
      'en',
    );
    expect(fields).toBe(String.raw`brand='O'\''Acme; $(rm)' niche='CRM' weak_spots='[{"topic":"a"}]'`);
  });

  test('leads to rows about the same thing', () => {
    expect(listRelatedRows(rowOf('visibility_check')).map(({ name }) => name)).toEqual([
      'visibility_vs_competitor',
      'visibility_fix_pack',
    ]);
    for (const row of catalog) expect(listRelatedRows(row).length).toBeGreaterThan(0);
  });

  test('X7: what is typed becomes no markup', async () => {
    const row = rowOf('visibility_fix_pack');
    const hostile = (text: string) =>
      render(row, { read: () => text, faults: [], questions: { texts: [text], language: 'en' } });
    const plain = treeOf(await hostile('a'));
    for (const text of xssStrings) expect(treeOf(await hostile(text)).length).toBe(plain.length);
  });
});
