import type { StoredRuns } from '../../capabilities/visibility-recording.ts';
import { answersWords } from '../../web/report/answers/answers-words.ts';
import {
  formatAnswersCsv,
  formatAnswerTableCsv,
  formatAnswerTableLines,
} from '../../web/report/answers/answer-tables.ts';
import { isAnswerTable } from '../../web/report/answers/answer-tables-data.ts';
import type { AnswerPiece, ShownAnswer, ShownAnswers } from '../../web/report/answers/shown-answer.ts';
import { readStoredAnswers } from '../../web/report/answers/stored-answers.ts';
import { failureWords } from '../../web/report/parts/failure-words.ts';
import { formatSafeLine } from '../core/terminal.ts';

/** Which answers `--show` prints. */
export type ShownChoice = 'answers' | 'missing';

/** Characters of one line of an answer: paragraphs are lines. */
const MAX_LINE = 8_000;

const words = answersWords.en;

/** The answers behind a result, as its page reads them. */
export const readShownAnswers = (
  result: Record<string, unknown>,
  runs: StoredRuns,
): Promise<ShownAnswers | undefined> => readStoredAnswers({ json: result }, runs);

/** The answers as CSV or JSON Lines: one table, or for CSV without a name the whole answers for a spreadsheet. */
export function formatAnswerFile(shown: ShownAnswers, format: 'csv' | 'jsonl', table: string | undefined): string {
  const name = table !== undefined && isAnswerTable(table) ? table : undefined;
  if (format === 'jsonl') return formatAnswerTableLines(shown, name ?? 'answers');
  return name === undefined ? formatAnswersCsv(shown) : formatAnswerTableCsv(shown, name);
}

/** Answers for people at a terminal, with names marked. Texts of engines become one safe line a paragraph (rule X8). */
export function formatShownAnswers({ brands, prompts, runs }: ShownAnswers, choice: ShownChoice): readonly string[] {
  const promptOf = new Map(prompts.map((prompt) => [prompt.index, prompt.text]));
  const listed = runs.flatMap(({ engine, answers }) =>
    answers
      .filter((answer) => choice === 'answers' || isMissing(answer))
      .flatMap((answer) => [
        '',
        `-- ${formatSafeLine(promptOf.get(answer.index) ?? '')}${runs.length > 1 ? ` (${formatSafeLine(engine)})` : ''}`,
        ...formatAnswer(answer, brands),
      ]),
  );
  return [
    '',
    choice === 'missing' ? `Answers that do not name ${formatSafeLine(brands[0] ?? '')}` : words.title,
    `Marks: [[${formatSafeLine(brands[0] ?? '')}]] ${words.ownMark}, [Name] ${words.rivalMark}; \\[ and \\] are brackets of the answer`,
    ...(listed.length === 0 ? ['None.'] : listed),
  ];
}

/** Refusals and failures are no answers, so nothing is missing from them. */
const isMissing = (answer: ShownAnswer): boolean => answer.status === 'answered' && answer.outcomes[0] === 'absent';

function formatAnswer(answer: ShownAnswer, brands: readonly string[]): readonly string[] {
  const { failures, refusals } = failureWords.en;
  if (answer.status === 'failed') return [`${words.noAnswer}: ${failures[answer.reason]}`];
  const text = answer.blocks.map(
    ({ kind, pieces }) => `  ${kind === 'item' ? '- ' : ''}${formatSafeLine(pieces.map(markPiece).join(''), MAX_LINE)}`,
  );
  if (answer.status === 'refused') return [`${words.refused}: ${refusals[answer.refusal]}`, ...text];
  const outcomes = answer.outcomes.map((outcome, place) =>
    brands.length > 1 ? `${formatSafeLine(brands[place] ?? '')}: ${words.outcomes[outcome]}` : words.outcomes[outcome],
  );
  const sources = (answer.sources ?? []).map(
    ({ url, title }) => `  ${formatSafeLine(escapeMarks(title === undefined ? url : `${title}: ${url}`), MAX_LINE)}`,
  );
  return [outcomes.join(', '), ...text, ...(sources.length === 0 ? [] : [words.sources, ...sources])];
}

function markPiece({ text, mark }: AnswerPiece): string {
  const own = escapeMarks(text);
  if (mark === undefined) return own;
  return mark === 'brand' ? `[[${own}]]` : `[${own}]`;
}

/** Brackets that an engine wrote are no marks of ours. */
const escapeMarks = (text: string): string => text.replaceAll(/[[\]\\]/g, '\\$&');
