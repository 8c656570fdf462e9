import { normaliseLetters } from '../../language/words.ts';
import type { ContentBlock } from './content-blocks.ts';
import type { MainContent } from './main-content.ts';
import type { Anchor, Heading } from './page-facts.ts';

/** A heading and a title of which one is so much of the other name the same page. */
const NAMING_SHARE = 0.5;
const MAX_TITLE_CHARS = 300;
/** What parts a headline from the name of a site, in titles. */
const TITLE_PARTS = /[|–—·»]|\s[-:]\s|:\s/;

/** Of a title, the part that names the page is longer than the one that names the site. */
const findLongestPart = (title: string): string =>
  title
    .slice(0, MAX_TITLE_CHARS)
    .split(TITLE_PARTS)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');

type Headed = {
  url: string;
  headings: readonly Heading[];
  titles: readonly string[];
  anchors: readonly Anchor[];
};

/**
 * The h1 above the `main` or `article` element of the main content, where that element has no heading with the name of the
 * page; undefined where the headline is inside, where no h1 is above, and where no element marks the content.
 */
export function findHeadlineOutside(
  blocks: readonly ContentBlock[],
  { kept }: MainContent,
  { url, headings, titles, anchors }: Headed,
): Heading | undefined {
  const landmarks = findOuterLandmarks(blocks);
  const holder = findHolder(blocks, kept, landmarks);
  if (holder < 0) return undefined;
  const seen = headings.filter(({ text, hidden }) => text !== '' && (hidden === undefined || hidden === 'aria-hidden'));
  const inside = seen.filter(({ block }) => landmarks[block] === holder);
  // What leads to the start page or elsewhere is the name of the site; a headline may lead to its own page.
  const leading = new Set(
    anchors.filter((one) => one.href !== url || one.href === getRoot(url)).map(({ block }) => block),
  );
  const above = seen.filter(({ level, block }) => level === 1 && block < holder && !leading.has(block));
  const names = [...titles.flatMap((title) => [title, findLongestPart(title)]), ...above.map(({ text }) => text)]
    .map((name) => normaliseLetters(name.slice(0, MAX_TITLE_CHARS)))
    .filter((name) => name !== '');
  return inside.some((heading) => heading.level === 1 || isNaming(heading, names)) ? undefined : above.at(-1);
}

const getRoot = (url: string): string => new URL('/', url).href;

/** Whether a heading says one of the names, or most of it. */
function isNaming({ text }: Heading, names: readonly string[]): boolean {
  const own = normaliseLetters(text.slice(0, MAX_TITLE_CHARS));
  return names.some((name) => {
    const [short, long] = own.length < name.length ? [own, name] : [name, own];
    return short.length >= NAMING_SHARE * long.length && long.includes(short);
  });
}

/** Per block the outermost `main` or `article` that it is or is in, -1 for none. */
function findOuterLandmarks(blocks: readonly ContentBlock[]): readonly number[] {
  const landmarks: number[] = [];
  blocks.forEach(({ parent, landmark }, index) => {
    const around = landmarks[parent] ?? -1;
    landmarks.push(around >= 0 ? around : landmark ? index : -1);
  });
  return landmarks;
}

/** The landmark with more than half of the main content, -1 for none. */
function findHolder(blocks: readonly ContentBlock[], kept: readonly boolean[], landmarks: readonly number[]): number {
  const held = new Map<number, number>();
  let all = 0;
  blocks.forEach(({ chars }, index) => {
    if (kept[index] !== true) return;
    const landmark = landmarks[index] ?? -1;
    all += chars;
    held.set(landmark, (held.get(landmark) ?? 0) + chars);
  });
  for (const [landmark, chars] of held) if (chars > all / 2) return landmark;
  return -1;
}
