import type { ElementPlace, HiddenHow, PageExtras, NamedText } from './element-facts.ts';

/** Visible links of a page to other pages of its host, in order; links to parts of the page itself are none. */
export function listInternalLinks(page: PageFacts): readonly Anchor[] {
  const { host } = new URL(page.url);
  const here = page.url.split('#')[0];
  return page.anchors.filter(
    ({ href, hidden }) =>
      (hidden === undefined || hidden === 'aria-hidden') &&
      /^https?:/.test(href) &&
      new URL(href).host === host &&
      href.split('#')[0] !== here,
  );
}

/**
 * Bounds of the page facts. Elements beyond a bound are not tracked (`capped` names the list); text is cut at
 * `textChars` of its kind. They keep one page of 5 MiB linear in time and small in memory.
 */
export const PAGE_LIMITS = {
  depth: 512,
  /** The largest of our saved pages has 2,564. */
  elements: 200_000,
  /** Of one element; 26 there. */
  attributes: 1000,
  metas: 300,
  linkTags: 500,
  headings: 500,
  paragraphs: 2000,
  lists: 500,
  listItems: 100,
  tables: 100,
  anchors: 3000,
  images: 1000,
  jsonLd: 50,
  microdataItems: 200,
  microdataProps: 50,
  forms: 50,
  controls: 500,
  definitions: 300,
  details: 200,
  quotes: 300,
  times: 200,
  comments: 100,
  slots: 100,
  codeBlocks: 100,
  clickables: 300,
  hiddenTexts: 200,
  attributeTexts: 1000,
  rdfaTypes: 50,
  rdfaPageTypes: 10,
  rdfaProperties: 50,
  ids: 5000,
  named: 200,
  scriptTags: 300,
  subresources: 2000,
  frames: 100,
  videos: 100,
  figures: 300,
  tabPanels: 200,
  roles: 100,
  aria: 2000,
  includes: 100,
  noscripts: 50,
  struck: 200,
  strayToolAttributes: 20,
  attributeChars: 4000,
  labelChars: 500,
  proseChars: 20_000,
  jsonLdChars: 1_000_000,
  scriptChars: 1_000_000,
  segmenterChars: 200_000,
} as const;

/** `name`, `property` and `httpEquiv` are lower case, '' when absent. */
export type MetaTag = {
  name: string;
  property: string;
  httpEquiv: string;
  content: string;
  inHead: boolean;
  line: number;
};

/** A `link` element: lower-case rel tokens; `href` absolute ('' when it cannot be), `rawHref` as written. */
export type LinkTag = {
  rels: readonly string[];
  href: string;
  rawHref: string;
  type: string;
  hreflang: string;
  title: string;
  inHead: boolean;
  line: number;
};

/** Directives of one robots meta, lower case and split at commas; `agent` is `robots` or a bot's name. */
export type RobotsMeta = { agent: string; directives: readonly string[]; line: number };

/**
 * `order` counts headings from 0; `question` when it asks one. `id` is its own; `sectionId` that of the section, article
 * or directly enclosing div whose first heading it is; '' when there is none.
 */
export type Heading = ElementPlace & {
  level: number;
  text: string;
  order: number;
  question: boolean;
  id: string;
  sectionId: string;
};

/** The visible text from one heading to the next; `heading` is its order, -1 before the first. Cut at `proseChars`. */
export type PageSection = { heading: number; text: string; words: number };

/** A `p` element; `links` are absolute targets in it; `heading` is the order of the heading above, -1 for none. */
/** `bold`: all of its text is in one `strong` or `b`, as some write headings. */
export type Paragraph = ElementPlace & {
  text: string;
  words: number;
  links: readonly string[];
  heading: number;
  bold?: true;
};

export type ListFacts = ElementPlace & { ordered: boolean; items: readonly string[]; heading: number };

/** `headerCells` counts `th`, `scopedHeaders` those with a `scope`; `columns` is that of the widest row. */
export type TableFacts = ElementPlace & {
  rows: number;
  columns: number;
  headerCells: number;
  scopedHeaders: number;
  caption: string;
  heading: number;
};

/**
 * An `a[href]`: `href` absolute ('' when unparsable), `text` its accessible text (its text, aria-label, image alt or
 * title), `inProse` when it is in a paragraph, list item, quotation, definition or table cell.
 */
export type Anchor = ElementPlace & {
  href: string;
  rawHref: string;
  text: string;
  rels: readonly string[];
  type: string;
  inProse: boolean;
};

/** `alt` is null when the attribute is absent, '' when the author marked the image decorative; `decorative` by role or as a pixel of 1x1. */
export type ImageFacts = ElementPlace & { src: string; alt: string | null; decorative: boolean };

/** A `script[type="application/ld+json"]` as written; `text` is cut at `jsonLdChars`. */
export type JsonLdBlock = { text: string; line: number; truncated: boolean };

/** A microdata item; a property whose value is an item has `item`, its index in `microdata`. */
export type MicrodataItem = {
  types: readonly string[];
  id: string;
  props: readonly { name: string; value: string; item?: number }[];
  line: number;
};

/**
 * `action` is absolute, that of the page itself when the attribute is absent or empty; `rawAction` the attribute as
 * written, null when absent. `toolName` and `toolDescription` are the declarative WebMCP attributes, '' when absent.
 */
export type FormFacts = ElementPlace & {
  action: string;
  rawAction: string | null;
  method: string;
  id: string;
  label: string;
  toolName: string;
  toolDescription: string;
  /** Attributes of the form and its fields that look like WebMCP and are not, e.g. `tool-name`; each once. */
  strayToolAttributes: readonly string[];
};

export type LabelSource =
  | 'label'
  | 'aria-label'
  | 'aria-labelledby'
  | 'title'
  | 'text'
  | 'value'
  | 'placeholder'
  | 'none';

/** An input, select, textarea or button; `form` is the index of its form or -1; hidden inputs are kept with type `hidden`. */
export type ControlFacts = ElementPlace & {
  tag: string;
  type: string;
  name: string;
  id: string;
  form: number;
  label: string;
  labelSource: LabelSource;
  /** Inside an element that is hidden until something opens it. */
  inClosed?: true;
  /** Named after a part of the page that it opens or moves. */
  movesPage?: true;
  required: boolean;
  autocomplete: string;
  toolParamDescription: string;
};

/** Something that reacts to clicks without being a link or a control: an inline handler or a button or link role. */
export type Clickable = ElementPlace & { tag: string; role: string; tabindex: string; onclick: boolean; text: string };

export type Definition = { term: string; text: string; line: number };

export type DetailsFacts = ElementPlace & { summary: string; text: string };

export type QuoteFacts = ElementPlace & { kind: 'blockquote' | 'q' | 'cite'; text: string; cite: string };

/** `aside`: inside comments, related stories and the like. */
export type TimeFacts = ElementPlace & { datetime: string; text: string; aside: boolean };

/**
 * A `pre`; `code` says whether it directly contains a `code`, `language` what its classes or attributes name, or ''.
 */
export type CodeBlock = { language: string; code: boolean; text: string; line: number };

/** What an attribute says beside the visible text: `alt`, `title`, `aria-label` or `aria-description`. */
export type AttributeText = { attribute: string; tag: string; text: string; line: number };

/** A place that was to be filled in before the page was published: a text, an attribute or a value of structured data. */
export type OpenSlot = { text: string; where: string; line: number };

export type HiddenText = { text: string; how: HiddenHow; tag: string; line: number };

/** A mount point of a client-side application, e.g. `#root`, and how many characters of visible text it contains. */
export type AppRoot = { marker: string; textChars: number; line: number };

/** What one pass over an HTML page saw. Pure data: the same bytes give the same facts in every runtime. */
export type PageFacts = PageExtras & {
  /** The URL that answered, and the one that relative URLs resolve against (`base[href]`). */
  url: string;
  baseUrl: string;
  doctype: boolean;
  /** `html[lang]`, '' when absent. */
  lang: string;
  /** Texts of `title` outside svg, in order; more than one is a fault of the page. */
  titles: readonly string[];
  metas: readonly MetaTag[];
  linkTags: readonly LinkTag[];
  /** `link[rel~=canonical]` of the head. */
  canonicals: readonly LinkTag[];
  robots: readonly RobotsMeta[];
  /** `og:*` properties without the prefix, each with all its values. */
  openGraph: Readonly<Record<string, readonly string[]>>;
  headings: readonly Heading[];
  sections: readonly PageSection[];
  /** Visible text: no script, style, template, noscript, svg or head, no hidden elements; blocks on lines of their own. */
  text: string;
  /** The part of `text` that is the page's main content, as an extractor chooses it; '' when there is none. */
  contentText: string;
  /** Whether the main content is inside an element that marks it (`main`, `article`, microdata) or was found by its text alone. */
  contentFrom: 'landmark' | 'scored';
  /** The h1 above the `main` or `article` of the main content, where that holds no headline of its own. */
  headlineOutside?: Heading;
  words: number;
  paragraphs: readonly Paragraph[];
  lists: readonly ListFacts[];
  tables: readonly TableFacts[];
  anchors: readonly Anchor[];
  images: readonly ImageFacts[];
  jsonLd: readonly JsonLdBlock[];
  microdata: readonly MicrodataItem[];
  forms: readonly FormFacts[];
  controls: readonly ControlFacts[];
  clickables: readonly Clickable[];
  definitions: readonly Definition[];
  details: readonly DetailsFacts[];
  quotes: readonly QuoteFacts[];
  times: readonly TimeFacts[];
  codeBlocks: readonly CodeBlock[];
  hiddenTexts: readonly HiddenText[];
  attributeTexts: readonly AttributeText[];
  /** Values of `typeof` (RDFa), as written. */
  rdfaTypes: readonly string[];
  /** Those of them that are `about` this page. */
  rdfaPageTypes: readonly string[];
  /** Properties of RDFa outside of meta elements, which have those of Open Graph. */
  rdfaProperties: readonly string[];
  comments: readonly string[];
  slots: readonly OpenSlot[];
  ids: readonly string[];
  /** Elements that call themselves an author or a date. */
  named: readonly NamedText[];
  appRoots: readonly AppRoot[];
  scripts: { total: number; inline: number; external: number; module: number };
  /** How many of each element the page has, e.g. `main`, `nav`, `section`, `iframe`; only names seen. */
  elements: Readonly<Record<string, number>>;
  /** Characters of visible text under `data-nosnippet`. */
  nosnippetChars: number;
  htmlBytes: number;
  /** Characters of visible text / characters of HTML, three decimals, 0 for an empty page. */
  textRatio: number;
  /** Elements nested deeper than `PAGE_LIMITS.depth` were met; they were not tracked. */
  tooDeep: boolean;
  /** Names of lists that met their bound. */
  capped: readonly string[];
};
