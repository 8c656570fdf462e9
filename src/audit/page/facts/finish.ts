import { compactText } from '../../../lib/text.ts';
import { isInSideMatter } from './content-blocks.ts';
import { findHeadlineOutside } from './content-headline.ts';
import { chooseMainContent, type MainContent } from './main-content.ts';
import { joinLabels } from '../../controls/facts/page-controls.ts';
import { PAGE_LIMITS, type PageFacts, type PageSection } from './page-facts.ts';
import type { ElementPlace, PageExtras } from './element-facts.ts';
import { listOpenSlots } from './open-slots.ts';
import type { PageReadState } from './state.ts';
import { asLines, extractTextBetween } from './text.ts';
import { countWords, toOneLine } from '../../language/words.ts';

/** Turns what the pass collected into the facts: text joined, labels joined, open ends closed. */
export function finishPage(reading: PageReadState, size: { htmlChars: number; htmlBytes: number }): PageFacts {
  joinLabels(reading);
  const { stream } = reading;
  const content = chooseMainContent(reading.blocks);
  markContent(reading, content);
  const everything = { chars: Infinity, withHidden: false };
  const text = compactText(asLines(extractTextBetween(stream, 0, stream.pieces.length, everything)));
  const own = asLines(extractTextBetween(stream, 0, stream.pieces.length, { ...everything, contentOnly: true }));
  const headlineOutside = findHeadlineOutside(reading.blocks, content, reading);
  return {
    url: reading.url,
    baseUrl: reading.baseUrl,
    doctype: reading.doctype,
    lang: reading.lang,
    titles: reading.titles,
    metas: reading.metas,
    linkTags: reading.linkTags,
    canonicals: reading.linkTags.filter(
      (link) => link.inHead && link.rels.includes('canonical') && link.rawHref.trim() !== '',
    ),
    robots: listRobotsMetas(reading),
    openGraph: openGraph(reading),
    headings: reading.headings,
    sections: buildSections(reading),
    text,
    contentText: shareText(own, text),
    contentFrom: content.marked ? 'landmark' : 'scored',
    ...(headlineOutside ? { headlineOutside } : {}),
    words: countWords(text),
    paragraphs: reading.paragraphs,
    lists: reading.lists,
    tables: reading.tables,
    anchors: reading.anchors,
    images: reading.images,
    jsonLd: reading.jsonLd,
    microdata: reading.microdata,
    forms: reading.forms,
    controls: reading.controls,
    clickables: reading.clickables,
    definitions: reading.definitions,
    details: reading.details,
    quotes: reading.quotes,
    times: reading.times,
    codeBlocks: reading.codeBlocks,
    hiddenTexts: reading.hiddenTexts,
    attributeTexts: reading.attributeTexts,
    rdfaTypes: reading.rdfaTypes,
    rdfaPageTypes: reading.rdfaPageTypes,
    rdfaProperties: reading.rdfaProperties,
    comments: reading.comments,
    slots: listOpenSlots(reading),
    ids: reading.ids,
    named: reading.named,
    appRoots: reading.appRoots,
    scripts: reading.scripts,
    elements: Object.fromEntries(reading.elements),
    nosnippetChars: stream.nosnippetChars,
    htmlBytes: size.htmlBytes,
    textRatio: size.htmlChars === 0 ? 0 : Math.round((1000 * text.length) / size.htmlChars) / 1000,
    tooDeep: reading.tooDeep,
    capped: [...reading.capped].toSorted(),
    ...finishExtras(reading),
  };
}

/** So much of a text is looked for: the search for all of it takes the product of both lengths on a page of one letter. */
const FOUND_BY_CHARS = 64;

/** Facts live as long as their audit: main content that is a passage of the page's text shares its memory. */
function shareText(own: string, text: string): string {
  const from = text.indexOf(own.slice(0, FOUND_BY_CHARS));
  return from !== -1 && text.startsWith(own, from) ? text.slice(from, from + own.length) : compactText(own);
}

/** Says of each text node and of each element that was noted whether it is in the main content. */
function markContent(reading: PageReadState, { kept }: MainContent): void {
  const { stream } = reading;
  stream.block.forEach((block, index) => {
    if (block >= 0) stream.content[index] = kept[block] === true;
  });
  for (const place of listPlaces(reading)) place.inContent = kept[place.block] === true;
  for (const one of [...reading.named, ...reading.times]) one.aside = isInSideMatter(reading.blocks, one.block);
}

const listPlaces = (reading: PageReadState): readonly ElementPlace[] => [
  ...reading.headings,
  ...reading.paragraphs,
  ...reading.lists,
  ...reading.tables,
  ...reading.anchors,
  ...reading.images,
  ...reading.forms,
  ...reading.controls,
  ...reading.clickables,
  ...reading.details,
  ...reading.quotes,
  ...reading.times,
  ...reading.frames,
  ...reading.videos,
  ...reading.figures,
  ...reading.tabPanels,
  ...reading.named,
  ...reading.includes,
];

function finishExtras(reading: PageReadState): PageExtras {
  const { stream, preambleEnd } = reading;
  return {
    preambleChars:
      preambleEnd === undefined
        ? null
        : asLines(extractTextBetween(stream, 0, preambleEnd, { chars: Infinity, withHidden: false })).length,
    hiddenChars: stream.hiddenChars,
    noscripts: reading.noscripts,
    struck: reading.struck,
    scriptTags: reading.scriptTags,
    subresources: reading.subresources,
    frames: reading.frames,
    videos: reading.videos,
    figures: reading.figures,
    tabPanels: reading.tabPanels,
    roles: Object.fromEntries(reading.roles),
    aria: reading.aria,
    duplicateIds: listRepeatedTexts(reading.ids),
    includes: reading.includes,
    inlineChars: reading.inlineChars,
    captchas: [...reading.captchas].toSorted(),
    modelContext: [...reading.modelContext].toSorted(),
  };
}

/** The texts that a list has more than once, each once, in the order of their second place. */
function listRepeatedTexts(list: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const each of list) (seen.has(each) ? again : seen).add(each);
  return [...again];
}

function listRobotsMetas(reading: PageReadState): PageFacts['robots'] {
  return reading.metas
    .filter(({ name }) => name === 'robots' || name.endsWith('bot'))
    .map(({ name, content, line }) => ({
      agent: name,
      directives: content
        .toLowerCase()
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
      line,
    }));
}

function openGraph(reading: PageReadState): PageFacts['openGraph'] {
  const found = new Map<string, string[]>();
  for (const { property, name, content } of reading.metas) {
    const key = property.startsWith('og:') ? property : name;
    if (!key.startsWith('og:')) continue;
    const values = found.get(key.slice(3)) ?? [];
    values.push(content);
    found.set(key.slice(3), values);
  }
  return Object.fromEntries(found);
}

function buildSections(reading: PageReadState): readonly PageSection[] {
  const { stream, headingBounds } = reading;
  const starts = [0, ...headingBounds.map((bounds) => bounds.to)];
  return starts.map((from, index) => {
    const to = headingBounds[index]?.from ?? stream.pieces.length;
    const text = toOneLine(extractTextBetween(stream, from, to, { chars: PAGE_LIMITS.proseChars, withHidden: false }));
    return { heading: index - 1, text, words: countWords(text) };
  });
}
