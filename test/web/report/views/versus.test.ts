import { describe, expect, test } from 'vitest';
import { formatVersusMarkdown } from '../../../../src/web/report/markdown/visibility.ts';
import { VersusView } from '../../../../src/web/report/views/versus.tsx';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { barOf, barsOf, rowOf, textOf, treeOf, withText } from '../../../support/pages/view-page.ts';
import { silentOnPrices, variedEngine, versusExample } from '../../../support/pages/view-results.ts';

const close = await versusExample();
const decided = await versusExample(variedEngine, 'Brindlewick');
const render = (shown: typeof close): string => String(VersusView({ result: shown }));
const html = render(close);
const text = textOf(html);

describe('the page of a comparison of two brands', () => {
  test('names the winner, or says that it cannot', () => {
    expect(close.verdict).toBe('too_close_to_call');
    expect(text).toContain('Too close to call');
    expect(decided.verdict).toBe('competitor');
    expect(textOf(render(decided))).toContain('Brindlewick is named more often than Example Desk');
    expect(textOf(render({ ...decided, verdict: 'brand' }))).toContain(
      'Example Desk is named more often than Brindlewick',
    );
  });

  test('says that no answer names either, rather than that it is close', () => {
    const none = { brand_only: 0, competitor_only: 0, both: 0, neither: 30 };
    const shown = textOf(render({ ...close, discordant: none }));
    expect(shown).toContain('No answer names either brand');
    expect(shown).not.toContain('Too close to call');
    expect(formatVersusMarkdown({ ...close, discordant: none })).toContain('**No answer names either brand.**');
  });

  test('says the p value and what it means in words', () => {
    expect(text).toContain(`p = ${close.p_value}.`);
    expect(text).toContain('in about 18 of 100 runs. That is too common to call a difference');
    const rare = textOf(render({ ...decided, p_value: 0.0004 }));
    expect(rare).toContain('in fewer than 1 of 1,000 runs. That is rare enough to call the difference.');
    expect(textOf(render({ ...decided, p_value: 0.0042 }))).toContain('in about 4 of 1,000 runs');
    expect(textOf(render({ ...close, p_value: 1 }))).toContain('in practically every run');
  });

  test('says the counts and the smallest difference once, and every other note', () => {
    const spoken = ['answers name only the brand', 'With this much disagreement'];
    for (const part of spoken) expect(close.notes.some((note) => note.includes(part))).toBe(true);
    for (const part of spoken) expect(text).not.toContain(part);
    for (const note of close.notes.filter((one) => !spoken.some((part) => one.includes(part))))
      expect(text).toContain(note);
  });

  test('counts and draws which of the two the answers name', () => {
    const { brand_only: ahead, competitor_only: behind, both, neither } = close.discordant;
    expect(text).toContain(`Only Example Desk ${ahead} Both ${both} Only Sample Support ${behind} Neither ${neither}`);
    const total = ahead + both + behind + neither;
    const drawn = [...html.matchAll(/<rect class="(\w+)" x="(\d+)" y="0" width="(\d+)" height="24"/g)];
    expect(drawn.map(([, tone, x, width]) => [tone, Number(x), Number(width)])).toEqual([
      ['first', 0, Math.round((ahead / total) * 1000)],
      ['both', Math.round((ahead / total) * 1000), Math.round((both / total) * 1000)],
      ['second', Math.round(((ahead + both) / total) * 1000), Math.round((behind / total) * 1000)],
      ['neither', Math.round(((ahead + both + behind) / total) * 1000), Math.round((neither / total) * 1000)],
    ]);
  });

  test('says the smallest difference that could be seen, also when there is none', () => {
    expect(close.smallest_visible_difference).toBe(0.257);
    expect(text).toContain('four times out of five is 25.7 points');
    expect(textOf(render({ ...close, smallest_visible_difference: null }))).toContain(
      'So few answers cannot show a difference of any size.',
    );
  });

  test('draws the rates of both side by side, then by kind of question', () => {
    const { brand, competitor } = close.brands;
    if (brand.share_of_voice === null || competitor.share_of_voice === null) throw new Error('the example has shares');
    const intents = brand.intents.flatMap(({ mention_rate: rate }, at) => {
      const other = competitor.intents[at]?.mention_rate;
      return rate && other ? [barOf(rate), barOf(other, true)] : [];
    });
    expect(barsOf(html).slice(0, 18)).toEqual([
      barOf(brand.mention_rate),
      barOf(competitor.mention_rate, true),
      barOf(brand.recommendation_rate),
      barOf(competitor.recommendation_rate, true),
      barOf(brand.share_of_voice),
      barOf(competitor.share_of_voice, true),
      ...intents,
    ]);
  });

  test('a kind of question without an answer could not be looked at, for both', async () => {
    const silent = await versusExample(silentOnPrices);
    const row = rowOf(render(silent), 'Price and value');
    expect(row.match(/Could not check/g)).toHaveLength(2);
    expect(row).not.toContain('<svg');
  });

  test('has all figures of both, and the notes of the run', () => {
    for (const side of Object.values(close.brands)) {
      expect(text).toContain(`All figures of ${side.name}`);
      for (const { name, answers, of } of side.recommended_instead)
        expect(text).toContain(`${name} in ${answers} of ${of} answers`);
      for (const note of side.notes) expect(text).toContain(note);
    }
    for (const note of close.notes.slice(2)) expect(text).toContain(note);
    expect(text).toContain(close.transcripts_sha256);
  });

  test('warns of a simulated engine before anything else', () => {
    const page = render({ ...close, engine: { ...close.engine, kind: 'simulated', simulated: true } });
    expect(textOf(page)).toMatch(/^Simulated engine:/);
  });

  test.each(attacks.map((attack) => [attack.slice(0, 40), attack] as const))('X6: %j stays text', (_name, attack) => {
    expect(treeOf(render(withText(close, attack)))).toEqual(treeOf(render(withText(close, 'plain'))));
  });
});
