import * as z from 'zod';
import { PASSAGES_BEGIN, PASSAGES_END, type ChatEngine, type ChatPiece, type EngineMessage } from '../../port.ts';
import { streamReply } from '../../core/reply.ts';

const MODEL = 'simulated-extractive-1';
/** Sentences of an answer. */
const MAX_SENTENCES = 3;
/** A sentence that has less than this part of what the best one has is left out. */
const MIN_PART = 0.5;
/** Sentences of a passage that are looked at, and characters of one. */
const MAX_READ_SENTENCES = 400;
const MAX_SENTENCE_CHARS = 600;
const MIN_SENTENCE_CHARS = 12;
/** Words that say nothing of what is asked. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about an and are as at be by can could do does did for from had has have how i if in is it its me my no not of on or our should so that the their them then there these they this to was we were what when where which who why will with would you your'.split(
    ' ',
  ),
);
/** Endings that are taken off, the longest first. */
const ENDINGS = ['ings', 'ing', 'ies', 'ed', 'es', 's', 'y', 'e'];
const MIN_STEM = 3;
const NOTHING_FOUND = 'I found nothing about this in the indexed content.';
const NOTHING_FITS = 'The passages that were found do not answer this question.';
/** Characters of four are taken for a token. */
const CHARS_PER_TOKEN = 4;

type Passage = { number: number; source: string; text: string };
type Scored = { text: string; number: number; score: number };

/**
 * An engine that is no model, for the local stack and tests: it reads the messages that a model would, and answers with
 * those sentences of the passages that share most words with the question, naming their sources. The same messages
 * always have the same answer.
 */
export const createSimulatedChat = (model = MODEL): ChatEngine => ({
  kind: 'simulated',
  model,
  reply: (messages, signal) => streamReply(streamSimulatedPieces(messages), signal),
});

async function* streamSimulatedPieces(messages: readonly EngineMessage[]): AsyncGenerator<ChatPiece> {
  const text = answerTo(findQuestion(messages), readPassages(messages));
  // Word by word, as models write.
  for (const word of text.split(/(?<=\s)/u)) yield { kind: 'text', text: word };
  const inputTokens = estimateTokens(messages.map(({ content }) => content).join(''));
  yield { kind: 'end', finish: 'stop', usage: { inputTokens, outputTokens: estimateTokens(text) } };
}

const estimateTokens = (text: string): number => Math.max(1, Math.ceil(text.length / CHARS_PER_TOKEN));

function answerTo(question: string, passages: readonly Passage[]): string {
  if (passages.length === 0) return NOTHING_FOUND;
  const sentences = rankSentences(question, passages);
  if (sentences.length === 0) return NOTHING_FITS;
  const cited = new Set(sentences.map(({ number }) => number));
  const sources = passages
    .filter(({ number }) => cited.has(number))
    .map(({ number, source }) => `[${number}] ${source}`);
  const said = sentences.map(({ text, number }) => `${text} [${number}]`).join(' ');
  return `${said}\n\nSources: ${sources.join(', ')}`;
}

/** The best first; each once. A word counts the more, the fewer sentences have it; a long sentence has no advantage. */
function rankSentences(question: string, passages: readonly Passage[]): readonly Scored[] {
  const wanted = new Set(listStems(question));
  const all = passages.flatMap(({ text, number }) => listStatements(text).map((one) => ({ ...one, number })));
  const weights = new Map(
    [...wanted].map((stem) => {
      const having = all.filter(({ stems }) => stems.has(stem)).length;
      return [stem, having === 0 ? 0 : Math.log(1 + all.length / having)];
    }),
  );
  const scored = all.map(({ text, number, stems }): Scored => {
    const sum = [...weights].reduce((total, [stem, weight]) => total + (stems.has(stem) ? weight : 0), 0);
    return { text, number, score: sum / Math.log(8 + stems.size) };
  });
  const best = scored.filter(({ score }) => score > 0).toSorted((one, other) => other.score - one.score);
  const least = (best[0]?.score ?? 0) * MIN_PART;
  const once = [...new Map(best.toReversed().map((sentence) => [sentence.text, sentence])).values()].toReversed();
  return once.filter(({ score }) => score >= least).slice(0, MAX_SENTENCES);
}

/** Sentences with their words. A question in a text answers no one: its words count for what follows it. */
function listStatements(text: string): readonly { text: string; stems: ReadonlySet<string> }[] {
  const found: { text: string; stems: ReadonlySet<string> }[] = [];
  let asked: readonly string[] = [];
  for (const sentence of splitMarkdownSentences(text)) {
    const stems = listStems(sentence);
    if (!sentence.endsWith('?')) found.push({ text: sentence, stems: new Set([...asked, ...stems]) });
    asked = sentence.endsWith('?') ? stems : [];
  }
  return found;
}

const findQuestion = (messages: readonly EngineMessage[]): string =>
  messages.findLast(({ role, content }) => role === 'user' && !isPassages(content))?.content ?? '';

const isPassages = (content: string): boolean =>
  content.split('\n').includes(PASSAGES_BEGIN) && content.endsWith(`\n${PASSAGES_END}`);

const passageSchema = z.object({ number: z.number(), source: z.string(), text: z.string() });

function readPassages(messages: readonly EngineMessage[]): readonly Passage[] {
  const content = messages.find((message) => message.role === 'user' && isPassages(message.content))?.content ?? '';
  const lines = content.split('\n');
  return lines.slice(lines.indexOf(PASSAGES_BEGIN) + 1, -1).map((text) => passageSchema.parse(JSON.parse(text)));
}

/** What is read as one sentence: of prose up to its full stop, of Markdown a heading, an item or a row. */
function splitMarkdownSentences(markdown: string): readonly string[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  const found: string[] = [];
  for (const block of splitBlocks(markdown)) {
    for (const { segment } of segmenter.segment(block)) {
      const text = segment.trim();
      if (text.length >= MIN_SENTENCE_CHARS && text.length <= MAX_SENTENCE_CHARS) found.push(text);
      if (found.length === MAX_READ_SENTENCES) return found;
    }
  }
  return found;
}

/** Lines of one paragraph belong together; headings, items and rows are separate. */
function splitBlocks(markdown: string): readonly string[] {
  const blocks: string[] = [];
  let paragraph: string[] = [];
  const close = (): void => {
    if (paragraph.length > 0) blocks.push(paragraph.join(' '));
    paragraph = [];
  };
  for (const raw of markdown.split('\n')) {
    const line = raw.trim();
    const alone = /^(?:#{1,6}|[-*+|>]|\d{1,3}[.)])/u.exec(line);
    if (line === '' || alone !== null) close();
    if (alone !== null) blocks.push(line.slice(alone[0].length).trim());
    else if (line !== '') paragraph.push(line);
  }
  close();
  return blocks;
}

/** Words without their endings, in their order; words that say nothing are left out. */
const listStems = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{1,64}/gu) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stemWord);

function stemWord(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= MIN_STEM);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
