import { escapeReferences } from '../../../report/markdown.ts';
import { formatCodeSpan } from '../../../lib/safe-text.ts';
import { answersWords } from '../answers/answers-words.ts';
import type { AnswerPiece, ShownAnswer, ShownAnswers, ShownBlock } from '../answers/shown-answer.ts';
import { failureWords } from '../parts/failure-words.ts';
import { formatBullets, formatMarkdownSection, MAX_MARKDOWN_QUOTE_CHARS } from './parts.ts';

/** Characters of one answer: the document is read from end to end. */
const MAX_MARKDOWN_ANSWER_CHARS = 2_000;

const words = answersWords.en;

/**
 * Each prompt with its answers: the brand in bold, every counted name in a code span. What an engine wrote makes no link, image
 * or mention (rule X7): addresses of sources are code.
 */
export function formatAnswersMarkdown(shown: ShownAnswers | undefined): string {
  if (shown === undefined) return '';
  const { prompts, runs } = shown;
  const byIndex = runs.map(({ answers }) => new Map(answers.map((answer) => [answer.index, answer])));
  const sections = prompts.map(({ index, text }) => {
    const answers = runs.flatMap(({ engine }, place) => {
      const answer = byIndex[place]?.get(index);
      return answer === undefined ? [] : [formatAnswer(answer, shown.brands, runs.length > 1 ? engine : undefined)];
    });
    return `### ${formatCodeSpan(text, MAX_MARKDOWN_QUOTE_CHARS)}\n\n${answers.join('\n\n')}`;
  });
  return formatMarkdownSection(`## ${words.title}`, sections.join('\n\n'));
}

function formatAnswer(answer: ShownAnswer, brands: readonly string[], engine: string | undefined): string {
  const by = engine === undefined ? '' : ` (${formatCodeSpan(engine)})`;
  const { failures, refusals } = failureWords.en;
  if (answer.status === 'failed') return `**${words.noAnswer}**${by}: ${failures[answer.reason]}`;
  const text = formatBlocks(answer.blocks);
  if (answer.status === 'refused') return `**${words.refused}**${by}: ${refusals[answer.refusal]}\n\n${text}`;
  const outcomes = answer.outcomes.map((outcome, place) =>
    brands.length > 1
      ? `${formatCodeSpan(brands[place] ?? '')}: **${words.outcomes[outcome]}**`
      : `**${words.outcomes[outcome]}**`,
  );
  const sources = (answer.sources ?? []).map(({ url, title }) =>
    [...(title === undefined ? [] : [formatCodeSpan(title)]), formatCodeSpan(url, MAX_MARKDOWN_QUOTE_CHARS)].join(': '),
  );
  return [
    `${outcomes.join(', ')}${by}`,
    text,
    ...(sources.length === 0 ? [] : [`${words.sources}\n\n${formatBullets(sources)}`]),
  ].join('\n\n');
}

/** The text as a quotation, cut where it is long. */
function formatBlocks(blocks: readonly ShownBlock[]): string {
  const lines: string[] = [];
  let left = MAX_MARKDOWN_ANSWER_CHARS;
  for (const { kind, pieces } of blocks) {
    if (left <= 0) {
      lines.push('…');
      break;
    }
    const said = pieces.map((piece) => formatPiece({ ...piece, text: piece.text.slice(0, Math.max(0, left)) }));
    left -= pieces.reduce((sum, { text }) => sum + text.length, 0);
    lines.push(`${kind === 'item' ? '• ' : ''}${said.join('')}`);
  }
  return lines.map((line) => `> ${line}`).join('\n>\n');
}

/** A line of text loses the space at its ends, which parts it from the name beside it. */
function formatPiece({ text, mark }: AnswerPiece): string {
  if (text === '') return '';
  if (mark !== undefined) return mark === 'rival' ? formatCodeSpan(text) : `**${formatCodeSpan(text)}**`;
  const [before, after] = [/^\s/u.test(text) ? ' ' : '', /\s$/u.test(text) ? ' ' : ''];
  return `${before}${escapeReferences(text)}${after}`;
}
