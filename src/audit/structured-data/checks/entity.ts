import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { isAbbreviation, isSameBrand, listComparableNames } from '../facts/brand-names.ts';
import type { JsonLd } from '../facts/json-ld.ts';
import { findBestOrganization } from '../facts/organization.ts';
import {
  hasValue,
  listPropertyNodes,
  listNodesOfType,
  type SchemaNode,
  listPropertyTexts,
  listPropertyValues,
} from '../facts/schema-nodes.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { judgeMissingNode } from './missing-node.ts';

const SELECTOR = 'script[type="application/ld+json"], [itemscope]';

export const entityChecks = [
  defineCheck({
    id: 'geo.entity.organization',
    title: 'Organization entity in structured data',
    failureTitle: 'Complete the Organization in structured data',
    weight: 4,
    grade: 'B',
    why: 'An answer can only credit a source whose identity is clear: who publishes this page, and where else are they known.',
    source:
      'https://schema.org/Organization; https://developers.google.com/search/docs/appearance/structured-data/organization',
    fix: 'Describe the publisher as an Organization with name, url, logo, sameAs and contactPoint or address.',
    capabilities: ['check_schema'],
    needs: ['start', 'jsonLd'],
    judge: judgeOrganization,
  }),
  defineCheck({
    id: 'geo.entity.sameas',
    title: 'sameAs points at known identities',
    failureTitle: 'Point sameAs at known identities',
    weight: 2,
    grade: 'B',
    why: 'Links to public registers tell this organisation or person from others of the same name.',
    source:
      'https://schema.org/sameAs; https://developers.google.com/search/docs/appearance/structured-data/organization',
    fix: 'List at least two profiles in sameAs, one of them Wikidata, Wikipedia, LinkedIn, Crunchbase, GitHub or a public register.',
    needs: ['start', 'jsonLd'],
    judge: judgeSameAs,
  }),
  defineCheck({
    id: 'geo.entity.name-consistent',
    title: 'The brand name is the same everywhere',
    failureTitle: 'Use one brand name everywhere',
    weight: 2,
    grade: 'B',
    why: 'Two spellings of one name are two entities to a machine that merges what it reads.',
    source: 'https://developers.google.com/search/docs/appearance/site-names: use the name consistently',
    fix: 'Use one spelling in the title, og:site_name, WebSite.name, Organization.name and the copyright line.',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgeNames,
  }),
  defineCheck({
    id: 'geo.entity.website-node',
    title: 'WebSite node',
    failureTitle: 'Add a complete WebSite node',
    weight: 1,
    grade: 'B',
    why: 'It says what the site, as opposed to the page, is called.',
    source: 'https://schema.org/WebSite; https://developers.google.com/search/docs/appearance/site-names',
    fix: 'Add a WebSite node with name and url on the home page.',
    capabilities: ['check_schema'],
    needs: ['start', 'jsonLd'],
    judge: judgeWebSite,
  }),
  defineCheck({
    id: 'geo.entity.author',
    title: 'Author is named and marked up',
    failureTitle: 'Name the author and mark it up',
    weight: 3,
    grade: 'B',
    why: 'A named author with a profile can be credited and weighed; "admin" cannot.',
    source: 'https://developers.google.com/search/docs/appearance/structured-data/article: author.name, author.url',
    fix: "Name the author in the byline and as a Person (or Organization) with url or sameAs in the article's structured data.",
    each: 'share',
    needs: ['start', 'jsonLd', 'textEvidence'],
    judge: judgeAuthor,
  }),
];

function judgeOrganization({ start, jsonLd }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const best = findBestOrganization(jsonLd.graph);
  if (!best)
    return judgeMissingNode(
      jsonLd,
      'No Organization (or subtype) in JSON-LD or microdata.',
      buildEvidence(start.exchange, { selector: SELECTOR }),
    );
  const evidence = buildEvidence(start.exchange, {
    line: best.node.line,
    excerpt: `${best.node.types.join(', ')}: ${best.name || '(no name)'}`,
  });
  const lacks = best.missing.length === 0 ? '' : ` Missing: ${best.missing.join(', ')}.`;
  if (best.value === 0) return verdict.fail(`An Organization without ${best.missing.join(' and ')}.`, evidence);
  const note = `An Organization with name and url or @id.${lacks}`;
  return best.value === 1 ? verdict.pass(note, evidence) : verdict.partial(best.value, note, evidence);
}

/** Hosts where an entity has a page that others check: encyclopaedias, company and code registers. */
const IDENTITY_HOSTS =
  /(?:^|\.)(?:wikidata\.org|wikipedia\.org|linkedin\.com|crunchbase\.com|github\.com|gitlab\.com|orcid\.org|isni\.org|viaf\.org|gleif\.org|opencorporates\.com|companieshouse\.gov\.uk|company-information\.service\.gov\.uk|northdata\.(?:com|de)|handelsregister\.de|d-nb\.info|imdb\.com|musicbrainz\.org|ror\.org)$/i;

function judgeSameAs({ start, jsonLd }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const { graph } = jsonLd;
  const urls = graph.nodes
    .slice(0, MAX_NODES)
    .flatMap((node) => listPropertyTexts(graph, node, 'sameAs'))
    .filter((url) => /^https?:\/\//i.test(url) && URL.canParse(url));
  const hosts = new Set(urls.map((url) => new URL(url).hostname.replace(/^www\./, '')));
  const known = [...hosts].filter((host) => IDENTITY_HOSTS.test(host));
  const evidence = buildEvidence(start.exchange, { selector: SELECTOR, excerpt: [...new Set(urls)].join(' ') });
  const note = `${formatCount(hosts.size, 'host')} in sameAs, ${known.length} of them a known register of identities.`;
  if (hosts.size === 0) return verdict.fail(note, buildEvidence(start.exchange, { selector: SELECTOR }));
  return hosts.size >= 2 && known.length > 0 ? verdict.pass(note, evidence) : verdict.partial(0.5, note, evidence);
}

function judgeNames({ start, page, jsonLd }: FactsOf<'start' | 'jsonLd' | 'page'>): CheckOutcome {
  const names = listComparableNames(page, jsonLd);
  if (names.length < 2)
    return verdict.notApplicable(`${formatCount(names.length, 'place')} name the brand; two are needed to compare.`);
  const most = Math.max(...groupNames(names.map(({ name }) => name)).map((group) => group.length));
  const isShortened = names.some(({ name }) => names.some((other) => isAbbreviation(name, other.name)));
  const evidence = names.map(({ from, name }) => buildEvidence(start.exchange, { selector: from, excerpt: name }));
  const note =
    most === 1
      ? `No two of ${names.length} places give the same name.`
      : `${most} of ${names.length} places agree on the name; case, accents and legal forms aside.`;
  if (most === names.length) return verdict.pass(note, evidence);
  return most > 1 || isShortened ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

/** Names of one brand together, also where only a third one contains both. */
function groupNames(names: readonly string[]): readonly (readonly string[])[] {
  let groups: (readonly string[])[] = [];
  for (const name of names) {
    const own = groups.filter((group) => group.some((other) => isSameBrand(name, other)));
    groups = [...groups.filter((group) => !own.includes(group)), [...own.flat(), name]];
  }
  return groups;
}

function judgeWebSite({ start, jsonLd }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const { graph } = jsonLd;
  const sites = listNodesOfType(graph, 'WebSite');
  const [first] = sites;
  if (!first)
    return judgeMissingNode(jsonLd, 'No WebSite node.', buildEvidence(start.exchange, { selector: SELECTOR }));
  const complete = sites.find((node) => hasValue(graph, node, 'name') && hasValue(graph, node, 'url'));
  if (complete)
    return verdict.pass('A WebSite node with name and url.', buildEvidence(start.exchange, { line: complete.line }));
  return verdict.partial(
    0.5,
    'A WebSite node without name or url.',
    buildEvidence(start.exchange, { line: first.line }),
  );
}

const NO_PERSON =
  /^(?:admin(?:istrator)?|editor(?:ial)?(?: team)?|webmaster|author|staff(?: reports?| writers?)?|team|user|guest|root|@\w+)$/i;

function judgeAuthor({ start, jsonLd, textEvidence }: FactsOf<'start' | 'jsonLd' | 'textEvidence'>): CheckOutcome {
  const { kind } = textEvidence;
  const broken = jsonLd.blocks.find(({ author }) => author !== undefined && author !== '')?.author;
  const byline = textEvidence.byline || (broken ?? '');
  if (kind.kind !== 'article') return verdict.notApplicable(`Not an article (${kind.kind}: ${kind.reason}).`);
  const found = findMarkedAuthor(jsonLd.graph);
  const at = buildEvidence(start.exchange, {
    selector: 'author',
    ...(found ? { line: found.line } : {}),
    excerpt: found?.name || byline,
  });
  if (found && NO_PERSON.test(found.name))
    return verdict.partial(0.2, 'The author is a role or a handle, not a name.', at);
  if (found)
    return found.linked
      ? verdict.pass('Structured data name the author, with an address.', at)
      : verdict.partial(0.6, 'Structured data name the author, without url or sameAs.', at);
  if (byline === '')
    return verdict.fail(
      'No author in structured data, metadata, a marked element or a byline.',
      buildEvidence(start.exchange, { selector: 'author' }),
    );
  return NO_PERSON.test(byline)
    ? verdict.partial(0.2, 'The byline names a role or a handle.', at)
    : verdict.partial(0.4, 'The author is named outside of structured data only.', at);
}

/** Nodes that are asked for other addresses of what they describe. */
const MAX_NODES = 500;

/** Nodes that are asked for their author. */
const MAX_WORKS = 50;

type MarkedAuthor = { name: string; linked: boolean; line: number };

/** The author of the first work that names one, articles before others; one with an address before one without. */
function findMarkedAuthor(graph: JsonLd['graph']): MarkedAuthor | undefined {
  const works = [...listNodesOfType(graph, 'Article'), ...listNodesOfType(graph, 'CreativeWork')].slice(0, MAX_WORKS);
  const authors = works.flatMap((work) => listAuthors(graph, work));
  return authors.find(({ linked }) => linked) ?? authors[0];
}

function listAuthors(graph: JsonLd['graph'], work: SchemaNode): readonly MarkedAuthor[] {
  const nodes = ['author', 'creator'].flatMap((property) => listPropertyNodes(graph, work, property));
  const described = nodes.flatMap((author): MarkedAuthor[] => {
    const name = listPropertyTexts(graph, author, 'name')[0];
    if (name === undefined) return [];
    return [{ name, linked: hasValue(graph, author, 'url') || hasValue(graph, author, 'sameAs'), line: work.line }];
  });
  const texts = ['author', 'creator']
    .flatMap((property) => listPropertyValues(graph, work, property))
    .flatMap((value): MarkedAuthor[] =>
      typeof value === 'string' && value.trim() !== '' ? [{ name: value.trim(), linked: false, line: work.line }] : [],
    );
  return [...described, ...texts];
}
