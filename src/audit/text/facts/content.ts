import { rememberPerObject } from '../../../lib/memo.ts';
import type { Heading, ListFacts, PageFacts, Paragraph } from '../../page/facts/page-facts.ts';
import type { ElementPlace, Region } from '../../page/facts/element-facts.ts';
import { countWords } from '../../language/words.ts';

const ASIDE: ReadonlySet<Region> = new Set(['nav', 'header', 'footer', 'aside']);

/** Whether something is visible and in the main content; without a landmark, anywhere but in menus and the like. */
export function isContent(page: Pick<PageFacts, 'contentText'>, place: ElementPlace): boolean {
  if (place.hidden !== undefined && place.hidden !== 'aria-hidden') return false;
  return !ASIDE.has(place.region) && (place.inContent || page.contentText === '');
}

/** Shorter paragraphs are labels: dates, bylines, captions. */
const LABEL_WORDS = 5;

/** The paragraphs of the main content that say something. */
export const getContentParagraphs = rememberPerObject((page: PageFacts): readonly Paragraph[] =>
  page.paragraphs.filter((paragraph) => paragraph.words >= LABEL_WORDS && isContent(page, paragraph)),
);

/** The content below one heading of the main content, up to the next heading. */
export type ContentSection = { heading: Heading; text: string; words: number };

/** Sections whose end is looked for in the content's text: each costs a search of it. */
const MAX_CLIPPED = 20;

/** The sections of the main content that hold text; the last one ends where the content ends, not with the page's footer. */
export const getContentSections = rememberPerObject((page: PageFacts): readonly ContentSection[] => {
  const bodies = new Map(page.sections.map((section) => [section.heading, section]));
  const headings = page.headings.filter((heading) => heading.text !== '' && isContent(page, heading));
  let clipped = 0;
  return headings.flatMap((heading, index) => {
    const body = bodies.get(heading.order);
    if (!body || body.words === 0) return [];
    const next = headings[index + 1];
    const whole = { heading, text: body.text, words: body.words };
    if (next?.order === heading.order + 1 || page.contentText === '' || ++clipped > MAX_CLIPPED) return [whole];
    const words = Math.min(body.words, countContentWords(page.contentText, heading, next));
    return words === 0 ? [] : [{ ...whole, words }];
  });
});

function countContentWords(content: string, heading: Heading, next: Heading | undefined): number {
  const from = content.lastIndexOf(heading.text);
  if (from < 0) return Infinity;
  const start = from + heading.text.length;
  const end = next ? content.indexOf(next.text, start) : -1;
  return countWords(content.slice(start, end < 0 ? undefined : end));
}

/** Lists whose place in the text is looked up; each costs a search of it. */
const MAX_LISTS_SOUGHT = 20;
const MIN_LIST_ITEMS = 3;

/**
 * Lists of the main content with three or more items that say something; without a landmark `mainText` must contain
 * them.
 */
export function listContentLists(page: PageFacts, mainText: string): readonly ListFacts[] {
  const lists = page.lists.filter(
    (list) => isContent(page, list) && list.items.filter((item) => item !== '').length >= MIN_LIST_ITEMS,
  );
  if (page.contentText !== '') return lists;
  return lists
    .slice(0, MAX_LISTS_SOUGHT)
    .filter(({ items }) => items.slice(0, MIN_LIST_ITEMS).every((item) => mainText.includes(item)));
}
