import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { get, world } from '../world.ts';

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const query = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const ACME = { brand: 'Acme', niche: 'CRM for dentists' };

describe('GET /measure', () => {
  test('F3: no page elsewhere may read it', async () => {
    for (const path of ['/measure', '/measure/compare']) {
      const { status, headers } = await get(path, { origin: 'https://evil.example' });
      expect(status).toBe(200);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test('shows the questions about the market, without the brand, when its fields are good', async () => {
    const answer = await get(`/measure?${query(ACME)}`);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain('The 30 questions');
    const [, questions = ''] = html.split('questions-title">');
    expect(questions.split('</ol>')[0]).not.toContain('Acme');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  test.each([
    ['/measure', { brand: '', niche: 'CRM' }, 'Fill in “Your brand”'],
    ['/measure', { brand: 'Acme', niche: 'a'.repeat(200) }, 'Fill in “What buyers ask for”'],
    ['/measure', { brand: '!!', niche: 'CRM' }, '“Your brand” must contain a letter or a digit'],
    ['/measure', { brand: 'Acme', niche: 'Acme CRM' }, 'names a measured brand'],
    ['/measure/compare', { ...ACME, competitor_brand: 'ACME' }, 'is the same brand as'],
    ['/measure/compare', ACME, 'Fill in “Brand to compare with”'],
  ])('%s with %j says what is wrong, and shows no questions', async (path, fields, fault) => {
    const answer = await get(`${path}?${query(fields)}`);
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(html).toContain(fault);
    expect(html).not.toContain('questions-title');
  });
});
