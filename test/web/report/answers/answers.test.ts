import { describe, expect, test } from 'vitest';
import type { CollectedRun } from '../../../../src/visibility/run/run.ts';
import {
  formatAnswersCsv,
  formatAnswerTableCsv,
  formatAnswerTableLines,
} from '../../../../src/web/report/answers/answer-tables.ts';
import { answerTables } from '../../../../src/web/report/answers/answer-tables-data.ts';
import { formatAnswersMarkdown } from '../../../../src/web/report/markdown/answers.ts';
import { MAX_SHOWN_ANSWER_CHARS, readAnswers } from '../../../../src/web/report/answers/read-answers.ts';
import type { ShownAnswer, ShownAnswers } from '../../../../src/web/report/answers/shown-answer.ts';
import { readStoredAnswers } from '../../../../src/web/report/answers/stored-answers.ts';
import { VisibilityView } from '../../../../src/web/report/views/visibility.tsx';
import { VersusView } from '../../../../src/web/report/views/versus.tsx';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { textOf, treeOf } from '../../../support/pages/view-page.ts';
import { measureOn, storedRunsOf, versusExample, visibilityExample } from '../../../support/pages/view-results.ts';

const run = await measureOn();
const result = await visibilityExample();
const versus = await versusExample();

type AnsweredPrompt = Extract<ShownAnswer, { status: 'answered' }>;
/** The real answers of all engines. */
const answeredOf = ({ runs }: ShownAnswers): readonly AnsweredPrompt[] =>
  runs.flatMap(({ answers }) => answers.filter((one) => one.status === 'answered'));

const stored = (json: unknown) => ({ capability: 'visibility_check' as const, warnings: [], json });
async function shownOf(json: unknown = result, collected: CollectedRun = run): Promise<ShownAnswers> {
  const read = await readStoredAnswers(stored(json), storedRunsOf(collected));
  if (!read) throw new Error('a measurement has answers');
  return read;
}
const shown = await shownOf();
const answered = answeredOf(shown);

/** The run with every answer replaced. */
const saying = (text: string): CollectedRun => ({
  ...run,
  answers: run.answers.map((one) => (one.status === 'answered' ? { ...one, text } : one)),
});

const render = (answers: ShownAnswers, language: 'en' | 'de' = 'en'): string =>
  String(VisibilityView({ result, language, answers: { shown: answers, report: '/reports/x' } }));

describe('answers, read again', () => {
  test('name and recommend the brand as often as the report counts', () => {
    const count = (outcome: string): number => answered.filter(({ outcomes }) => outcomes[0] === outcome).length;
    const named = Math.round(result.mention_rate.value * result.mention_rate.n);
    const liked = Math.round(result.recommendation_rate.value * result.recommendation_rate.n);
    expect(answered).toHaveLength(result.prompts.valid);
    expect({ liked: count('recommended'), named: count('recommended') + count('named') }).toEqual({ liked, named });
    expect(count('absent')).toBeGreaterThan(0);
  });

  test('name each rival as often as the table of names says', () => {
    for (const { name, mentioned } of result.rivals)
      expect(answered.filter(({ rivals }) => rivals.includes(name))).toHaveLength(mentioned);
  });

  test('mark the brand in each answer that names it, and in no other', () => {
    for (const { outcomes, blocks } of answered) {
      const marked = blocks.flatMap(({ pieces }) => pieces).filter(({ mark }) => mark === 'brand');
      expect(marked.length > 0).toBe(outcomes[0] !== 'absent');
      for (const { text } of marked) expect(text.toLowerCase().replaceAll(/[^a-z]/g, '')).toBe('exampledesk');
    }
  });

  test('keep every character of each block, whatever is marked', () => {
    for (const { blocks } of answered)
      for (const { pieces } of blocks) expect(pieces.every(({ text }) => text !== '')).toBe(true);
    const brands = ['Example Desk'];
    const { prompts } = storedRunsOf(run);
    const said = saying('1. **Example Desk**: fine.\n2. **Brindlewick**: unlike Example Desk.');
    const [one] = answeredOf({ brands, prompts, runs: [readAnswers(said, prompts, brands)] });
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
    const [first] = answeredOf(long);
    const chars = first?.blocks.flatMap(({ pieces }) => pieces).reduce((sum, { text }) => sum + text.length, 0);
    expect(chars).toBeLessThanOrEqual(MAX_SHOWN_ANSWER_CHARS);
    expect(first?.hiddenChars).toBeGreaterThan(10_000);
    expect(textOf(render(long))).toMatch(/[\d,]+ more characters are in the CSV file/);
  });

  test('of two brands mark both', async () => {
    const both = await readStoredAnswers(stored(versus), storedRunsOf(run));
    const html = String(VersusView({ result: versus, ...(both && { answers: { shown: both } }) }));
    expect(both?.brands).toEqual(['Example Desk', 'Sample Support']);
    expect(html).toContain('<mark class="name of-second">');
    expect(textOf(html)).toMatch(/Sample Support : (?:Recommended|Named|Not named)/);
  });

  test('say "warned of" where an answer advises against the brand, which is neither named nor absent', () => {
    const { prompts } = storedRunsOf(run);
    const brands = ['Example Desk', 'Brindlewick'];
    const said = saying('Stay away from Example Desk. I recommend Brindlewick.');
    const [one] = answeredOf({ brands, prompts, runs: [readAnswers(said, prompts, brands)] });
    expect(one?.outcomes).toEqual(['warned', 'recommended']);
    expect(one?.mentions).toEqual([
      { name: 'Example Desk', whose: 'brand', outcome: 'warned', quote: 'Stay away from Example Desk.' },
      { name: 'Brindlewick', whose: 'competitor', outcome: 'recommended', quote: 'I recommend Brindlewick.' },
    ]);
  });

  test('are none for a result without measurement', async () => {
    expect(await readStoredAnswers(stored({ files: [] }), storedRunsOf(run))).toBeUndefined();
  });
});

describe('the page of the answers', () => {
  const html = render(shown);
  const text = textOf(html);

  test('has the text of each answer beside its prompt, what it says of the brand, and never "Pass"', () => {
    for (const { index, blocks } of answered) {
      const asked = result.prompts.asked.find((one) => one.index === index);
      expect(text).toContain(asked?.prompt);
      const words = blocks[0]?.pieces.map((piece) => piece.text).join('') ?? '';
      expect(text.replaceAll(/\s/g, '')).toContain(words.replaceAll(/\s/g, ''));
    }
    expect(html.split('class="outcome recommended"').length - 1).toBe(
      answered.filter(({ outcomes }) => outcomes[0] === 'recommended').length,
    );
    expect(text).not.toMatch(/\bPass\b/);
    expect(text.indexOf('SHA-256')).toBeGreaterThan(text.lastIndexOf('Not named'));
  });

  test('without scripts lists everything, has its filter put away, and offers CSV and JSON', () => {
    expect(html.match(/<li data-answer/g)).toHaveLength(30);
    expect(html).toMatch(/<form class="filter" data-answer-filter="true" hidden=""/);
    expect(html).toContain('href="/reports/x/answers.csv"');
    for (const table of answerTables)
      for (const form of ['csv', 'jsonl']) expect(html).toContain(`href="/reports/x/answers.${form}?table=${table}"`);
    expect(html).toContain('data-missing="true" aria-pressed="false"');
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

/** The run with its first answer refused, and its second with these sources. */
const troubled: CollectedRun = {
  ...run,
  answers: run.answers.map((one) => {
    if (one.status !== 'answered') return one;
    const { citations: _citations, ...received } = one;
    if (one.index === 0) return { ...received, status: 'refused', refusal: 'refusal', text: "I'm sorry <b>no</b>." };
    return one.index === 1
      ? {
          ...one,
          sources: [
            { url: 'https://press.example/a?b=1', title: 'A <i>title</i>' },
            { url: 'javascript:alert(1)', title: 'Click' },
            { url: '=cmd()' },
          ],
        }
      : one;
  }),
};

describe('refusals and sources', async () => {
  const troubles = await shownOf(result, troubled);
  const html = render(troubles);

  test('a refusal is shown with its text and why, and is not among the answers that do not name the brand', () => {
    expect(html).toContain('data-outcome="refused"');
    const text = textOf(html);
    expect(text).toContain("I'm sorry no.");
    expect(text).toContain('the engine refused to answer');
    expect(text).toContain('No real answer: 1; no answer at all: 2. Neither counts as not named.');
    const count = (outcome: string): number => html.split(`data-outcome="${outcome}"`).length - 1;
    expect(count('absent')).toBe(answeredOf(troubles).filter(({ outcomes }) => outcomes[0] === 'absent').length);
    expect(['recommended', 'named', 'warned', 'absent', 'refused', 'failed'].map(count).reduce((a, b) => a + b)).toBe(
      30,
    );
  });

  test('a source is a link only by http or https, and hands nothing on', () => {
    expect(html).toContain('<a class="url" href="https://press.example/a?b=1" rel="noopener noreferrer nofollow ugc">');
    expect(html).not.toMatch(/href="(?:javascript|=cmd)/);
    expect(textOf(html)).toContain('A <i>title</i> : https://press.example/a?b=1');
    expect(textOf(html)).toContain('javascript:alert(1)');
  });

  test('Markdown has each prompt with its outcome, names as code, and no link of a source', () => {
    const text = formatAnswersMarkdown(troubles);
    expect(text.match(/^### /gm)).toHaveLength(30);
    expect(text).toContain('**No real answer**: the engine refused to answer');
    expect(text).toContain('- `A <i>title</i>`: `https://press.example/a?b=1`');
    expect(text).toMatch(/^\*\*(?:Recommended|Named|Not named)\*\*$/m);
    expect(text).toContain('**`Example Desk`**');
    expect(text).not.toMatch(/\]\(|<b>/);
  });

  test('as tables: a row for each prompt, answer, name and source', () => {
    const rowsOf = (table: (typeof answerTables)[number]) =>
      formatAnswerTableLines(troubles, table)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rowsOf('prompts')).toHaveLength(30);
    const answers = rowsOf('answers');
    expect(answers[0]).toMatchObject({ status: 'refused', outcome: null, reason: 'the engine refused to answer' });
    expect(answers.filter(({ status }) => status === 'failed')).toHaveLength(2);
    const own = rowsOf('mentions').filter(({ whose }) => whose === 'brand');
    expect(own).toHaveLength(
      answers.filter(({ outcome }) => ['recommended', 'named', 'warned'].includes(String(outcome))).length,
    );
    expect(own.every(({ name, quote }) => name === 'Example Desk' && quote !== '')).toBe(true);
    expect(rowsOf('citations').filter(({ prompt_id: id }) => id === troubles.prompts[1]?.id)).toEqual([
      {
        prompt_id: 'discovery-2',
        engine: 'openai-compatible',
        url: 'https://press.example/a?b=1',
        title: 'A <i>title</i>',
        position: 1,
      },
      {
        prompt_id: 'discovery-2',
        engine: 'openai-compatible',
        url: 'javascript:alert(1)',
        title: 'Click',
        position: 2,
      },
      { prompt_id: 'discovery-2', engine: 'openai-compatible', url: '=cmd()', title: null, position: 3 },
    ]);
    for (const table of answerTables) {
      const csv = formatAnswerTableCsv(troubles, table);
      expect(csv.split('\r\n')[0]?.split(',')).toEqual(Object.keys(rowsOf(table)[0] ?? {}));
    }
  });

  test('X8: a formula in a source is text', () => {
    expect(formatAnswerTableCsv(troubles, 'citations')).toContain(",'=cmd(),");
  });
});

describe('answers of several engines', async () => {
  const panel = await readStoredAnswers(stored(result), {
    ...storedRunsOf(run),
    runs: [
      { ...run, engine: { ...run.engine, name: 'one' } },
      { ...troubled, runId: 'f'.repeat(32), engine: { ...run.engine, name: 'two' } },
    ],
  });
  if (panel === undefined) throw new Error('both have answers');
  const html = render(panel);

  test('are listed under each prompt, with a filter by engine and counts for each', () => {
    expect(html.match(/<li data-answer/g)).toHaveLength(60);
    expect(html).toContain('<option value="1">two</option>');
    expect(html.match(/data-engine="0"/g)).toHaveLength(30);
    expect(html.match(/<ul class="answer-counts">/g)).toHaveLength(2);
    expect(html).toContain(`href="/runs/${'f'.repeat(32)}.json"`);
    expect(render(shown)).not.toContain('name="engine"');
  });

  test('say in every row of a file who answered', () => {
    expect(formatAnswersCsv(panel).split('\r\n')[0]).toMatch(/,answer,engine$/);
    const engines = formatAnswerTableLines(panel, 'answers').match(/"engine":"(?:one|two)"/g);
    expect(engines).toHaveLength(60);
  });
});

describe('answers as CSV', () => {
  const csv = formatAnswersCsv(shown);

  test('have a row for each prompt, with the whole text', () => {
    expect(csv.split('\r\n')[0]).toBe(
      'prompt_id,kind,prompt,outcome: Example Desk,also_named,model,finish,sha256,answer',
    );
    for (const one of result.prompts.asked) expect(csv).toContain(`\r\n${one.id},${one.intent},`);
    for (const { text } of answered) expect(csv).toContain(text.replaceAll('"', '""'));
    expect(csv).toContain('no answer: the engine filtered its answer');
  });

  test('X8: hold no formula', async () => {
    const formula = '=HYPERLINK("https://evil.example")';
    const hostile = formatAnswersCsv(await shownOf(result, saying(formula)));
    expect(hostile).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(hostile).not.toMatch(/(?:^|,|")=HYPERLINK/m);
  });
});
