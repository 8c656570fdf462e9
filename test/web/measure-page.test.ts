import { describe, expect, test } from 'vitest';
import { describeMeasureOrder } from '../../src/web/buying/panel.tsx';
import { type MeasurePage, measurePage } from '../../src/web/measure/page.tsx';
import { xssStrings } from '../support/audit/xss-strings.ts';
import { treeOf } from '../support/audit/page-tree.ts';

const BASE_URL = 'https://sightline.test';
const model = { kind: 'openai-compatible', model: 'model-1' } as const;
const simulated = { kind: 'simulated', model: 'simulated-1' } as const;
const fields = { brand: '', niche: '', competitor_brand: '' };
const order = { brand: 'Acme', niche: 'CRM for dentists' };
const page: MeasurePage = {
  baseUrl: BASE_URL,
  isComparison: false,
  fields,
  buy: {
    language: 'en',
    capability: 'visibility_check',
    priceUsd: '1.950000',
    mode: { kind: 'wallet' },
    payTo: `0x${'7a'.repeat(20)}`,
    baseUrl: BASE_URL,
    goods: describeMeasureOrder(order),
  },
  otherPriceUsd: '3.500000',
  limitS: 120,
  engine: model,
};

const render = async (changes: Partial<MeasurePage> = {}): Promise<string> =>
  String(await measurePage({ ...page, ...changes }));

describe('the page that measures a brand', () => {
  test('says price, time and who is asked before the first field', async () => {
    const [before = ''] = (await render()).split('<form');
    for (const part of ['1.95 USDC', '2 minutes at most', 'model-1', '24 of the 30 questions', '3.50 USDC'])
      expect(before).toContain(part);
  });

  test('says before the first field what a simulated engine cannot say, and of a model nothing of the kind', async () => {
    const [before = ''] = (await render({ engine: simulated })).split('<form');
    expect(before).toMatch(/its answers are invented.*cannot say anything about a real brand/s);
    expect(await render()).not.toContain('invented');
  });

  test('sells nothing where no one can be asked', async () => {
    const html = await render({ engine: undefined });
    expect(html).toContain('connected no AI model');
    expect(html).not.toContain('data-buy="panel"');
  });

  test('asks for the second brand only where two are compared', async () => {
    expect(await render()).not.toContain('name="competitor_brand"');
    expect(await render({ isComparison: true })).toContain('name="competitor_brand"');
  });

  test('names the fields in the command as a shell reads them to the letter', async () => {
    const goods = describeMeasureOrder({ ...order, brand: `O'Acme; $(rm)` });
    const html = await render({ buy: { ...page.buy, goods } });
    expect(goods.fields).toBe(String.raw`brand='O'\''Acme; $(rm)' niche='CRM for dentists'`);
    expect(html).toContain('--max-usd 1.95');
  });

  test('X7: what is typed becomes no markup', async () => {
    const plain = treeOf(await render({ fields: { brand: 'a', niche: 'a', competitor_brand: 'a' }, questions: ['a'] }));
    for (const text of xssStrings) {
      const html = await render({ fields: { brand: text, niche: text, competitor_brand: text }, questions: [text] });
      expect(treeOf(html).length).toBe(plain.length);
    }
  });
});
