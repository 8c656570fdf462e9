import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { listSelectorNames, readPaywall } from '../../structured-data/facts/paywall.ts';
import { type FileTopic, listFileContent } from '../facts/file-content.ts';

/** Checks of content that is there and cannot be read: in files, and behind a wall. */
export const closedContentChecks = [
  defineCheck({
    id: 'geo.text.only-in-files',
    title: 'Menus, prices and timetables are text of a page',
    failureTitle: 'Put menus, prices and timetables into a page',
    weight: 1,
    grade: 'B',
    why: 'Questions about a place are answered from the text of its pages; a PDF is seldom read, and a picture never. Looked for are links and pictures that are named so, and a page of the same topic.',
    source:
      'Google Search Central, SEO starter guide: "make sure important content is text"; Google Business Profile, menu editor; AgentReady standard v2.0, dataset of 1,033 runs',
    fix: 'Write the menu, the price list or the timetable into a page of its own, and keep the file for printing.',
    needs: ['start', 'page', 'samplePages'],
    judge: judgeFiles,
  }),
  defineCheck({
    id: 'geo.schema.paywall',
    title: 'A paywall is marked up',
    failureTitle: 'Mark up the paywall',
    weight: 1,
    grade: 'A',
    why: 'Without isAccessibleForFree a text that readers see cut looks like cloaking, and one that is marked free and is not sends readers of an answer to a wall.',
    source:
      'https://developers.google.com/search/docs/appearance/structured-data/paywalled-content: isAccessibleForFree and hasPart with cssSelector',
    fix: 'Add "isAccessibleForFree": false to the article, and hasPart with a WebPageElement whose cssSelector names the closed part.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgePaywall,
  }),
];

const TOPIC_NAMES: Readonly<Record<FileTopic, string>> = { menu: 'menu', prices: 'price list', times: 'timetable' };

function judgeFiles({ start, page, samplePages }: FactsOf<'start' | 'page' | 'samplePages'>): CheckOutcome {
  const found = listFileContent([{ exchange: start.exchange, page }, ...samplePages]);
  if (found.length === 0)
    return verdict.notApplicable('No page that was read keeps a menu, prices or a timetable in a file.');
  const closed = found.filter(({ hasPage }) => !hasPage);
  const names = closed.map(({ topic }) => TOPIC_NAMES[topic]).join(', ');
  const evidence = (closed.length > 0 ? closed : found).map(({ at, line, href }) =>
    buildEvidence(at.exchange, { line, selector: 'a[href], img[src]', excerpt: href }),
  );
  const good = found.length - closed.length;
  const tail = names === '' ? '' : ` Only in a file: ${names}.`;
  const note = `${good} of ${formatCount(found.length, 'topic')} that a file holds are on a page too.${tail}`;
  return verdict.byShare(good / found.length, { passAt: 1, partialAt: 0.01 }, note, evidence);
}

function judgePaywall({ start, page, jsonLd }: FactsOf<'start' | 'page' | 'jsonLd'>): CheckOutcome {
  const { stated, selectors, wall } = readPaywall(page, jsonLd.graph);
  const line = stated === undefined ? {} : { line: stated.node.line };
  const at = buildEvidence(start.exchange, { selector: 'isAccessibleForFree', ...line, excerpt: wall });
  if (stated === undefined || stated.free) {
    if (wall === '') return verdict.notApplicable('Nothing on the page says that it is not free to read.');
    return stated === undefined
      ? verdict.fail('The page shows a paywall, and no isAccessibleForFree says so.', at)
      : verdict.fail('The page shows a paywall, and is marked as free to read.', at);
  }
  if (selectors.length === 0)
    return verdict.partial(0.5, 'The page is marked as not free, without the part that is closed.', at);
  const names = selectors.flatMap(listSelectorNames);
  const missing = names.filter((name) => !isUsed(name, start.answer.body, jsonLd.blocks.length));
  return names.length === 0 || missing.length > 0
    ? verdict.partial(0.5, 'The closed part that the markup names is not on the page.', at)
    : verdict.pass('The page is marked as not free, and the closed part is named.', at);
}

/** Whether a class or id is in the HTML beside the structured data, which names it once in each block at most. */
function isUsed(name: string, html: string, blocks: number): boolean {
  let from = html.indexOf(name);
  for (let seen = 0; from !== -1; seen += 1) {
    if (seen > blocks || /(?:class|id)\s?=\s?["'][^"'<>]{0,500}$/i.test(html.slice(Math.max(0, from - 510), from)))
      return true;
    from = html.indexOf(name, from + name.length);
  }
  return false;
}
