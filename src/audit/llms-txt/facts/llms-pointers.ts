import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, lookup } from '../../core/snapshot.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import { pageOf } from '../../reach/facts/page-of.ts';
import { readStartPage } from '../../reach/facts/site-files.ts';

/** Lines of robots.txt that are searched. */
const MAX_LINES = 5_000;

/** A place that names llms.txt, strongest first: a described-by link, then a link for people or a line of robots.txt. */
export type LlmsPointer = {
  where: 'element' | 'header' | 'anchor' | 'robots';
  exchange: Exchange;
  line?: number;
  text: string;
};

/** Artifact `llmsPointers`: what leads from the site to its llms.txt; failed when the start page gave no answer. */
export function readLlmsPointers(snapshot: Snapshot): Artifact<readonly LlmsPointer[]> {
  const start = readStartPage(snapshot);
  if (start.state === 'failed') return start;
  const { exchange, answer } = start.value;
  const page = isHtmlAnswer(answer) ? pageOf(answer) : undefined;
  const element = page?.linkTags.find(({ rels, href }) => rels.includes('describedby') && namesLlms(href));
  const header = parseLinkHeader(answer.headers['link'] ?? '').find(
    ({ rels, href }) => rels.includes('describedby') && namesLlms(href),
  );
  const anchor = page?.anchors.find(({ href, hidden }) => hidden === undefined && namesLlms(href));
  const value: LlmsPointer[] = [
    ...(element ? [{ where: 'element' as const, exchange, line: element.line, text: element.rawHref }] : []),
    ...(header ? [{ where: 'header' as const, exchange, text: header.href }] : []),
    ...(anchor ? [{ where: 'anchor' as const, exchange, line: anchor.line, text: anchor.rawHref }] : []),
    ...robotsLine(lookup(snapshot)('robots')),
  ];
  return { state: 'ready', value };
}

const namesLlms = (href: string): boolean => /\/llms\.txt(?:$|[?#])/u.test(`/${href}`);

function robotsLine(exchange: Exchange | undefined): readonly LlmsPointer[] {
  if (!exchange?.answer.ok || exchange.answer.status !== 200) return [];
  const lines = exchange.answer.body.split(/\r\n|\n|\r/u).slice(0, MAX_LINES);
  const at = lines.findIndex((line) => /llms\.txt/iu.test(line) && !/^\s{0,20}(?:dis)?allow/iu.test(line));
  return at === -1 ? [] : [{ where: 'robots', exchange, line: at + 1, text: lines[at] ?? '' }];
}
