import { PAGE_LIMITS } from './page-facts.ts';
import type { Attributes, Region } from './element-facts.ts';

/**
 * A block element as the choice of the main content sees it. Counts are of its own text: what is in it and in no block
 * inside it. `parent` is the index of the block around it, -1 for none.
 */
export type ContentBlock = {
  parent: number;
  tag: string;
  /** What its class and id say: 1 content, -1 something else, 0 nothing. */
  hint: -1 | 0 | 1;
  /** Its name is one that content never has. */
  clear: boolean;
  /** An `article` or `main`, by its name or its role. */
  landmark: boolean;
  /** Marked as the content itself: a landmark, or microdata's `articleBody` and the like. */
  marked: boolean;
  /** Outside of what a reader takes for content: hidden, or in a menu, a footer or the like. */
  aside: boolean;
  chars: number;
  linkChars: number;
  /** Characters of links to other hosts, which are in `linkChars` too. */
  foreignChars: number;
  /** Commas and other marks inside sentences, in any script. */
  marks: number;
  /** Images, fields and the like that it holds, without those of the blocks inside it. */
  fields: number;
  images: number;
  /** The last character of its own text outside links: a sentence has an end mark there. */
  last: string;
};

/** Blocks of one page that are weighed; text beyond belongs to the last one. */
export const MAX_CONTENT_BLOCKS = 20_000;

const BLOCK_TAGS = new Set(
  (
    'address article aside blockquote body center dd details dialog dl div dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hgroup li main menu nav noscript ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

export const isContentBlock = (tag: string): boolean => BLOCK_TAGS.has(tag);

const ASIDE_REGIONS: ReadonlySet<Region> = new Set(['nav', 'footer', 'aside']);
const ASIDE_TAGS = new Set('nav aside footer dialog menu figcaption'.split(' '));
const ASIDE_ROLES = new Set(
  'navigation complementary contentinfo dialog alertdialog menu menubar search banner alert'.split(' '),
);

/** Words of classes and ids, cut at everything that is no letter and where a capital begins. */
const ASIDE_WORDS = new Set(
  (
    'ad ads advert advertisement advertising banner breadcrumb breadcrumbs byline bylines dateline timestamp pubdate comment comments commentlist commentaires cookie ' +
    'cookies consent copyright credit credits disclaimer disqus donate feedback footer gdpr kommentar kommentare kommentarer ' +
    'caption captions masthead menu meta metadata modal nav navbar navigation newsletter newsticker outbrain pager pagination paging popular popup ' +
    'print promo promoted promotion rail rating recommend recommended recommendations related relatedposts remark replies reply ' +
    'respond rss share sharing sharedaddy shares sharebar shoutbox sidebar sidebars skip social sponsor sponsored sponsors subscribe ' +
    'subscription tag tagcloud tags taboola teaser teasers toolbar toolbox tools trending verwandt weitere widget widgets ' +
    'signup login mostread readmore related-articles tips yarpp jp-relatedposts addtoany seealso moreon'
  ).split(' '),
);
/** What these name is never the content, however much of the page it holds. */
const CLEAR_WORDS =
  /(?:^|[^a-z])(?:comment|comments|commentlist|commentaires|kommentar|kommentare|kommentarer|disqus|replies|respond|related|relatedposts|recommend|recommendations|recommended|cookie|cookies|consent|gdpr|newsletter|yarpp|outbrain|taboola|breadcrumb|breadcrumbs|pagination)(?:[^a-z]|$)/;
const CONTENT_WORDS = new Set(
  (
    'article articlebody articlecontent articletext artikel artikeltext beitrag blog body bodytext content contentbody copy description ' +
    'detail entry entrycontent hentry inhalt main maincontent post postbody postcontent postentry richtext rich story storybody text ' +
    'texto texte cuerpo noticia nota corpo paragraph mainbody bodycopy editorial'
  ).split(' '),
);
const MAX_HINT_CHARS = 200;

/** What classes and ids call the block. Content wins over the rest where both are named: `post-content-with-sidebar`. */
export function readContentHint(attributes: Attributes): ContentBlock['hint'] {
  const names = joinHintNames(attributes);
  if (names === ' ') return 0;
  let [content, aside] = [0, 0];
  for (const word of splitHintWords(names)) {
    if (ASIDE_WORDS.has(word)) aside += 1;
    else if (CONTENT_WORDS.has(word)) content += 1;
  }
  if (aside > 0 && aside >= content) return -1;
  return content > 0 ? 1 : 0;
}

const joinHintNames = (attributes: Attributes): string =>
  `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`
    .slice(0, MAX_HINT_CHARS)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

const splitHintWords = (names: string): readonly string[] => names.split(/[^a-z]+/);

const BODY_PROPS = /^(?:articleBody|reviewBody|recipeInstructions|description|text)$/;

/** A block that opens inside `parent`. */
export function createContentBlock(
  tag: string,
  attributes: Attributes,
  place: { parent: number; region: Region; hidden: boolean; inQuote: boolean },
): ContentBlock {
  const role = (attributes['role'] ?? '').trim().toLowerCase();
  const prop = (attributes['itemprop'] ?? '').trim();
  const hint = readContentHint(attributes);
  const landmark = tag === 'article' || tag === 'main' || role === 'main' || role === 'article';
  return {
    parent: place.parent,
    tag,
    hint,
    clear: hint < 0 && CLEAR_WORDS.test(joinHintNames(attributes)),
    landmark,
    marked: landmark || BODY_PROPS.test(prop),
    aside:
      place.hidden ||
      ASIDE_REGIONS.has(place.region) ||
      (ASIDE_TAGS.has(tag) && !place.inQuote) ||
      ASIDE_ROLES.has(role),
    chars: 0,
    linkChars: 0,
    foreignChars: 0,
    marks: 0,
    fields: 0,
    images: 0,
    last: '',
  };
}

/** Whether text is in a link, and whether that leads to another host. */
export type InLink = 'no' | 'own' | 'foreign';

/** What `a` with this address makes of the text inside it; `host` is that of the page, without `www.`. */
export function readLinkKind(href: string | undefined, host: string): InLink {
  if (href === undefined) return 'no';
  const start = href.slice(0, MAX_HINT_CHARS);
  return /^(?:https?:)?\/\//i.test(start) && !start.includes(host) ? 'foreign' : 'own';
}

const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
/** One such character says as much as this many letters. */
const DENSE_CHARS = 3;

/** Length of a text in letters of an alphabet. */
function measureText(text: string): number {
  const { length } = text.trim();
  return length === 0 ? 0 : length + (text.match(DENSE)?.length ?? 0) * (DENSE_CHARS - 1);
}

const MARKS = /[,،、，﹐;；：:]/g;

/** Counts a text node for the block it is in. */
export function countBlockText(block: ContentBlock, text: string, inLink: InLink): void {
  const chars = measureText(text);
  if (chars === 0) return;
  block.chars += chars;
  block.last = inLink === 'no' ? (text.trimEnd().at(-1) ?? '') : '';
  if (inLink !== 'no') block.linkChars += chars;
  if (inLink === 'foreign') block.foreignChars += chars;
  else if (inLink === 'no' && chars > 1) block.marks += text.match(MARKS)?.length ?? 0;
}

/** Whether a block is inside one that content never is: comments, related stories and the like. */
export function isInSideMatter(blocks: readonly ContentBlock[], index: number): boolean {
  for (let at = index; at >= 0; at = blocks[at]?.parent ?? -1) if (blocks[at]?.clear === true) return true;
  return false;
}

export const hasRoomForBlock = (blocks: readonly ContentBlock[]): boolean =>
  blocks.length < Math.min(MAX_CONTENT_BLOCKS, PAGE_LIMITS.elements);
