import { parseMediaType } from '../../../lib/media-type.ts';
import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { type FeedItem, parseFeed, type SiteFeed } from '../facts/feed.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { getMetaContent } from '../../page/facts/page.ts';
import { listNodesOfType, listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import type { ExchangeWithAnswer, SamplePage } from '../../reach/facts/site-files.ts';
import type { SnapshotAnswer, Exchange } from '../../core/snapshot.ts';

/** Checks of the ways in which a site announces what is new. */
export const feedChecks = [
  defineCheck({
    id: 'aeo.feed.exists',
    title: 'A feed is linked and can be parsed',
    failureTitle: 'Link a feed that can be parsed',
    weight: 1,
    grade: 'B',
    why: 'A feed is the quickest way to learn of a new page, and cheap to poll. Expected only where the pages that we read hold dated articles. A feed on the host of another owner is not fetched. 48.8 % of real pages link one.',
    source: 'RFC 4287 (Atom); RSS 2.0 specification; JSON Feed 1.1; HTML, section 4.6.7.1 (alternate)',
    fix: 'Publish /feed.xml with a link, an id and a date for each entry, and link it with rel="alternate" and its media type.',
    needs: ['start', 'page', 'samplePages', 'siteFeed'],
    judge: judgeFeed,
  }),
  defineCheck({
    id: 'aeo.feed.indexnow',
    title: 'IndexNow is reported, not scored',
    failureTitle: 'Check whether IndexNow helps you',
    weight: 0,
    grade: 'C',
    why: 'Bing and others take pings about changed pages, but the name of the key file is known only to the site and to them. So it cannot be verified from here; we say whether the page or robots.txt hints at it.',
    source: 'https://www.indexnow.org/documentation',
    fix: 'Let the content system ping IndexNow when a page is published or changed.',
    needs: ['page', 'robots'],
    judge: judgeIndexNow,
  }),
];

type Facts = { start: ExchangeWithAnswer; page: PageFacts; samplePages: readonly SamplePage[]; siteFeed: SiteFeed };

function judgeFeed({ start, page, samplePages, siteFeed }: Facts): CheckOutcome {
  if (siteFeed.state === 'none') {
    const dated = [{ exchange: start.exchange, page }, ...samplePages].find((one) => isDatedArticle(one.page));
    if (!dated) return verdict.notApplicable('No feed is linked, and no page that we read is a dated article.');
    return verdict.fail('The site has dated articles, and its start page links no feed.', [
      buildEvidence(start.exchange, { selector: 'link[rel~=alternate]' }),
      buildEvidence(dated.exchange, { excerpt: 'a dated article' }),
    ]);
  }
  const at = buildEvidence(start.exchange, {
    selector: 'link[rel~=alternate]',
    line: siteFeed.link.line,
    excerpt: siteFeed.link.rawHref,
  });
  if (siteFeed.state === 'elsewhere')
    return verdict.unknown('The feed lies on a host of another owner, which we do not ask.', at);
  if (siteFeed.state === 'not_read')
    return verdict.unknown('The feed was not read: the budget of requests was used up.', at);
  const { exchange, existence } = siteFeed;
  const { answer } = exchange;
  if (!answer.ok) return verdict.unknown(`The feed gave no answer: ${answer.reason}.`, [at, buildEvidence(exchange)]);
  if ([401, 403, 429].includes(answer.status) || answer.status >= 500)
    return verdict.unknown(`The feed answers ${answer.status}, which may be a refusal of us.`, [
      at,
      buildEvidence(exchange),
    ]);
  if (existence.state !== 'exists')
    return verdict.fail(`The linked feed is not there (status ${answer.status}, no feed).`, [
      at,
      buildEvidence(exchange),
    ]);
  return judgeContent(exchange, answer);
}

/** Whether a page is an article with a date, by structured data or metadata. */
function isDatedArticle(page: PageFacts): boolean {
  if (getMetaContent(page, 'article:published_time') !== '') return true;
  const { graph } = getJsonLd(page);
  return listNodesOfType(graph, 'Article').some((node) => listPropertyTexts(graph, node, 'datePublished').length > 0);
}

const XML_TYPES = ['application/rss+xml', 'application/atom+xml', 'application/rdf+xml', 'application/xml', 'text/xml'];
const TYPES = { rss: XML_TYPES, atom: XML_TYPES, json: ['application/feed+json', 'application/json'] };

function judgeContent(exchange: Exchange, answer: SnapshotAnswer): CheckOutcome {
  const feed = parseFeed(answer.body);
  const type = parseMediaType(answer.headers['content-type'] ?? '');
  if (feed.kind === 'none')
    return verdict.fail(
      'The linked file is no RSS, Atom or JSON feed.',
      buildEvidence(exchange, { excerpt: answer.body.trim() }),
    );
  const faults = [
    ...(TYPES[feed.kind].includes(type) ? [] : ['its media type is not that of a feed']),
    ...listItemFaults(feed.items),
  ];
  const evidence = buildEvidence(exchange, {
    header: 'content-type',
    excerpt: `${type}; ${feed.kind}; ${feed.items[0]?.link ?? 'no entry'}`,
  });
  if (faults.length === 0)
    return verdict.pass('The linked feed parses, and its entries have link, id and date.', evidence);
  const note = `The linked feed parses, but ${faults.join('; ')}.`;
  return verdict.partial(faults.length === 1 ? 0.5 : 0.25, note, evidence);
}

/** What no entry of the feed has. One entry with everything is enough. */
function listItemFaults(items: readonly FeedItem[]): readonly string[] {
  if (items.length === 0) return ['it has no entry'];
  if (items.some((item) => hasLink(item) && hasId(item) && hasDate(item))) return [];
  return ['no entry has an absolute link, an id and a date together'];
}

const hasLink = ({ link }: FeedItem): boolean => /^https?:\/\//i.test(link) && URL.canParse(link);
/** An entry without an id is known by its link; that is stable, but only if it is there. */
const hasId = ({ id }: FeedItem): boolean => id !== '';
const hasDate = ({ date }: FeedItem): boolean => date.length < 60 && !Number.isNaN(Date.parse(date));

function judgeIndexNow({ page, robots }: FactsOf<'page' | 'robots'>): CheckOutcome {
  const hints = [
    ...(page.metas.some(({ name }) => name.includes('indexnow')) ? ['a meta element'] : []),
    ...(page.linkTags.some(({ rels }) => rels.some((rel) => rel.includes('indexnow'))) ? ['a link element'] : []),
    ...(robots.kind === 'file' && robots.file.others.some(({ key }) => key.includes('indexnow'))
      ? ['a record of robots.txt']
      : []),
  ];
  const said =
    hints.length === 0 ? 'Neither the page nor robots.txt hints at it.' : `Hinted at by ${hints.join(' and ')}.`;
  return verdict.notApplicable(`IndexNow cannot be verified from outside. ${said}`);
}
