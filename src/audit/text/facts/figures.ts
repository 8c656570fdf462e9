import type { JsonLd } from '../../structured-data/facts/json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import type { ElementPlace } from '../../page/facts/element-facts.ts';
import { hasValue, listNodesOfType } from '../../structured-data/facts/schema-nodes.ts';
import { TRANSCRIPT_WORDS } from './text-words-data.ts';
import { countWords } from '../../language/words.ts';

/** Something that shows data or a picture and should say what: `captioned` when it does. */
export type Captioned = { what: 'figure' | 'table'; line: number; captioned: boolean };

const isSeen = ({ hidden }: ElementPlace): boolean => hidden === undefined;

/**
 * The visible figures and data tables of a page. A table inside a figure counts once, with either caption; a table of one
 * row or column, or without header cells, only lays out.
 */
export function listCaptionedParts(page: PageFacts): readonly Captioned[] {
  const figures = page.figures.filter(isSeen);
  const tables = page.tables.filter(isSeen);
  const captions = findCaptionedTables(
    figures.filter(({ holds }) => holds === 'table'),
    tables,
  );
  const data = tables
    .filter(({ rows, columns, headerCells }) => rows > 1 && columns > 1 && headerCells > 0)
    .map((table): Captioned => ({
      what: 'table',
      line: table.line,
      captioned: table.caption !== '' || captions.has(table),
    }));
  const others = figures
    .filter(({ holds }) => holds !== 'table')
    .map(({ line, caption }): Captioned => ({ what: 'figure', line, captioned: caption !== '' }));
  return [...others, ...data];
}

/** Tables whose figure has a caption: each figure that holds a table is around the next one that begins there or below. */
function findCaptionedTables(
  figures: PageFacts['figures'],
  tables: PageFacts['tables'],
): ReadonlySet<PageFacts['tables'][number]> {
  const found = new Set<PageFacts['tables'][number]>();
  let next = 0;
  for (const { line, caption } of figures) {
    while (next < tables.length && (tables[next]?.line ?? 0) < line) next += 1;
    const table = tables[next];
    next += 1;
    if (table && caption !== '') found.add(table);
  }
  return found;
}

/** How the page puts the content of its videos into words, the best form that was found. */
export type VideoText = { videos: number; line: number; text: 'transcript' | 'described' | 'tracks' | 'none' };

const TRANSCRIPT = new RegExp(`(?<!\\p{L})(?:${TRANSCRIPT_WORDS})(?!\\p{Ll})`, 'iu');
const MAX_HEADING_CHARS = 80;
const MIN_TRANSCRIPT_WORDS = 100;

/** The visible videos of a page and whether their content is there as text. */
export function readVideoText(page: PageFacts, { graph }: JsonLd): VideoText | undefined {
  const videos = page.videos.filter(isSeen);
  const [first] = videos;
  if (!first) return undefined;
  const nodes = listNodesOfType(graph, 'VideoObject');
  const of = (text: VideoText['text']): VideoText => ({ videos: videos.length, line: first.line, text });
  if (hasTranscript(page) || nodes.some((node) => hasValue(graph, node, 'transcript'))) return of('transcript');
  if (nodes.some((node) => hasValue(graph, node, 'description'))) return of('described');
  return of(videos.some(({ tracks }) => tracks > 0) ? 'tracks' : 'none');
}

const isTranscriptHeading = (text: string): boolean => text.length <= MAX_HEADING_CHARS && TRANSCRIPT.test(text);

/** A heading or a disclosure that announces a transcript, with a hundred words or more below it. */
function hasTranscript(page: PageFacts): boolean {
  const below = new Map(page.sections.map(({ heading, words }) => [heading, words]));
  const headed = page.headings.some(
    ({ order, text }) => isTranscriptHeading(text) && (below.get(order) ?? 0) >= MIN_TRANSCRIPT_WORDS,
  );
  return (
    headed ||
    page.details.some(({ summary, text }) => isTranscriptHeading(summary) && countWords(text) >= MIN_TRANSCRIPT_WORDS)
  );
}
