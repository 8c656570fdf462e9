import { describe, expect, test } from 'vitest';
import { MAX_RIVAL_ROWS } from '../../../../src/visibility/metrics/metrics.ts';
import { computeWilson } from '../../../../src/visibility/metrics/statistics.ts';
import { formatVisibilityMarkdown } from '../../../../src/web/report/markdown/visibility.ts';
import { VisibilityView } from '../../../../src/web/report/views/visibility.tsx';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { barOf, barsOf, rowOf, textOf, treeOf, withText } from '../../../support/pages/view-page.ts';
import { silentOnPrices, visibilityExample } from '../../../support/pages/view-results.ts';

const result = await visibilityExample();
const silent = await visibilityExample(silentOnPrices);
const render = (shown: typeof result): string => String(VisibilityView({ result: shown }));
const html = render(result);
const text = textOf(html);
const share = (value: number): string => `${Math.round(value * 100)} %`;

describe('the page of a visibility check', () => {
  test('says the main figures with their intervals and what they are counted from', () => {
    const { mention_rate: named, recommendation_rate: liked, share_of_voice: voice, average_position: place } = result;
    if (voice === null || place === null) throw new Error('the example has both');
    expect(text).toContain(`Mention rate ${share(named.value)}`);
    expect(text).toContain(
      `${Math.round(named.value * named.n)} of ${named.n} answers name it. 95 % interval: ${share(named.low)} to ${share(named.high)}.`,
    );
    expect(text).toContain(`${share(named.worst_case?.low ?? 0)} to ${share(named.worst_case?.high ?? 0)}`);
    expect(text).toContain(`Recommendation rate ${share(liked.value)}`);
    expect(text).toContain(`95 % interval: ${share(liked.low)} to ${share(liked.high)}.`);
    expect(text).toContain(`Share of voice ${share(voice.value)}`);
    expect(text).toContain(`95 % interval: ${share(voice.low)} to ${share(voice.high)}.`);
    expect(text).toContain(`Average position ${place.value.toFixed(1)}`);
    expect(text).toContain(`over the ${place.n} answers`);
  });

  test('says at the top who is named most often, and where the brand is among them', () => {
    const [first, second, third, fourth] = result.rivals;
    const above = result.rivals.filter(
      ({ mentioned }) => mentioned > result.mention_rate.value * result.mention_rate.n,
    );
    const [top = ''] = text.split('At a glance');
    expect(top).toContain(
      `Named most often: ${[first, second, third].map((rival) => `${rival?.name} (${rival?.mentioned} of ${result.mention_rate.n})`).join(', ')}.`,
    );
    expect(top).not.toContain(`${fourth?.name} (`);
    expect(top).toContain(`is number ${above.length + 1} of the ${result.rivals.length + 1} brands that are named.`);
    const unnamed = { ...result, mention_rate: { ...result.mention_rate, value: 0 } };
    expect(textOf(render(unnamed))).toContain('is named in no answer.');
    expect(textOf(render(unnamed)).split('At a glance')[0]).not.toContain(`${result.brand} (`);
    expect(html).toContain('id="named"');
  });

  test('says a place only as far as the table of rivals shows it, and with whom it is shared', () => {
    const [rival] = result.rivals;
    if (rival === undefined) throw new Error('the example names rivals');
    const own = Math.round(result.mention_rate.value * result.mention_rate.n);
    const said = (rivals: number, mentioned: number): string => {
      const rows = Array.from({ length: rivals }, (_, at) => ({ ...rival, name: `Rival ${at}`, mentioned }));
      return textOf(render({ ...result, rivals: rows })).split('At a glance')[0] ?? '';
    };
    expect(said(MAX_RIVAL_ROWS, own + 1)).toContain('comes behind the 20 brands that are named most.');
    expect(said(MAX_RIVAL_ROWS, own + 1)).not.toContain('number');
    expect(said(MAX_RIVAL_ROWS - 1, own + 1)).toContain('is number 20 of the 20 brands that are named.');
    expect(said(MAX_RIVAL_ROWS, own - 1)).toContain('is number 1.');
    expect(said(2, own)).toContain('shares number 1 of the 3 brands that are named with 2 others.');
    expect(said(2, own - 1)).toContain(`Named most often: ${result.brand} (${own} of`);
  });

  test('leads to a comparison with the same brand and market, at home alone', () => {
    const link = 'href="/visibility/compare?brand=';
    expect(String(VisibilityView({ result, atHome: true }))).toContain(link);
    expect(html).not.toContain(link);
  });

  test('says what a share of voice is counted from, and that one that was not measured is not 0', () => {
    expect(text).toContain('Its part of all brand names in the 28 answers. Each name counts once per answer.');
    const without = textOf(render({ ...result, share_of_voice: null }));
    expect(without).toContain('Not measured: no brand name was found in the answers');
    expect(without).toContain('This is not 0 %.');
  });

  test('says once that capitals have to match, beside the note on the ambiguous name', () => {
    const ambiguity = { level: 'high', case_sensitive: true, rejected: 4 } as const;
    const shown = textOf(render({ ...result, ambiguity }));
    expect(shown).toContain('Capitals have to match: 4 uses of the same letters were not counted.');
    expect(shown.split('short or also an ordinary word')).toHaveLength(result.ambiguity.case_sensitive ? 2 : 1);
  });

  test('draws each interval where the result has it', () => {
    const { mention_rate: named, recommendation_rate: liked, share_of_voice: voice } = result;
    if (voice === null) throw new Error('the example has a share');
    const intents = result.intents.flatMap(({ mention_rate: rate }) => (rate === null ? [] : [barOf(rate)]));
    expect(intents).toHaveLength(6);
    const above = result.rivals.filter(({ mentioned }) => mentioned > Math.round(named.value * named.n));
    expect(barsOf(html)).toEqual([
      barOf(named),
      barOf(liked),
      barOf(voice),
      ...intents,
      ...above.map(({ mention_rate: rate }) => barOf(rate, true)),
      barOf(named),
      ...result.rivals.slice(above.length).map(({ mention_rate: rate }) => barOf(rate, true)),
    ]);
    expect([above.length, result.rivals.length > above.length]).toEqual([7, true]);
  });

  test('has a row for each rival with its counts and shares', () => {
    expect(result.rivals.length).toBeGreaterThan(3);
    for (const { name, mentioned, mention_rate: rate, recommended, share_of_voice: voice } of result.rivals) {
      const row = textOf(`<tr${rowOf(html, name)}`);
      expect(row).toContain(
        `${share(rate.value)} ${share(rate.low)} to ${share(rate.high)} ${mentioned} of ${rate.n} ${recommended} ${share(voice)}`,
      );
    }
    expect(rowOf(html, `${result.brand} (this brand)`)).toContain('7 of 28');
  });

  test('the table of names, and its Markdown, begin with the one that is named most often', () => {
    const rate = (count: number) => ({ ...result.mention_rate, value: count / 28, low: 0, high: 1, n: 28 });
    const [some] = result.rivals;
    if (some === undefined) throw new Error('the example has rivals');
    const rivals = [20, 10, 9].map((count) => ({
      ...some,
      name: `Rival ${count}`,
      mentioned: count,
      mention_rate: rate(count),
    }));
    const shown = { ...result, mention_rate: rate(10), rivals };
    const lines = formatVisibilityMarkdown(shown)
      .split('\n')
      .map((line) => line.replaceAll('`', ''));
    const rows = lines
      .filter((line) => /^\| (?:Rival \d+|.*\(this brand\)) \|/u.test(line))
      .map((line) => line.split(' | ', 1)[0]);
    expect(rows).toEqual(['| Rival 20', `| ${result.brand} (this brand)`, '| Rival 10', '| Rival 9']);
    const page = textOf(render(shown));
    const places = ['Rival 20 71 %', `${result.brand} (this brand)`, 'Rival 10 36 %', 'Rival 9 32 %'].map((name) =>
      page.indexOf(name),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
  });

  test.each([
    [3, 1, 'Beta Corp is named more often in these 5 answers, too few to call it.'],
    [5, 0, 'Beta Corp is named more often in these 5 answers.'],
  ])('%i of 5 against %i of 5: a rival is called ahead only where the intervals part', (theirs, ours, said) => {
    const [intent] = result.intents;
    const interval = computeWilson(ours, 5);
    if (intent === undefined || interval === undefined) throw new Error('the example has intents');
    const shown = {
      ...result,
      weak_spots: [{ topic: intent.label, who_wins: 'Beta Corp', evidence: `Beta Corp ${theirs}/5, Acme ${ours}/5` }],
      intents: [{ ...intent, valid: 5, mention_rate: interval, top_rival: { name: 'Beta Corp', mentioned: theirs } }],
    };
    expect(textOf(render(shown))).toContain(said);
    expect(formatVisibilityMarkdown(shown)).toContain(said.replace('Beta Corp', '`Beta Corp`'));
    expect(`${textOf(render(shown))} ${formatVisibilityMarkdown(shown)}`).not.toMatch(/\bwins\b/u);
  });

  test('quotes whom the answers recommend instead, and why each weak spot is one', () => {
    expect(result.recommended_instead.length).toBeGreaterThan(3);
    for (const { name, answers, of, quote } of result.recommended_instead) {
      expect(text).toContain(`${name} in ${answers} of ${of} answers`);
      expect(text).toContain(quote.replaceAll(/\s+/gu, ' '));
    }
    for (const { topic, who_wins: winner, evidence } of result.weak_spots) {
      expect(text).toContain(
        `${topic} ${winner} is named more often in these 5 answers, too few to call it. ${evidence}`,
      );
    }
  });

  test('says for each kind of question how many answers there are, and who is named most', () => {
    for (const { label, valid, recommended, mention_rate: rate, top_rival: top } of result.intents) {
      expect(textOf(`<tr${rowOf(html, label)}`)).toContain(
        `${share(rate?.value ?? Number.NaN)} ${share(rate?.low ?? 0)} to ${share(rate?.high ?? 0)} ${valid} ${recommended} ${top?.name} in ${top?.mentioned}`,
      );
    }
  });

  test('a kind of question without an answer could not be looked at: it has no bar and no number', () => {
    const price = silent.intents.find(({ intent }) => intent === 'price');
    expect(price).toMatchObject({ valid: 0, mention_rate: null });
    const row = rowOf(render(silent), price?.label ?? '');
    expect(textOf(`<tr${row}`)).toContain('Could not check : no answer came. 0 – –');
    expect(row).not.toContain('<svg');
    expect(row).not.toContain('0 %');
  });

  test('sources and a share of voice that were not measured are not shown as none', () => {
    const page = render({ ...silent, share_of_voice: null, average_position: null });
    expect(silent.sources).toBeNull();
    expect(textOf(page)).toContain('Could not check : this engine gives no sources, so they were not measured.');
    expect(textOf(page)).toContain('Share of voice – Not measured: no brand name was found in the answers, so');
    expect(textOf(page)).toContain('Average position – No position: no answer names it.');
    expect(textOf(render({ ...silent, sources: [] }))).toContain('No answer cites a source.');
  });

  test('says how it was measured: engine, prompts, hashes, failures and cut answers', () => {
    for (const model of result.engine.served_models) expect(text).toContain(model);
    expect(text).toContain(result.engine.model);
    expect(text).toContain(result.prompts.sha256);
    expect(text).toContain(result.transcripts_sha256);
    expect(text).toContain(result.run_id);
    expect(text).toContain('Prompts answered 28 of 30');
    expect(text).toContain('Prompts without an answer 2: 2 because the engine filtered its answer');
    expect(text).toContain(`Answers cut off at the length limit ${result.truncated}`);
    expect(text).toContain(`${result.ambiguity.rejected} uses of the same letters were not counted.`);
    for (const note of result.notes) expect(text).toContain(note);
    for (const { domain, answers } of result.sources ?? []) expect(text).toContain(`${domain} ${answers}`);
  });

  test('says how many answers are none and why, in both languages; of a run without any, nothing', () => {
    const refused = { total: 3, by_kind: { refusal: 2, wrong_language: 1 } };
    const shown = { ...result, refused };
    expect(textOf(render(shown))).toContain(
      'No real answer 3: 2 × the engine refused to answer; 1 × written in another language than the question.',
    );
    expect(textOf(String(VisibilityView({ result: shown, language: 'de' })))).toContain('Keine echte Antwort 3: 2 × ');
    expect(formatVisibilityMarkdown(shown)).toContain('No real answer: 3 (2 × ');
    expect(text).not.toContain('No real answer');
    expect(formatVisibilityMarkdown(result)).not.toContain('No real answer');
  });

  test('without its answers says so, lists every prompt, and has the hashes folded away; nothing is called a pass', () => {
    const [listed = '', folded = ''] = html.split('<details class="asked">');
    expect(text).toContain('The texts of these answers are not stored here');
    for (const one of result.prompts.asked) {
      expect(textOf(listed)).toContain(one.prompt);
      expect(textOf(folded)).toContain(one.status === 'answered' ? one.sha256 : 'the engine filtered its answer');
    }
    expect(text).not.toContain('Pass');
  });

  test('warns of a simulated, a recorded and a degraded measurement before anything else', () => {
    const first = (shown: typeof result): string => textOf(render(shown)).slice(0, 60);
    const engine = { ...result.engine, kind: 'simulated' as const, simulated: true };
    expect(first({ ...result, engine })).toMatch(/^Simulated engine: these answers are invented/);
    expect(first({ ...result, engine: { ...engine, kind: 'recorded' } })).toMatch(/^Recorded engine:/);
    expect(first(silent)).toMatch(/^Degraded: only 25 of 30 prompts were answered/);
    expect(text).not.toContain('Simulated engine');
  });

  test.each(attacks.map((attack) => [attack.slice(0, 40), attack] as const))('X6: %j stays text', (_name, attack) => {
    const page = render(withText(result, attack));
    expect(treeOf(page)).toEqual(treeOf(render(withText(result, 'plain'))));
  });
});
