import { toOneLine } from '../../language/words.ts';
import type {
  Attributes,
  AriaElement,
  ClientInclude,
  ElementPlace,
  FigureFacts,
  FrameFacts,
  HiddenHow,
  Region,
  ScriptTag,
  Subresource,
  TabPanel,
  VideoFacts,
  NamedText,
} from './element-facts.ts';
import {
  type Anchor,
  type AppRoot,
  type AttributeText,
  type Clickable,
  type CodeBlock,
  type ControlFacts,
  type Definition,
  type DetailsFacts,
  type FormFacts,
  type Heading,
  type HiddenText,
  type ImageFacts,
  type JsonLdBlock,
  type LinkTag,
  type ListFacts,
  type MetaTag,
  type MicrodataItem,
  type OpenSlot,
  PAGE_LIMITS,
  type PageFacts,
  type Paragraph,
  type QuoteFacts,
  type TableFacts,
  type TimeFacts,
} from './page-facts.ts';
import type { ContentBlock, InLink } from './content-blocks.ts';
import { createTextStream, extractTextBetween, type TextStream } from './text.ts';

/** What the pass collects for the extra facts; lists fill in document order. */
type ExtrasReading = {
  /** Where the first `h1` or `main` starts in the text stream. */
  preambleEnd: number | undefined;
  noscripts: string[];
  struck: string[];
  scriptTags: ScriptTag[];
  subresources: Subresource[];
  frames: FrameFacts[];
  videos: VideoFacts[];
  figures: FigureFacts[];
  tabPanels: TabPanel[];
  roles: Map<string, number>;
  aria: AriaElement[];
  includes: ClientInclude[];
  inlineChars: { state: number; dataUri: number; svg: number };
  captchas: Set<string>;
  modelContext: Set<'document' | 'navigator'>;
  openFigures: (FigureFacts | undefined)[];
  openVideo: VideoFacts | undefined;
  openNoscript: { parts: string[]; chars: number } | undefined;
  /** The outermost open `svg`: where its markup starts, and whether the page shows it (not in a template or noscript) and says it. */
  openSvg: { from: number; live: boolean; said: boolean } | undefined;
  /** Offsets in the HTML of the tag that is read now. */
  tagStart: number;
  tagEnd: number;
};

const createExtrasReading = (): ExtrasReading => ({
  preambleEnd: undefined,
  noscripts: [],
  struck: [],
  scriptTags: [],
  subresources: [],
  frames: [],
  videos: [],
  figures: [],
  tabPanels: [],
  roles: new Map(),
  aria: [],
  includes: [],
  inlineChars: { state: 0, dataUri: 0, svg: 0 },
  captchas: new Set(),
  modelContext: new Set(),
  openFigures: [],
  openVideo: undefined,
  openNoscript: undefined,
  openSvg: undefined,
  tagStart: 0,
  tagEnd: 0,
});

export type { Attributes } from './element-facts.ts';

/** An open element. `inert`: its text is not page text; `skipped`: nothing in it exists for a reader without scripts. */
export type Frame = {
  name: string;
  attributes: Attributes;
  line: number;
  region: Region;
  /** Inside an article, section or the like: its header and footer are not the page's. */
  sectioned: boolean;
  inProse: boolean;
  hidden: HiddenHow | undefined;
  inert: boolean;
  skipped: boolean;
  nosnippet: boolean;
  /** Index of the content block that it is, or is in; -1 for none. */
  block: number;
  inLink: InLink;
  /** Index of the microdata item around or at this element, -1 for none. */
  item: number;
  /** Where its text starts in the stream, and how many headings precede it. */
  from: number;
  headings: number;
  closers: (() => void)[];
};

type Label = { target: string; text: string };
type OpenList = { ordered: boolean; items: string[] };

/** Everything the pass collects. Lists fill in document order; an entry's text is set when its element closes. */
export type PageReadState = ExtrasReading & {
  url: string;
  host: string;
  baseUrl: string;
  stream: TextStream;
  blocks: ContentBlock[];
  stack: Frame[];
  inHead: boolean;
  doctype: boolean;
  lang: string;
  titles: string[];
  metas: MetaTag[];
  linkTags: LinkTag[];
  headings: Heading[];
  headingBounds: { from: number; to: number }[];
  paragraphs: Paragraph[];
  lists: (ListFacts & OpenList)[];
  tables: TableFacts[];
  anchors: Anchor[];
  images: ImageFacts[];
  jsonLd: JsonLdBlock[];
  microdata: (MicrodataItem & { props: { name: string; value: string; item?: number }[] })[];
  forms: FormFacts[];
  controls: ControlFacts[];
  clickables: Clickable[];
  definitions: Definition[];
  details: DetailsFacts[];
  quotes: QuoteFacts[];
  times: TimeFacts[];
  codeBlocks: CodeBlock[];
  hiddenTexts: HiddenText[];
  attributeTexts: AttributeText[];
  rdfaTypes: string[];
  rdfaPageTypes: string[];
  rdfaProperties: string[];
  comments: string[];
  ids: string[];
  named: NamedText[];
  appRoots: AppRoot[];
  scripts: PageFacts['scripts'];
  elements: Map<string, number>;
  labels: Label[];
  openLists: (OpenList | undefined)[];
  openTables: (TableFacts | undefined)[];
  openDetails: (DetailsFacts | undefined)[];
  openForm: number;
  openLabels: { controls: ControlFacts[] }[];
  /** Links and buttons around what is read now, and the names in them. */
  openNames: { hidden: Frame['hidden']; parts: string[] }[];
  /** Text of the last `strong` or `b` that closed in the open paragraph. */
  boldText: string;
  rowCells: number;
  term: string;
  /** Places that were to be filled in before the page was published. */
  slots: OpenSlot[];
  /** The element whose text has a slot that goes on in the next part of it. */
  openSlot: Frame | undefined;
  /** Text of the open script or title, which can hold no element. */
  raw: { parts: string[]; chars: number; limit: number } | undefined;
  tooDeep: boolean;
  /** What hides elements is not believed. */
  showAll: boolean;
  capped: Set<string>;
};

export function createPageReadState(url: string): PageReadState {
  return {
    ...createExtrasReading(),
    url,
    host: new URL(url).hostname.replace(/^www\./, ''),
    baseUrl: url,
    stream: createTextStream(),
    blocks: [],
    stack: [],
    inHead: false,
    doctype: false,
    lang: '',
    titles: [],
    metas: [],
    linkTags: [],
    headings: [],
    headingBounds: [],
    paragraphs: [],
    lists: [],
    tables: [],
    anchors: [],
    images: [],
    jsonLd: [],
    microdata: [],
    forms: [],
    controls: [],
    clickables: [],
    definitions: [],
    details: [],
    quotes: [],
    times: [],
    codeBlocks: [],
    hiddenTexts: [],
    attributeTexts: [],
    rdfaTypes: [],
    rdfaPageTypes: [],
    rdfaProperties: [],
    comments: [],
    ids: [],
    named: [],
    appRoots: [],
    scripts: { total: 0, inline: 0, external: 0, module: 0 },
    elements: new Map(),
    labels: [],
    openLists: [],
    openTables: [],
    openDetails: [],
    openForm: -1,
    openLabels: [],
    openNames: [],
    boldText: '',
    rowCells: 0,
    term: '',
    slots: [],
    openSlot: undefined,
    raw: undefined,
    tooDeep: false,
    showAll: false,
    capped: new Set(),
  };
}

type ListName = {
  [K in keyof PageReadState & keyof typeof PAGE_LIMITS]: PageReadState[K] extends unknown[] ? K : never;
}[keyof PageReadState & keyof typeof PAGE_LIMITS];

/** Whether one more entry fits in a list; marks the list as capped when it does not. */
export function hasListRoom(reading: PageReadState, name: ListName): boolean {
  if (reading[name].length < PAGE_LIMITS[name]) return true;
  reading.capped.add(name);
  return false;
}

/** Notes the id of an element. */
export function recordId(reading: PageReadState, frame: Frame): void {
  const id = getAttribute(frame, 'id');
  if (id !== '' && hasListRoom(reading, 'ids')) reading.ids.push(id);
}

/** Keeps the text of an element that can hold no other, at most `limit` characters of it; `done` gets the count of all. */
export function keepRaw(
  reading: PageReadState,
  limit: number,
  done: (text: string, chars: number) => void,
): () => void {
  const raw = { parts: [] as string[], chars: 0, limit };
  reading.raw = raw;
  return () => {
    reading.raw = undefined;
    done(raw.parts.join(''), raw.chars);
  };
}

export const getAttribute = (frame: Frame, name: string): string =>
  (frame.attributes[name] ?? '').slice(0, PAGE_LIMITS.attributeChars);

/** Whether width and height attributes leave at most one pixel: no reader is meant to see it. */
export const isPixel = ({ attributes }: Frame): boolean =>
  [attributes['width'], attributes['height']].every((size) => /^\s{0,9}[01](?:px)?\s{0,9}$/i.test(size ?? ''));

export const buildElementPlace = (frame: Frame): ElementPlace => ({
  line: frame.line,
  region: frame.region,
  inContent: false,
  block: frame.block,
  ...(frame.hidden === undefined ? {} : { hidden: frame.hidden }),
});

/** Single-line text of an element; inside a hidden element its hidden text, elsewhere the visible text only. */
export function extractElementText(
  reading: PageReadState,
  frame: Frame,
  chars: number = PAGE_LIMITS.labelChars,
): string {
  return toOneLine(extractRawText(reading, frame, chars));
}

export function extractRawText(reading: PageReadState, frame: Frame, chars: number): string {
  const withHidden = frame.hidden !== undefined && frame.hidden !== 'aria-hidden';
  return extractTextBetween(reading.stream, frame.from, reading.stream.pieces.length, { chars, withHidden });
}

/** The absolute form of a URL in the page, '' when there is none. Data URLs keep only their beginning. */
export function toAbsolutePageUrl(reading: PageReadState, raw: string): string {
  const trimmed = raw.trim();
  if (trimmed.slice(0, 5).toLowerCase() === 'data:') return trimmed.slice(0, 64);
  try {
    return new URL(trimmed, reading.baseUrl).href;
  } catch {
    return ''; // No URL, which is rare: asking first would parse each of thousands of links twice.
  }
}

/** The tokens of a space-separated attribute, lower case. */
export const splitAttributeTokens = (value: string): readonly string[] =>
  value
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== '');

/** Collects what an element is when it opens; a returned function runs when it closes and its text is complete. */
export type ElementCollector = (reading: PageReadState, frame: Frame) => (() => void) | undefined | void;
