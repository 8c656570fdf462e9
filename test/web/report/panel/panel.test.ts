import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { presentPanel } from '../../../../src/capabilities/panel-presenter.ts';
import { panelResult } from '../../../../src/capabilities/panel-results.ts';
import { citedPageChecks } from '../../../../src/capabilities/cited-pages/cited-page-audit.ts';
import type { CitationEvidence } from '../../../../src/capabilities/citation-evidence.ts';
import type { AnswerEngine, AnswerSource } from '../../../../src/models/port.ts';
import { createSimulatedEngine, demoBrands } from '../../../../src/models/adapters/simulated/answer.ts';
import { MAX_PANEL_RIVALS } from '../../../../src/visibility/panel/pooled-rivals.ts';
import { CitationSection } from '../../../../src/web/report/citations/citations.tsx';
import { listMainFigures } from '../../../../src/web/report/figures.ts';
import { listReportForms } from '../../../../src/web/report/forms.ts';
import { formatCitationSections } from '../../../../src/web/report/markdown/citations.ts';
import { formatPanelMarkdown } from '../../../../src/web/report/markdown/panel.ts';
import { PanelView } from '../../../../src/web/report/panel/panel.tsx';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { rowOf, textOf, treeOf, withText } from '../../../support/pages/view-page.ts';
import { measureOn, variedEngine } from '../../../support/pages/view-results.ts';

/** Answers with one text; `sources` of each. */
const saying = (text: string, sources?: readonly AnswerSource[]): AnswerEngine => ({
  ...variedEngine,
  answer: () =>
    Promise.resolve({
      ok: true,
      text,
      ...(sources === undefined ? {} : { sources }),
      servedModel: undefined,
      finishReason: 'stop',
      citations: sources?.map(({ url }) => url),
      usage: { inputTokens: undefined, outputTokens: undefined },
    }),
});
const down: AnswerEngine = {
  ...variedEngine,
  answer: () => Promise.resolve({ ok: false, reason: 'unavailable', detail: 'down', retryable: false }),
};

/** As another engine, but with a text that refuses at the first `count` prompts. */
const refusing = (engine: AnswerEngine, count: number): AnswerEngine => ({
  ...engine,
  answer: async (prompt, signal) => {
    const answer = await engine.answer(prompt, signal);
    return answer.ok && prompt.index < count
      ? { ...answer, text: "I'm sorry, but I can't help with that request." }
      : answer;
  },
});

type Asked = { competitors?: readonly string[]; site?: string; evidence?: CitationEvidence };

async function panelOf(engines: Readonly<Record<string, AnswerEngine>>, asked: Asked = {}) {
  const { evidence = { resolutions: [] }, ...input } = asked;
  const runs = await Promise.all(
    Object.entries(engines).map(async ([name, engine], at) => {
      const run = await measureOn(engine);
      const about = { ...run.engine, name, webSearch: at === 0, ...(at === 0 ? { country: 'DE' } : {}) };
      return { ...run, runId: `${at}`.repeat(32), engine: about };
    }),
  );
  const outcome = await presentPanel({
    panel: 1,
    capability: 'visibility_panel_2',
    input: {
      brand: 'Example Desk',
      niche: 'help desk software',
      allow_partial: true,
      questions: { set: 'v1' },
      ...input,
    },
    runs,
    citations: evidence,
  });
  if (!outcome.ok) throw new Error(`no result: ${JSON.stringify(outcome)}`);
  return panelResult.parse(outcome.result);
}

const NAMED = 'For help desk software, Example Desk is a good choice for most teams.';
const LEFT_OUT = 'For help desk software, Sample Support is a good choice for most teams.';
const parted = await panelOf({ always: saying(NAMED), never: saying(LEFT_OUT) }, { competitors: ['Sample Support'] });
const half = await panelOf({ alike: variedEngine, gone: down });

const [firstCheck] = citedPageChecks;
const checked = [firstCheck?.id ?? ''];
const SOURCES: readonly AnswerSource[] = [
  { url: 'https://www.techradar.com/best', title: 'Best help desks' },
  { url: 'https://example.com/help-desk', title: 'Help desk for small teams' },
];
const sourced = await panelOf(
  { cites: saying(NAMED, SOURCES), cites_too: saying(LEFT_OUT, SOURCES) },
  {
    site: 'https://example.com/',
    evidence: {
      resolutions: [],
      pages: [
        { url: 'https://www.techradar.com/best', side: 'cited', status: 'read', outcomes: { pass: checked } },
        { url: 'https://b.example/', side: 'cited', status: 'unread', reason: 'robots_disallowed' },
        { url: 'https://example.com/', side: 'own', status: 'read', outcomes: { fail: checked } },
      ],
    },
  },
);
const invented = await panelOf({
  made_up: createSimulatedEngine({ seed: 'panel', brands: demoBrands }),
  few: refusing(variedEngine, 4),
  gone: refusing(saying(NAMED), 30),
});

const render = (result: typeof parted, at: object = {}): string => String(PanelView({ result, ...at }));
/** A text of a page between two headings. */
const between = (text: string, from: string, to: string): string => text.split(from)[1]?.split(to)[0] ?? '';

describe('the report of a panel', () => {
  test('begins with who is named most, the place of the brand, and how many engines name it', () => {
    const [lead = ''] = textOf(render(parted)).split('All engines together');
    expect(lead).toContain('Example Desk , Sample Support are named most often, all equally often.');
    expect(lead).toContain('1 of 2 engines name it.');
    expect(lead).toContain('Example Desk shares number 1 of the 2 brands that are named with 1 other.');
    expect(textOf(render(sourced))).toContain('Example Desk is the only brand that is named.');
    expect(textOf(render(half))).toContain('The one engine that was measured names it.');
  });

  test('names all who tie for most, and counts those beyond three', () => {
    const rival = parted.pooled.rivals[0];
    if (rival === undefined) throw new Error('a rival is named');
    const withRivals = (count: number, value: number): typeof parted => ({
      ...parted,
      pooled: {
        ...parted.pooled,
        rivals: Array.from({ length: count }, (_, at) => ({
          ...rival,
          name: `Rival ${at}`,
          mention_rate: { ...rival.mention_rate, value },
        })),
      },
    });
    expect(textOf(render(withRivals(1, 0.5)))).toContain('Example Desk , Rival 0 are named most often, all equally');
    expect(textOf(render(withRivals(5, 0.5)))).toContain('Rival 1 , 3 more are named most often');
    expect(textOf(render(withRivals(3, 0.1)))).toContain('Example Desk is named most often.');
    const beyond = withRivals(MAX_PANEL_RIVALS, 0.9);
    expect(textOf(render(beyond))).toContain('Example Desk comes behind the 20 brands that are named most.');
    expect(textOf(render(beyond))).toContain('The table ends after 20 rivals');
    expect(textOf(render(beyond))).not.toContain('number 21');
    const among = textOf(render(withRivals(MAX_PANEL_RIVALS, 0.1)));
    expect(among).toContain('Example Desk is number 1.');
    expect(formatPanelMarkdown(beyond)).toContain('comes behind the 20 brands that are named most.');
  });

  test('warns before any figure: engines that are no model, few answers, and why an engine was not measured', () => {
    const text = textOf(render(invented));
    const [before = ''] = text.split('named most often.');
    expect(before).toContain('made_up : Simulated engine: these answers are invented.');
    expect(before).toContain('Degraded:');
    expect(before).toContain('few : 24 of 30 prompts got a real answer.');
    expect(before).toContain('gone : Not measured. 0 of 30 prompts were answered, and 24 are needed');
    expect(before).not.toContain('%');
    expect(textOf(render(parted))).not.toContain('Degraded');
    expect(render(invented, { language: 'de' })).toContain('<span lang="en">0 of 30 prompts were answered');
  });

  test('counts refusals and failures of every engine, measured or not', () => {
    const facts = between(
      textOf(render(invented)),
      'What each engine is, and what came of the prompts.',
      'What came of',
    );
    expect(facts).toContain('24 of 30 4 without a real answer (4 × the engine refused to answer)');
    expect(facts).toContain('2 without a text (2 × the engine filtered its answer)');
    expect(facts).toMatch(/gone .*0 of 30 \d+ without a real answer/);
  });

  test('lists every pair of engines with its counts', () => {
    const text = between(textOf(render(parted)), 'Which engines differ', 'Against your competitors');
    expect(text).toMatch(/always \/ never 30 30 0 100 points \S+ always names it more often/);
  });

  test('has sources by address and the checks of pages, as they are by themselves', () => {
    const { citations } = sourced;
    for (const language of ['en', 'de'] as const)
      expect(render(sourced, { language })).toContain(String(CitationSection({ citations, language })));
    const text = textOf(render(sourced));
    expect(text).toContain('Best help desks https://www.techradar.com/best');
    expect(text).toContain(`${firstCheck?.title} 1 of 1 pass 0 of 1 pass`);
    expect(textOf(render(parted))).toContain('the engine gives no sources, so they were not measured');
  });

  test('says who is recommended instead, and all of each measured engine', () => {
    const text = textOf(render(parted));
    expect(between(text, 'Recommended instead', 'What the answers say')).toContain(
      'Sample Support in 30 of 30 answers',
    );
    const each = between(text, 'Each engine in full', 'How it was measured');
    for (const { name } of parted.engines) expect(each).toContain(`All figures of ${name}`);
    for (const part of ['Weak spots', 'By kind of question', 'Who is named', 'How to read these figures'])
      expect(each.split(part)).toHaveLength(3);
    expect(textOf(render(half))).not.toContain('All figures of gone');
  });

  test('every table has a caption and heads of its columns', () => {
    for (const html of [render(parted), render(sourced), render(invented)]) {
      const tables = html.split('<table').slice(1);
      expect(tables.length).toBeGreaterThan(5);
      for (const table of tables) {
        expect(table).toMatch(/^[^>]*><caption>[^<]/);
        expect(table).toContain('<th scope="col"');
      }
    }
  });

  test('in German every sentence of ours is German', () => {
    const plain = { ...withText(invented, '…'), notes: [] };
    expect(textOf(render(plain, { language: 'de' }))).not.toMatch(
      /\b(?:engine|answers|prompts|named|refused|only|the)\b/,
    );
  });

  test('says which engines differ by more than chance, and that others may be alike', () => {
    const said = 'always names the brand more often than never: by 100 points on the 30 prompts';
    expect(textOf(render(parted))).toContain(said);
    const alike = {
      ...parted,
      differences: parted.differences.map((one) => ({ ...one, verdict: 'too_close_to_call' as const })),
    };
    expect(textOf(render(alike))).toContain('No two engines differ by more than chance');
    expect(textOf(render(alike))).not.toContain(said);
  });

  test('has a row for each engine; one that was not measured has words and no figure', () => {
    expect(rowOf(render(parted), 'always')).toContain('100 %');
    const gone = rowOf(render(half), 'gone');
    expect(gone).toContain('Not measured');
    expect(gone).toContain('only 0 real answers came.');
    expect(gone).not.toContain('%');
    expect(textOf(render(half))).toContain('Degraded');
  });

  test('says what each engine is, with its country by name', () => {
    expect(textOf(render(parted))).toContain('Germany');
    expect(textOf(render(parted, { language: 'de' }))).toContain('Deutschland');
  });

  test('sets the brand against each competitor with a verdict, and says nothing where none was named', () => {
    expect(textOf(render(parted))).toContain('Against your competitors');
    expect(textOf(render(half))).not.toContain('Against your competitors');
  });

  test('leads to texts against the pooled weak spots, at home alone', () => {
    const link = 'href="/visibility/fix?brand=Example+Desk';
    expect(render(parted, { atHome: true })).toContain(link);
    expect(render(parted)).not.toContain(link);
  });

  test('has its hashes at the end, folded away', () => {
    const [before = '', behind = ''] = render(parted).split('<summary>Hashes that prove');
    for (const { transcripts_sha256: hash } of parted.engines) {
      expect(before).not.toContain(hash);
      expect(behind).toContain(hash);
    }
  });

  test('X7: names that are markup become none', () => {
    const plain = treeOf(render(withText(parted, 'a'))).length;
    for (const text of attacks) expect(treeOf(render(withText(parted, text))).length).toBe(plain);
    const whole = treeOf(render(withText(sourced, 'a')));
    for (const text of attacks) expect(treeOf(render(withText(sourced, text)))).toEqual(whole);
  });

  test('has main figures, and the forms of a report', () => {
    expect(listMainFigures(parted, 'en')).toEqual([
      { name: 'Named', value: '50 %' },
      { name: 'Recommended', value: expect.stringMatching(/ %$/) as string },
    ]);
    expect(listReportForms('visibility_panel_4')).toEqual(['json', 'html', 'md']);
  });
});

describe('its Markdown', () => {
  test('says the same', () => {
    const text = formatPanelMarkdown(parted);
    expect(text).toContain('1 of 2 engines name it.');
    expect(text).toContain('by 100 points');
    expect(text).toContain('## Against your competitors');
    expect(text).toContain('## Recommended instead');
    expect(text).toContain('| `always` / `never` | 30 | 30 | 0 | 100 points |');
    expect(text).toContain('## All figures of `never`');
    expect(text).toContain(parted.engines[0]?.transcripts_sha256);
    expect(formatPanelMarkdown(half)).toContain('Not measured: only 0 real answers came.');
  });

  test('has sources by address and the checks of pages', () => {
    const text = formatPanelMarkdown(sourced);
    for (const section of formatCitationSections(sourced.citations, '##')) expect(text).toContain(section);
    expect(text).toContain(`| ${firstCheck?.title} | 1 of 1 pass | 0 of 1 pass |`);
  });

  test('warns before any figure, and has the outcome of each prompt', () => {
    const text = formatPanelMarkdown(invented);
    const [before = ''] = text.split('named most often.');
    expect(before).toContain('> **Warning:** `made_up`: Simulated engine: these answers are invented.');
    expect(before).toContain('> - `few`: 24 of 30 prompts got a real answer.');
    expect(before).toContain('> - `gone`: Not measured. `0 of 30 prompts were answered');
    expect(before).not.toContain('%');
    expect(text).toContain('4 without a real answer (4 × the engine refused to answer)');
    expect(text).toContain('| `few` | no answer: the engine refused to answer |');
  });

  test.each(attacks)('X7: nothing of %j acts in it', (attack) => {
    const shown = micromark(formatPanelMarkdown(withText(sourced, attack)), {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
    });
    expect(treeOf(shown).filter((tag) => /^<(?:a|img|script|input|iframe|svg) /.test(tag))).toEqual([]);
  });
});
