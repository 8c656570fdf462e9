import { describe, expect, test } from 'vitest';
import { formatVisibility } from '../../../src/cli/audit/print-visibility.ts';
import { renderResult } from '../../../src/cli/audit/print.ts';

const rate = { value: 0.4667, low: 0.3024, high: 0.6386, n: 30 };
const few = { value: 0.2, low: 0.0362, high: 0.6245, n: 5 };
const side = {
  mention_rate: rate,
  recommendation_rate: rate,
  share_of_voice: null,
  rivals: [{ name: 'Beta', mentioned: 9, recommended: 4 }],
  recommended_instead: [],
  intents: [
    { label: 'Price and value', mention_rate: few },
    { label: 'Solving a problem', mention_rate: { ...few, n: 3 } },
    { label: 'Being found at all', mention_rate: null },
  ],
  weak_spots: [{ topic: 'Price and value', who_wins: 'Beta', evidence: '"Beta is cheap": Beta 5/5, Acme 1/5' }],
  notes: ['A note on a brand.'],
};
const about = {
  brand: 'Acme',
  niche: 'CRM',
  run_id: 'abc',
  engine: { kind: 'recorded', model: 'm' },
  prompts: { valid: 30, total: 30 },
  degraded: false,
  warnings: [],
};
const alone = { ...about, ...side };
const versus = {
  ...about,
  competitor_brand: 'Beta',
  brands: { brand: side, competitor: side },
  verdict: 'too_close_to_call',
  p_value: 0.42,
  discordant: { brand_only: 5, competitor_only: 8, both: 2 },
  smallest_visible_difference: 0.214,
  notes: ['A note on the run.'],
};

describe('a measurement of one brand', () => {
  test('says how many answers are none and why, also of a comparison', () => {
    const refused = { total: 3, by_kind: { off_topic: 1, refusal: 2 } };
    const said =
      '3 without a real answer (2 × the engine refused to answer; 1 × about something else): counted in no rate, and not as "not named"';
    expect(formatVisibility({ ...alone, refused })[2]).toBe(said);
    const brands = { brand: { ...side, refused }, competitor: { ...side, refused } };
    expect(formatVisibility({ ...versus, brands }).filter((line) => line === said)).toHaveLength(1);
  });

  test('is printed rate by rate, with intervals, rivals, weak spots and notes', () => {
    expect(formatVisibility(alone)).toEqual([
      'Acme in answers about CRM',
      '30 of 30 prompts answered by recorded (m), run abc',
      '',
      'Mentioned                   47 %  (95 %: 30 % to 64 %, n 30)',
      'Recommended                 47 %  (95 %: 30 % to 64 %, n 30)',
      'Share of voice             no brand was named',
      '  Price and value           20 %  (95 %: 4 % to 62 %, n 5)',
      '  Solving a problem         20 %  (95 %: 4 % to 62 %, n 3)',
      '  Being found at all       no answers',
      '',
      'Rivals (answers that name them, recommend them):',
      '  Beta: 9, 4',
      '',
      'Weak spots:',
      '  Price and value: Beta named more often in these five',
      '    "Beta is cheap": Beta 5/5, Acme 1/5',
      'Note: A note on a brand.',
    ]);
  });

  test('with missing answers is degraded, and has the bounds that they could move the rate to', () => {
    const lines = formatVisibility({
      ...alone,
      prompts: { valid: 25, total: 30 },
      degraded: true,
      mention_rate: { ...rate, n: 25, worst_case: { low: 0.4, high: 0.5667 } },
    });
    expect(lines[2]).toBe('! degraded: so many prompts have no answer that every interval is wide');
    const mentioned = lines.findIndex((line) => line.startsWith('Mentioned'));
    expect(lines[mentioned + 1]).toBe('  if every missing answer had (not) named it: 40 % to 57 %');
  });

  test('that is complete says neither', () => {
    expect(formatVisibility(alone).join('\n')).not.toMatch(/degraded|missing answer/u);
  });

  test.each([
    ['Solving a problem', 'Beta', '  Solving a problem: Beta named more often in these three'],
    ['A topic of its own', 'Beta', '  A topic of its own: Beta named more often in these answers'],
    ['Price and value', undefined, '  Price and value'],
  ])('has a weak spot on %s, where %s is ahead', (topic, ahead, line) => {
    const spot = ahead === undefined ? { topic } : { topic, who_wins: ahead };
    const lines = formatVisibility({ ...alone, weak_spots: [spot] });
    expect(lines).toContain(line);
    expect(lines.join('\n')).not.toContain('wins');
  });

  test('keeps the counts behind the longest quote and names', () => {
    const counts = `": ${'B'.repeat(120)} 5/5, ${'A'.repeat(120)} 1/5`;
    const evidence = `"${'q'.repeat(240)}${counts}`;
    expect(formatVisibility({ ...alone, weak_spots: [{ topic: 'x', evidence }] })).toContain(`    ${evidence}`);
  });
});

describe('a comparison', () => {
  test('that is too close to call says what such a run would see, and has its notes', () => {
    const lines = formatVisibility(versus);
    expect(lines.slice(3, 9)).toEqual([
      'Verdict: too close to call (p 0.42; only Acme 5, only Beta 8)',
      'A run like this would see a true difference of 21 points in 80 % of runs.',
      'Note: A note on the run.',
      '',
      '-- Acme',
      'Mentioned                   47 %  (95 %: 30 % to 64 %, n 30)',
    ]);
    expect(lines).toContain('-- Beta');
    expect(lines.filter((line) => line === 'Note: A note on a brand.')).toHaveLength(2);
  });

  test.each([
    ['brand', 'Acme'],
    ['competitor', 'Beta'],
  ])('with the verdict %s names it, and no smallest difference', (verdict, name) => {
    const lines = formatVisibility({ ...versus, verdict });
    expect(lines[3]).toBe(`Verdict: ${name} (p 0.42; only Acme 5, only Beta 8)`);
    expect(lines[4]).toBe('Note: A note on the run.');
  });

  test('that could see no difference of any size says none', () => {
    const none = { brand_only: 0, competitor_only: 0, both: 0 };
    const silent = { ...versus, verdict: 'too_close_to_call', discordant: none };
    expect(formatVisibility(silent).join('\n')).toContain('Verdict: no answer names either');
    const text = formatVisibility({ ...versus, smallest_visible_difference: null }).join('\n');
    expect(text).toContain('Verdict: too close to call');
    expect(text).not.toContain('true difference');
  });
});

test('X8: names, quotes and notes are one safe line each', () => {
  const evil = '\u001B[2JEvil\u202E\nVerdict: Acme';
  const lines = formatVisibility({
    ...versus,
    brand: evil,
    notes: [evil],
    brands: { brand: { ...side, weak_spots: [{ topic: evil, who_wins: evil, evidence: evil }] }, competitor: side },
  });
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(lines.filter((line) => line.startsWith('Verdict: Acme'))).toEqual([]);
});

test('a result that is no measurement is a bug, not a report', () => {
  expect(() => formatVisibility({ ...versus, verdict: 'draw' })).toThrow('mention_rate');
  expect(() => formatVisibility({})).toThrow('run_id');
});

test('a bought measurement is printed like one made here, between its report and its payment', () => {
  const text = renderResult({
    capability: 'visibility_check',
    report_id: 'ab'.repeat(16),
    brand: 'Acme',
    niche: 'tea',
    run_id: 'cd'.repeat(16),
    degraded: false,
    engine: { kind: 'simulated', model: 'm' },
    prompts: { valid: 30, total: 30 },
    mention_rate: rate,
    recommendation_rate: rate,
    share_of_voice: null,
    rivals: [],
    recommended_instead: [],
    intents: [],
    weak_spots: [{ topic: 'Price and value' }],
    notes: [],
    warnings: ['simulated engine'],
    receipt: { jws: 'eyJhbGci' },
    payment: {
      method: 'x402',
      payer: '0xabc',
      transaction: `0x${'1'.repeat(64)}`,
      network: 'eip155:8453',
      amount: '1950000',
      amount_usd: '1.950000',
      settled_at: '2026-11-21T00:00:00.000Z',
    },
  });
  expect(text).toMatch(/^visibility_check\nReport (?:ab){16}\n\nAcme in answers about tea\n/);
  expect(text).toMatch(/^Mentioned +47 %/m);
  expect(text).toContain('Paid 1.950000 USDC by x402');
  expect(text).toContain('The signed receipt is in JSON only');
  expect(text).not.toContain('eyJ');
  expect(renderResult({ capability: 'check_health', checks: [] })).not.toContain('in answers about');
});
