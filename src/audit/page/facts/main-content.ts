import type { ContentBlock } from './content-blocks.ts';

/** A paragraph with less text says too little to speak for the blocks around it. */
const MIN_TEXT_CHARS = 25;
/** How many blocks around a paragraph its score reaches. */
const REACH = 5;
/** A block with this share of the best score is a rival: then their common block is asked too. */
const RIVAL_SHARE = 0.75;
const MIN_RIVALS = 3;
/** A neighbour of the best block joins it with this share of its score. */
const NEIGHBOUR_SHARE = 0.2;
const MIN_NEIGHBOUR_SCORE = 10;

type Sums = {
  chars: number;
  linkChars: number;
  foreignChars: number;
  marks: number;
  fields: number;
  images: number;
  paragraphs: number;
  items: number;
  prose: number;
};

/** Per block whether its own text belongs to the main content; `root` is the block that was chosen, -1 where none was. */
export type MainContent = { kept: readonly boolean[]; root: number; marked: boolean };

/**
 * Chooses the main content among the blocks of a page, as extractors do that retrieval pipelines use: paragraphs give
 * their weight to the blocks around them, links take it away, the best block and those of its neighbours that read
 * like it are kept, and lists of links, forms and boxes inside are cut. Linear in the number of blocks.
 */
export function chooseMainContent(blocks: readonly ContentBlock[]): MainContent {
  const whole = sumBlocks(
    blocks,
    blocks.map(() => true),
  );
  let best: (MainContent & { chars: number }) | undefined;
  for (const trust of TRUSTS) {
    const choice = chooseWith(blocks, whole, trust);
    if (best === undefined || choice.chars > best.chars) best = choice;
    if (best.chars >= (best.marked ? ENOUGH_CHARS.marked : ENOUGH_CHARS.plain)) break;
  }
  const chosen = best ?? { kept: [], root: -1, marked: false, chars: 0 };
  return takeWholeMain(blocks, whole, chosen) ?? chosen;
}

/** A choice with less than this share of the text in the main element missed it: a list of teasers has no prose. */
const MISSED_SHARE = 0.15;
const MIN_MAIN_CHARS = 600;

/** On a page whose main element holds far more than what was chosen: all of that element but side matter. */
function takeWholeMain(
  blocks: readonly ContentBlock[],
  whole: readonly Sums[],
  { chars }: { chars: number },
): MainContent | undefined {
  const main = blocks.findIndex(({ tag }) => tag === 'main');
  const held = whole[main]?.chars ?? 0;
  if (main < 0 || held < MIN_MAIN_CHARS || chars >= MISSED_SHARE * held) return undefined;
  const kept: boolean[] = [];
  blocks.forEach((block, index) => {
    const inside = index === main || (block.parent >= 0 && kept[block.parent] === true);
    kept.push(inside && !block.aside && !block.clear);
  });
  return { kept, root: main, marked: true };
}

/** How far names of classes are believed: a page whose text would be lost by them is asked again. */
const TRUSTS = ['names', 'weights', 'nothing'] as const;
type Trust = (typeof TRUSTS)[number];
/** With so much text the choice needs no second look: less inside what the page marks as its article. */
const ENOUGH_CHARS = { marked: 200, plain: 500 };

function chooseWith(
  blocks: readonly ContentBlock[],
  whole: readonly Sums[],
  trust: Trust,
): MainContent & { chars: number } {
  const live = findLiveBlocks(blocks, whole, trust);
  const sums = sumBlocks(blocks, live);
  const scores = scoreBlocks(blocks, live, { sums, trust });
  const root = chooseRoot(blocks, live, scores, sums);
  if (root < 0) return { kept: blocks.map(() => false), root, marked: false, chars: 0 };
  const kept = keepFrom(blocks, { live, scores, sums, root });
  let chars = 0;
  blocks.forEach((block, index) => {
    if (kept[index] === true) chars += block.chars;
  });
  return { kept, root, marked: isInsideMarked(blocks, root) || hasMarkedText(blocks, kept, chars), chars };
}

const computeLinkDensity = ({ chars, linkChars }: Sums): number => (chars === 0 ? 0 : linkChars / chars);

const PROSE = new Set(['p', 'div', 'blockquote', 'section', 'dd']);
const MIN_PROSE_CHARS = 80;

/** Most of its links lead to other hosts: a list of sources and not of other pages here. */
const isForeign = ({ linkChars, foreignChars }: Sums): boolean => foreignChars > linkChars / 2;

function sumBlocks(blocks: readonly ContentBlock[], live: readonly boolean[]): readonly Sums[] {
  const sums = blocks.map(({ chars, linkChars, foreignChars, marks, fields, images, tag }, index): Sums => {
    if (live[index] !== true)
      return {
        chars: 0,
        linkChars: 0,
        foreignChars: 0,
        marks: 0,
        fields: 0,
        images: 0,
        paragraphs: 0,
        items: 0,
        prose: 0,
      };
    const prose = PROSE.has(tag) && chars >= MIN_PROSE_CHARS && linkChars < chars / 3 ? chars : 0;
    return {
      chars,
      linkChars,
      foreignChars,
      marks,
      fields,
      images,
      paragraphs: tag === 'p' ? 1 : 0,
      items: tag === 'li' ? 1 : 0,
      prose,
    };
  });
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const around = sums[blocks[index]?.parent ?? -1];
    const own = sums[index];
    if (!around || !own) continue;
    for (const key of [
      'chars',
      'linkChars',
      'foreignChars',
      'marks',
      'fields',
      'images',
      'paragraphs',
      'items',
      'prose',
    ] as const)
      around[key] += own[key];
  }
  return sums;
}

/** A block that calls itself something else, but holds this share of the text, only has a strange name. */
const WHOLE_SHARE = 0.5;
const NEVER_DROPPED = new Set(['body', 'main', 'article']);

/** Blocks that may belong to the content: not hidden, not in menus and the like, nor in what calls itself a side matter. */
function findLiveBlocks(blocks: readonly ContentBlock[], sums: readonly Sums[], trust: Trust): readonly boolean[] {
  const total = Math.max(
    1,
    sums[0]?.chars ?? 1,
    ...blocks.flatMap(({ parent }, index) => (parent < 0 ? [sums[index]?.chars ?? 0] : [])),
  );
  const live: boolean[] = [];
  blocks.forEach((block, index) => {
    const around = block.parent < 0 || live[block.parent] === true;
    const large = (sums[index]?.chars ?? 0) >= WHOLE_SHARE * total;
    const believed = trust === 'names' ? block.hint < 0 && (block.clear || !large) : trust === 'weights' && block.clear;
    const named = believed && !NEVER_DROPPED.has(block.tag);
    live.push(around && !(block.aside && !large) && !named);
  });
  return live;
}

const TAG_SCORES: Readonly<Record<string, number>> = {
  div: 5,
  section: 5,
  article: 10,
  main: 8,
  pre: 3,
  td: 3,
  blockquote: 3,
  address: -3,
  ol: -3,
  ul: -3,
  dl: -3,
  dd: -3,
  dt: -3,
  li: -3,
  form: -3,
  th: -5,
  h1: -5,
  h2: -5,
  h3: -5,
  h4: -5,
  h5: -5,
  h6: -5,
};
/** Elements that hold their text as a paragraph does: what they say counts for the block around them. */
const PARAGRAPHS = new Set(['p', 'pre', 'li', 'td', 'dd', 'blockquote', 'figcaption', 'h2', 'h3', 'h4']);
const HEADINGS = /^h[1-6]$/;

/** A block of this length has the whole weight of its name. */
const NAMED_CHARS = 400;

function scoreBlocks(
  blocks: readonly ContentBlock[],
  live: readonly boolean[],
  { sums, trust }: { sums: readonly Sums[]; trust: Trust },
): readonly number[] {
  const raw = new Float64Array(blocks.length);
  const touched = new Uint8Array(blocks.length);
  blocks.forEach((block, index) => {
    if (live[index] !== true || block.chars < MIN_TEXT_CHARS || HEADINGS.test(block.tag)) return;
    const plain = 1 - block.linkChars / block.chars;
    const weight = (1 + block.marks + Math.min(3, Math.floor(block.chars / 100))) * plain;
    let at = PARAGRAPHS.has(block.tag) ? block.parent : index;
    for (let level = 0; level < REACH && at >= 0; level += 1) {
      raw[at] = (raw[at] ?? 0) + weight / (level === 0 ? 1 : level === 1 ? 2 : level * 3);
      touched[at] = 1;
      at = blocks[at]?.parent ?? -1;
    }
  });
  return blocks.map((block, index) => {
    if (touched[index] !== 1) return 0;
    const sum = sums[index];
    // A name is believed by as much as the block has to say.
    const weight = Math.min(1, (sum?.chars ?? 0) / NAMED_CHARS);
    const named = (trust === 'nothing' ? 0 : 25 * block.hint) + (block.marked ? 25 : 0);
    const base = (TAG_SCORES[block.tag] ?? 0) + named * weight;
    return ((raw[index] ?? 0) + base) * (1 - (sum ? computeLinkDensity(sum) : 0));
  });
}

function chooseRoot(
  blocks: readonly ContentBlock[],
  live: readonly boolean[],
  scores: readonly number[],
  sums: readonly Sums[],
): number {
  let best = -1;
  scores.forEach((score, index) => {
    if (live[index] === true && score > (scores[best] ?? 0)) best = index;
  });
  if (best < 0) return findOnlyContent(blocks, live);
  best = joinRivals(blocks, scores, best);
  return moveToStronger(blocks, scores, sums, best);
}

/** On a page of a few words: what it marks as its content, else its body. */
function findOnlyContent(blocks: readonly ContentBlock[], live: readonly boolean[]): number {
  const marked = blocks.findIndex((block, index) => block.marked && live[index] === true);
  return marked >= 0 ? marked : blocks.findIndex((_, index) => live[index] === true);
}

/** The block around the best one that holds at least three of its rivals. */
function joinRivals(blocks: readonly ContentBlock[], scores: readonly number[], best: number): number {
  const bound = (scores[best] ?? 0) * RIVAL_SHARE;
  const rivals = new Map<number, number>();
  scores.forEach((score, index) => {
    if (index === best || score < bound) return;
    for (let at = blocks[index]?.parent ?? -1; at >= 0; at = blocks[at]?.parent ?? -1)
      rivals.set(at, (rivals.get(at) ?? 0) + 1);
  });
  for (let at = blocks[best]?.parent ?? -1; at >= 0; at = blocks[at]?.parent ?? -1) {
    if (blocks[at]?.tag === 'body') break;
    if ((rivals.get(at) ?? 0) >= MIN_RIVALS) return at;
  }
  return best;
}

/** Goes to a block around that has a higher score: then part of the content is beside the best block. */
function moveToStronger(
  blocks: readonly ContentBlock[],
  scores: readonly number[],
  sums: readonly Sums[],
  best: number,
): number {
  let top = best;
  let last = scores[top] ?? 0;
  const floor = last / 3;
  for (let at = blocks[top]?.parent ?? -1; at >= 0; at = blocks[at]?.parent ?? -1) {
    if (blocks[at]?.tag === 'body') break;
    const score = scores[at] ?? 0;
    if (score < floor) break;
    if (score > last) {
      top = at;
      break;
    }
    last = score === 0 ? last : score;
  }
  top = moveToWider(blocks, sums, top);
  // A block that is alone in the one around it is that block.
  for (let at = blocks[top]?.parent ?? -1; at >= 0 && blocks[at]?.tag !== 'body'; at = blocks[at]?.parent ?? -1) {
    if ((sums[at]?.chars ?? 0) > (sums[top]?.chars ?? 0)) break;
    top = at;
  }
  return top;
}

/** A block around the chosen one has so much more prose that the content goes on in it. */
const WIDER = { marked: 1.15, plain: 1.3, density: 0.3 };

/**
 * Content that is cut into sections of equal rank: goes to a block around it with clearly more prose and few links; inside
 * an article no further than that.
 */
function moveToWider(blocks: readonly ContentBlock[], sums: readonly Sums[], from: number): number {
  let top = from;
  if (blocks[top]?.tag === 'article') return top;
  const marked = findMarked(blocks, from);
  for (let at = blocks[top]?.parent ?? -1; at >= 0 && blocks[at]?.tag !== 'body'; at = blocks[at]?.parent ?? -1) {
    const [own, around] = [sums[top], sums[at]];
    if (!own || !around || computeLinkDensity(around) > WIDER.density) break;
    if (around.prose >= own.prose * (marked >= 0 ? WIDER.marked : WIDER.plain)) top = at;
    if (at === marked) break;
  }
  return top;
}

function findMarked(blocks: readonly ContentBlock[], from: number): number {
  for (let at = from; at >= 0; at = blocks[at]?.parent ?? -1) if (blocks[at]?.marked === true) return at;
  return -1;
}

type Choice = { live: readonly boolean[]; scores: readonly number[]; sums: readonly Sums[]; root: number };

function keepFrom(blocks: readonly ContentBlock[], choice: Choice): readonly boolean[] {
  const { live, root, sums } = choice;
  const joined = findNeighbours(blocks, choice);
  const around = sums[root]?.chars ?? 0;
  const kept: boolean[] = [];
  blocks.forEach((block, index) => {
    const inside = index === root || joined.has(index) || (block.parent >= 0 && kept[block.parent] === true);
    kept.push(
      inside &&
        live[index] === true &&
        (index === root || !(isClutter(block, sums[index], around) || isLabel(block, sums[index]))),
    );
  });
  return kept;
}

/** Blocks beside the chosen one that read like a part of it. */
function findNeighbours(blocks: readonly ContentBlock[], { live, scores, sums, root }: Choice): ReadonlySet<number> {
  const joined = new Set<number>();
  const parent = blocks[root]?.parent ?? -1;
  if (parent < 0) return joined;
  const bound = Math.max(MIN_NEIGHBOUR_SCORE, (scores[root] ?? 0) * NEIGHBOUR_SHARE);
  blocks.forEach((block, index) => {
    if (block.parent !== parent || index === root || live[index] !== true) return;
    const sum = sums[index];
    if (!sum) return;
    const prose = block.tag === 'p' && sum.chars > 80 && computeLinkDensity(sum) < 0.25;
    if ((scores[index] ?? 0) >= bound || prose) joined.add(index);
  });
  return joined;
}

const MIN_LABEL_CHARS = 40;
const LABEL_TAGS = new Set(['div', 'section', 'header', 'p', 'figure']);
const END = /[.!?…。！？:："”»'’)\]]/;

/** A line that is one link, or a few words outside of any sentence: "Read more", "Advertisement", a date, a credit. */
function isLabel(block: ContentBlock, sum: Sums | undefined): boolean {
  if (!sum || sum.chars === 0 || !LABEL_TAGS.has(block.tag) || sum.chars !== block.chars) return false;
  if (END.test(block.last)) return false;
  if (computeLinkDensity(sum) > 0.6 && sum.chars < 250 && !isForeign(sum)) return true;
  return block.tag !== 'p' && sum.chars < MIN_LABEL_CHARS;
}

const LISTS = new Set(['ul', 'ol', 'div', 'section', 'table', 'form', 'fieldset', 'dl', 'article', 'header']);

/** A list of links, a form or a box inside the content. */
function isClutter(block: ContentBlock, sum: Sums | undefined, around: number): boolean {
  if (!sum) return false;
  if (block.tag === 'form' || block.tag === 'fieldset') return sum.chars < WHOLE_SHARE * around;
  if (!LISTS.has(block.tag) || sum.chars >= WHOLE_SHARE * around) return false;
  const density = computeLinkDensity(sum);
  if (sum.marks >= 10 && density < 0.5) return false;
  if (density > 0.5) return !isForeign(sum);
  if (sum.fields > sum.paragraphs / 3 && sum.fields > 0) return true;
  return false;
}

/** Whether most of what is kept is inside marked elements that the chosen block holds. */
function hasMarkedText(blocks: readonly ContentBlock[], kept: readonly boolean[], chars: number): boolean {
  let inside = 0;
  const within: boolean[] = [];
  blocks.forEach((block, index) => {
    within.push(block.marked || (block.parent >= 0 && within[block.parent] === true));
    if (within[index] === true && kept[index] === true) inside += block.chars;
  });
  return inside > chars / 2;
}

function isInsideMarked(blocks: readonly ContentBlock[], root: number): boolean {
  for (let at = root; at >= 0; at = blocks[at]?.parent ?? -1) if (blocks[at]?.marked === true) return true;
  return false;
}
