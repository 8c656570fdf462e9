import { describe, expect, test } from 'vitest';
import type { CollectedRun } from '../../../../src/visibility/run/run.ts';
import { formatAnswersCsv } from '../../../../src/web/report/answers/answers-csv.ts';
import { MAX_SHOWN_ANSWER_CHARS, readAnswers } from '../../../../src/web/report/answers/read-answers.ts';
import type { ShownAnswers } from '../../../../src/web/report/answers/shown-answer.ts';
import { readStoredAnswers } from '../../../../src/web/report/answers/stored-answers.ts';
import { VisibilityView } from '../../../../src/web/report/views/visibility.tsx';
import { VersusView } from '../../../../src/web/report/views/versus.tsx';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { textOf, treeOf } from '../../../support/pages/view-page.ts';
import { measureOn, storedRunsOf, versusExample, visibilityExample } from '../../../support/pages/view-results.ts';

const run = await measureOn();
const result = await visibilityExample();
const versus = await versusExample();

const stored = (json: unknown) => ({ capability: 'visibility_check' as const, warnings: [], json });
async function shownOf(json: unknown = result, collected: CollectedRun = run): Promise<ShownAnswers> {
  const shown = await readStoredAnswers(stored(json), storedRunsOf(collected));
  if (!shown) throw new Error('a measurement has answers');
  return shown;
}
const shown = await shownOf();

/** The run with every answer replaced. */
const saying = (text: string): CollectedRun => ({
  ...run,
  answers: run.answers.map((one) => (one.status === 'answered' ? { ...one, text } : one)),
});

const render = (answers: ShownAnswers, language: 'en' | 'de' = 'en'): string =>
  String(VisibilityView({ result, language, answers: { shown: answers, csv: '/reports/x/answers.csv' } }));

describe('answers, read again', () => {
  test('name and recommend the brand as often as the report counts', () => {
    const count = (outcome: string): number => shown.answers.filter(({ outcomes }) => outcomes[0] === outcome).length;
    const named = Math.round(result.mention_rate.value * result.mention_rate.n);
    const liked = Math.round(result.recommendation_rate.value * result.recommendation_rate.n);
    expect(shown.answers).toHaveLength(result.prompts.valid);
    expect({ liked: count('recommended'), named: count('recommended') + count('named') }).toEqual({ liked, named });
    expect(count('absent')).toBeGreaterThan(0);
  });

  test('name each rival as often as the table of names says', () => {
    for (const { name, mentioned } of result.rivals)
      expect(shown.answers.filter(({ rivals }) => rivals.includes(name))).toHaveLength(mentioned);
  });

  test('mark the brand in each answer that names it, and in no other', () => {
    for (const { outcomes, blocks } of shown.answers) {
      const marked = blocks.flatMap(({ pieces }) => pieces).filter(({ mark }) => mark === 'brand');
      expect(marked.length > 0).toBe(outcomes[0] !== 'absent');
      for (const { text } of marked) expect(text.toLowerCase().replaceAll(/[^a-z]/g, '')).toBe('exampledesk');
    }
  });

  test('keep every character of each block, whatever is marked', () => {
    for (const { blocks } of shown.answers)
      for (const { pieces } of blocks) expect(pieces.every(({ text }) => text !== '')).toBe(true);
    const names = { brands: ['Example Desk'], rivals: ['Brindlewick', 'Unheard Of'] };
    const { prompts } = storedRunsOf(run);
    const said = saying('1. **Example Desk**: fine.\n2. **Brindlewick**: unlike Example Desk.');
    const [one] = readAnswers(said, prompts, names);
    expect(one?.rivals).toEqual(['Brindlewick']);
    expect(one?.blocks.map(({ pieces }) => pieces)).toEqual([
      [{ text: 'Example Desk', mark: 'brand' }, { text: ': fine.' }],
      [
        { text: 'Brindlewick', mark: 'rival' },
        { text: ': unlike ' },
        { text: 'Example Desk', mark: 'brand' },
        { text: '.' },
      ],
    ]);
  });

  test('one without end is cut, and says by how much', async () => {
    const long = await shownOf(result, saying(`Example Desk ${'word '.repeat(6000)}`));
    const [first] = long.answers;
    const chars = first?.blocks.flatMap(({ pieces }) => pieces).reduce((sum, { text }) => sum + text.length, 0);
    expect(chars).toBeLessThanOrEqual(MAX_SHOWN_ANSWER_CHARS);
    expect(first?.hiddenChars).toBeGreaterThan(10_000);
    expect(textOf(render(long))).toMatch(/[\d,]+ more characters are in the CSV file/);
  });

  test('of two brands mark both', async () => {
    const both = await readStoredAnswers(
      { ...stored(versus), capability: 'visibility_vs_competitor' },
      storedRunsOf(run),
    );
    const html = String(VersusView({ result: versus, ...(both && { answers: { shown: both, csv: '/x' } }) }));
    expect(both?.brands).toEqual(['Example Desk', 'Sample Support']);
    expect(html).toContain('<mark class="name of-second">');
    expect(textOf(html)).toMatch(/Sample Support : (?:Recommended|Named|Not named)/);
  });

  test('are none for a result without measurement', async () => {
    expect(await readStoredAnswers(stored({ files: [] }), storedRunsOf(run))).toBeUndefined();
  });
});

describe('the page of the answers', () => {
  const html = render(shown);
  const text = textOf(html);

  test('has the text of each answer beside its prompt, what it says of the brand, and never "Pass"', () => {
    for (const { index, blocks } of shown.answers) {
      const asked = result.prompts.asked.find((one) => one.index === index);
      expect(text).toContain(asked?.prompt);
      const words = blocks[0]?.pieces.map((piece) => piece.text).join('') ?? '';
      expect(text.replaceAll(/\s/g, '')).toContain(words.replaceAll(/\s/g, ''));
    }
    expect(html.split('class="outcome recommended"').length - 1).toBe(
      shown.answers.filter(({ outcomes }) => outcomes[0] === 'recommended').length,
    );
    expect(text).not.toMatch(/\bPass\b/);
    expect(text.indexOf('SHA-256')).toBeGreaterThan(text.lastIndexOf('Not named'));
  });

  test('without scripts lists everything, has its filter put away, and offers CSV and JSON', () => {
    expect(html.match(/<li data-answer/g)).toHaveLength(30);
    expect(html).toMatch(/<form class="filter" data-answer-filter="true" hidden=""/);
    expect(html).toContain('href="/reports/x/answers.csv"');
    expect(html).toContain(`href="/runs/${result.run_id}.json"`);
    expect(html.match(/data-outcome="failed"/g)).toHaveLength(2);
  });

  test('is in German where its reader is', () => {
    const german = textOf(render(shown, 'de'));
    for (const words of ['Was in den Antworten steht', 'Empfohlen', 'Nicht genannt', 'Nennungsrate', 'Schwachstellen'])
      expect(german).toContain(words);
    expect(german).not.toMatch(/Mention rate|Weak spots|How it was measured|Who is named/);
  });

  test.each([
    ...attacks.map((attack) => [attack.slice(0, 40), attack] as const),
    ['a word without end', 'x'.repeat(300)] as const,
    ['Arabic, Chinese and emoji', 'مرحبا 漢字 👩‍👩‍👧 Example Desk'] as const,
  ])('X6: %j in every answer stays text', async (_name, attack) => {
    const [hostile, plain] = await Promise.all([attack, 'plain'].map((words) => shownOf(result, saying(`a ${words}`))));
    if (!hostile || !plain) throw new Error('both are read');
    const inert = (page: string): readonly string[] =>
      treeOf(page).filter((tag) => !/^<\/?(?:p|mark|bdi|details|summary|span)\b/.test(tag));
    expect(inert(render(hostile))).toEqual(inert(render(plain)));
  });
});

describe('answers as CSV', () => {
  const csv = formatAnswersCsv(shown);

  test('have a row for each prompt, with the whole text', () => {
    expect(csv.split('\r\n')[0]).toBe(
      'prompt_id,kind,prompt,outcome: Example Desk,also_named,model,finish,sha256,answer',
    );
    for (const one of result.prompts.asked) expect(csv).toContain(`\r\n${one.id},${one.intent},`);
    for (const { text } of shown.answers) expect(csv).toContain(text.replaceAll('"', '""'));
    expect(csv).toContain('no answer: the engine filtered its answer');
  });

  test('X8: hold no formula', async () => {
    const formula = '=HYPERLINK("https://evil.example")';
    const hostile = formatAnswersCsv(await shownOf(result, saying(formula)));
    expect(hostile).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(hostile).not.toMatch(/(?:^|,|")=HYPERLINK/m);
  });
});
