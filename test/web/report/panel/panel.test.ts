import { describe, expect, test } from 'vitest';
import { presentPanel } from '../../../../src/capabilities/panel-presenter.ts';
import { panelResult } from '../../../../src/capabilities/panel-results.ts';
import type { AnswerEngine } from '../../../../src/models/port.ts';
import { listMainFigures } from '../../../../src/web/report/figures.ts';
import { listReportForms } from '../../../../src/web/report/forms.ts';
import { formatPanelMarkdown } from '../../../../src/web/report/markdown/panel.ts';
import { PanelView } from '../../../../src/web/report/panel/panel.tsx';
import { summarisePanel } from '../../../../src/web/report/panel/panel-report.ts';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { rowOf, textOf, treeOf, withText } from '../../../support/pages/view-page.ts';
import { measureOn, variedEngine } from '../../../support/pages/view-results.ts';

/** Answers that name the brand always, or never. */
const saying = (text: string): AnswerEngine => ({
  ...variedEngine,
  answer: () =>
    Promise.resolve({
      ok: true,
      text,
      servedModel: undefined,
      finishReason: 'stop',
      citations: undefined,
      usage: { inputTokens: undefined, outputTokens: undefined },
    }),
});
const down: AnswerEngine = {
  ...variedEngine,
  answer: () => Promise.resolve({ ok: false, reason: 'unavailable', detail: 'down', retryable: false }),
};

async function panelOf(engines: Readonly<Record<string, AnswerEngine>>, competitors?: readonly string[]) {
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
      ...(competitors === undefined ? {} : { competitors }),
    },
    runs,
    citations: { resolutions: [] },
  });
  if (!outcome.ok) throw new Error(`no result: ${JSON.stringify(outcome)}`);
  return panelResult.parse(outcome.result);
}

const NAMED = 'For help desk software, Example Desk is a good choice for most teams.';
const LEFT_OUT = 'For help desk software, Sample Support is a good choice for most teams.';
const parted = await panelOf({ always: saying(NAMED), never: saying(LEFT_OUT) }, ['Sample Support']);
const half = await panelOf({ alike: variedEngine, gone: down });
const render = (result: typeof parted, at: object = {}): string => String(PanelView({ result, ...at }));

describe('the report of a panel', () => {
  test('begins with who is named most, the place of the brand, and how many engines name it', () => {
    const [lead = ''] = textOf(render(parted)).split('All engines together');
    expect(lead).toContain('is named most often.');
    expect(lead).toContain('1 of 2 engines name it.');
    expect(summarisePanel(parted)).toMatchObject({ place: 1, namedBy: 1, engines: 2 });
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
    const [before = '', behind = ''] = render(parted).split('<details class="asked"');
    for (const { transcripts_sha256: hash } of parted.engines) {
      expect(before).not.toContain(hash);
      expect(behind).toContain(hash);
    }
  });

  test('X7: names that are markup become none', () => {
    const plain = treeOf(render(withText(parted, 'a'))).length;
    for (const text of attacks) expect(treeOf(render(withText(parted, text))).length).toBe(plain);
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
    expect(text).toContain(parted.engines[0]?.transcripts_sha256);
    expect(formatPanelMarkdown(half)).toContain('Not measured: only 0 real answers came.');
  });
});
