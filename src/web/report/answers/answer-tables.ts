import { formatCsv } from '../../console/tables.tsx';
import { FAILURES, REFUSALS } from '../parts/words.ts';
import type { AnswerTable } from './answer-tables-data.ts';
import type { ShownAnswer, ShownAnswers } from './shown-answer.ts';

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;

const columns: Readonly<Record<AnswerTable, readonly string[]>> = {
  prompts: ['prompt_id', 'kind', 'prompt'],
  answers: [
    'prompt_id',
    'engine',
    'status',
    'outcome',
    'outcome_competitor',
    'reason',
    'model',
    'finish',
    'sha256',
    'answer',
  ],
  mentions: ['prompt_id', 'engine', 'name', 'whose', 'outcome', 'quote'],
  citations: ['prompt_id', 'engine', 'url', 'title', 'position'],
};

/** The rows of a table, each with every column; null where there is nothing to say. */
function listRows(shown: ShownAnswers, table: AnswerTable): readonly Row[] {
  if (table === 'prompts')
    return shown.prompts.map(({ id, intent, text }) => ({ prompt_id: id, kind: intent, prompt: text }));
  const idOf = new Map(shown.prompts.map(({ index, id }) => [index, id]));
  return shown.runs.flatMap((run) =>
    run.answers.flatMap((answer) => {
      const place = { prompt_id: idOf.get(answer.index) ?? '', engine: run.engine };
      if (table === 'answers') return [{ ...place, ...describeAnswer(answer) }];
      return table === 'mentions' ? listMentions(place, answer) : listCitations(place, answer);
    }),
  );
}

function describeAnswer(answer: ShownAnswer): Row {
  const { status } = answer;
  const none = { outcome: null, outcome_competitor: null, reason: null };
  if (status === 'failed')
    return { ...none, status, reason: FAILURES[answer.reason], model: null, finish: null, sha256: null, answer: null };
  const { model, finish, sha256, text } = answer;
  const received = { model: model ?? null, finish, sha256, answer: text };
  if (status === 'refused') return { ...none, status, reason: REFUSALS[answer.refusal], ...received };
  const [own = null, other = null] = answer.outcomes;
  return { status, outcome: own, outcome_competitor: other, reason: null, ...received };
}

const listMentions = (place: Row, answer: ShownAnswer): readonly Row[] =>
  answer.status === 'answered' ? answer.mentions.map((mention) => ({ ...place, ...mention })) : [];

const listCitations = (place: Row, answer: ShownAnswer): readonly Row[] =>
  answer.status === 'answered'
    ? (answer.sources ?? []).map(({ url, title }, at) => ({ ...place, url, title: title ?? null, position: at + 1 }))
    : [];

/** A table as CSV: what a spreadsheet would run is text (rule X8). */
export const formatAnswerTableCsv = (shown: ShownAnswers, table: AnswerTable): string =>
  formatCsv([columns[table], ...listRows(shown, table).map((row) => columns[table].map((name) => row[name] ?? ''))]);

/** A table as JSON Lines: an object a row, with every column. */
export const formatAnswerTableLines = (shown: ShownAnswers, table: AnswerTable): string =>
  listRows(shown, table)
    .map((row) => `${JSON.stringify(Object.fromEntries(columns[table].map((name) => [name, row[name] ?? null])))}\n`)
    .join('');

/** Every prompt with its whole answer on one line, for a spreadsheet (rule X8). */
export function formatAnswersCsv({ brands, prompts, runs }: ShownAnswers): string {
  const isPanel = runs.length > 1;
  const byIndex = runs.map(({ answers }) => new Map(answers.map((answer) => [answer.index, answer])));
  const head = ['prompt_id', 'kind', 'prompt', ...brands.map((brand) => `outcome: ${brand}`), 'also_named'];
  const rows = prompts.flatMap(({ index, id, intent, text }) =>
    runs.map((run, place) => [
      id,
      intent,
      text,
      ...describeOverview(byIndex[place]?.get(index), brands),
      ...(isPanel ? [run.engine] : []),
    ]),
  );
  const more = ['model', 'finish', 'sha256', 'answer', ...(isPanel ? ['engine'] : [])];
  return formatCsv([[...head, ...more], ...rows]);
}

function describeOverview(answer: ShownAnswer | undefined, brands: readonly string[]): readonly string[] {
  if (answer === undefined) return [...brands.map(() => ''), '', '', '', '', ''];
  if (answer.status === 'failed')
    return [...brands.map(() => `no answer: ${FAILURES[answer.reason]}`), '', '', '', '', ''];
  const { model = '', finish, sha256, text } = answer;
  return answer.status === 'refused'
    ? [...brands.map(() => `refused: ${REFUSALS[answer.refusal]}`), '', model, finish, sha256, text]
    : [...brands.map((_, at) => answer.outcomes[at] ?? ''), answer.rivals.join('; '), model, finish, sha256, text];
}
