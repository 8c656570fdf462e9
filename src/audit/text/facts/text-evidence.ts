import { type CitedSource, findCitedSources } from './cited-sources.ts';
import { fluencyOf, type Fluency } from './fluency.ts';
import { findHiddenInstructions, type HiddenInstruction } from '../../hidden-text/facts/hidden-instructions.ts';
import { type MainText, mainTextOf } from './main-text.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { bylineOf, type PageKind, pageKindOf } from '../../page/facts/kind.ts';
import { findQuotations, namesSource, type Quotation } from './quotations.ts';
import { mostRepeated, type Repetition } from './repetition.ts';
import { type Statistic, statisticsOf } from '../../language/statistics.ts';

/** What the main text of a page offers a writer who wants to cite it. */
export type TextEvidence = {
  main: MainText;
  kind: PageKind;
  byline: string;
  statistics: readonly (Statistic & { sourced: boolean })[];
  quotations: readonly Quotation[];
  sources: readonly CitedSource[];
  repeated: Repetition | undefined;
  fluency: Fluency;
  hidden: readonly HiddenInstruction[];
};

/** Weighs the text of a page; linear in its size. `ownUrls` are the organisation's `sameAs`, which are no sources. */
export function textEvidenceOf(page: PageFacts, ownUrls: readonly string[]): TextEvidence {
  const main = mainTextOf(page);
  const sources = findCitedSources(page, ownUrls);
  const lines = main.text.split('\n');
  const isSourced = sourcedLines(page, sources);
  return {
    main,
    kind: pageKindOf(page, main),
    byline: bylineOf(page),
    statistics: statisticsOf(main).map((found) => ({ ...found, sourced: isSourced(lines[found.line] ?? '') })),
    quotations: findQuotations(main.text, page),
    sources,
    repeated: mostRepeated(main.text),
    fluency: fluencyOf(main.text),
    hidden: findHiddenInstructions(page),
  };
}

/** Link texts that are looked for in a line; a page with more sources has shown its habits. */
const MAX_LINK_TEXTS = 100;
/** A link text this short ("here") is in too many lines to prove anything. */
const MIN_LINK_CHARS = 5;
const MAX_LINE_CHARS = 5000;

/** Whether a line of the main text holds one of the sources' links, or names a source in words. */
function sourcedLines(page: PageFacts, sources: readonly CitedSource[]): (line: string) => boolean {
  const hrefs = new Set(sources.map((source) => source.href));
  const linked = new Set(
    page.paragraphs
      .filter((paragraph) => paragraph.links.some((href) => hrefs.has(href.split('#')[0] ?? href)))
      .map((paragraph) => paragraph.text),
  );
  const texts = sources
    .map((source) => source.text)
    .filter((text) => text.length >= MIN_LINK_CHARS)
    .slice(0, MAX_LINK_TEXTS);
  // A line has several statistics and is looked through once.
  const known = new Map<string, boolean>();
  return (line) => {
    const start = line.slice(0, MAX_LINE_CHARS);
    const sourced =
      known.get(line) ?? (linked.has(line) || namesSource(start) || texts.some((text) => start.includes(text)));
    known.set(line, sourced);
    return sourced;
  };
}
