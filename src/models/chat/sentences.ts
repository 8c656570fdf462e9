/** Sentences of a passage that are looked at, and characters of one. */
const MAX_SENTENCES = 400;
const MAX_CHARS = 600;
const MIN_CHARS = 12;
/** Words that say nothing of what is asked. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about an and are as at be by can could do does did for from had has have how i if in is it its me my no not of on or our should so that the their them then there these they this to was we were what when where which who why will with would you your'.split(
    ' ',
  ),
);
/** Endings that are taken off, the longest first. */
const ENDINGS = ['ings', 'ing', 'ies', 'ed', 'es', 's', 'y', 'e'];
const MIN_STEM = 3;

/** What is read as one sentence: of prose up to its full stop, of Markdown a heading, an item or a row. */
export function splitMarkdownSentences(markdown: string): readonly string[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  const found: string[] = [];
  for (const block of splitBlocks(markdown)) {
    for (const { segment } of segmenter.segment(block)) {
      const text = segment.trim();
      if (text.length >= MIN_CHARS && text.length <= MAX_CHARS) found.push(text);
      if (found.length === MAX_SENTENCES) return found;
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
export const listStems = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{1,64}/gu) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stemWord);

function stemWord(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= MIN_STEM);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
