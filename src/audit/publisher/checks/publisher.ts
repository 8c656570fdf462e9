import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { buildAboutFacts, type AboutPage } from '../facts/about-pages.ts';
import { listBrandNames } from '../../structured-data/facts/brand-names.ts';
import type { JsonLd } from '../../structured-data/facts/json-ld.ts';
import { buildContactFacts } from '../facts/contact-facts.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { normaliseLetters } from '../../language/words.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import {
  hasValue,
  listPropertyNodes,
  listNodesOfType,
  type SchemaNode,
  listPropertyTexts,
  listTypes,
  listPropertyValues,
} from '../../structured-data/facts/schema-nodes.ts';
import { isSubtype } from '../../structured-data/facts/schema-org.ts';
import type { Exchange } from '../../core/snapshot.ts';
import type { Site } from '../../core/site.ts';

/** An author's page with fewer words is a name and a picture. */
const MIN_BIO_WORDS = 40;

/** Checks of who publishes the page, and whether that can be looked up. */
export const publisherChecks = [
  defineCheck({
    id: 'geo.entity.author-page',
    title: 'The author link resolves to a bio',
    failureTitle: 'Link the author to a biography',
    weight: 1,
    grade: 'C',
    why: 'A name can be weighed when it leads to a person: a page that answers, names the author and says who that is. A profile on another site is only asked to answer and to name the author.',
    source:
      'https://developers.google.com/search/docs/appearance/structured-data/article: author.url; agent-lighthouse 10.3',
    fix: 'Publish a page about the author (who, what they know, how to reach them) and link it in author.url and the byline.',
    needs: ['start', 'authorPage'],
    judge: judgeAuthorPage,
  }),
  defineCheck({
    id: 'geo.entity.publisher',
    title: 'publisher ties the article to the Organization',
    failureTitle: 'Tie the article to its publisher',
    weight: 1,
    grade: 'B',
    why: 'A publisher that is one node with the Organization joins the article to everything known of it; a bare name has to be guessed.',
    source: 'https://schema.org/publisher; JSON-LD 1.1, node objects, https://www.w3.org/TR/json-ld11/#node-objects',
    fix: 'Write "publisher": {"@id": ".../#organization"} and describe that node once, with name and url.',
    needs: ['start', 'jsonLd'],
    judge: judgePublisher,
  }),
  defineCheck({
    id: 'geo.entity.contact-verifiable',
    title: 'Contact facts are machine readable',
    failureTitle: 'Make contact facts machine readable',
    weight: 1,
    grade: 'C',
    why: 'A telephone number, an e-mail or a postal address that links or structured data repeat can be checked against other registers. The linked Contact and About pages count too.',
    source: 'https://schema.org/ContactPoint; https://schema.org/PostalAddress; agent-lighthouse 10.7',
    fix: 'Link the number and the address with tel: and mailto:, or add a ContactPoint or PostalAddress that says what the page shows.',
    needs: ['start', 'page', 'textEvidence', 'aboutPages'],
    judge: judgeContact,
  }),
  defineCheck({
    id: 'geo.entity.first-person-about',
    title: 'The About page states who, since when and where',
    failureTitle: 'Say on the About page who you are, since when and where',
    weight: 1,
    grade: 'C',
    why: 'Name, year, founder and place are the facts that distinguish an organisation from others of its name. Without a linked About page there is nothing to judge; aeo.trust.about-contact looks for one.',
    source: 'https://schema.org/Organization: foundingDate, founder, location; agent-lighthouse 10.4',
    fix: 'Say in the first paragraph of the About page who you are, since when you exist, who began it and where you are.',
    needs: ['start', 'page', 'jsonLd', 'aboutPages'],
    judge: judgeAbout,
  }),
];

/** An answer that says nothing about the page: none, a refusal of us, a fault of the moment. */
const isRefused = ({ answer }: Exchange): boolean =>
  !answer.ok || [401, 403, 429, 999].includes(answer.status) || answer.status >= 500;

function judgeAuthorPage({ start, authorPage }: FactsOf<'start' | 'authorPage'>, site: Site): CheckOutcome {
  if (authorPage === 'none')
    return verdict.notApplicable(
      'Neither author.url nor rel=author of the start page or of a sampled page names a page of the author.',
    );
  const { link, at = start.exchange, exchange, control } = authorPage;
  const own = isSameOwner(new URL(link.url), new URL(start.answer.url));
  if (!exchange && site.local && !own)
    return verdict.notApplicable('A page of another owner is not asked from a private host.');
  const named = buildEvidence(at, { selector: link.from, excerpt: link.url });
  if (!exchange) return verdict.unknown('The author page was not asked: the budget of requests was used up.', named);
  const { answer } = exchange;
  if (!answer.ok || isRefused(exchange))
    return verdict.unknown(
      `The author page gave us no answer to judge (${answer.ok ? answer.status : answer.reason}).`,
      buildEvidence(exchange),
    );
  if (answer.status >= 400)
    return verdict.fail(`The author page answers ${answer.status}.`, [buildEvidence(exchange), named]);
  const existence = own ? readExistence(exchange, control, 'any') : undefined;
  if (existence?.state === 'absent')
    return verdict.fail('The site answers so for any path: there is no author page.', [buildEvidence(exchange), named]);
  if (!isHtmlAnswer(answer))
    return verdict.partial(0.5, 'The author link leads to something that is no HTML page.', buildEvidence(exchange));
  const bio = getPageFacts(answer);
  const isNamed = link.name === '' || isNameShown(bio, link.name);
  const isLong = !own || bio.words >= MIN_BIO_WORDS;
  const note = `${formatCount(bio.words, 'word')}; the author is ${isNamed ? '' : 'not '}named there.`;
  const evidence = [buildEvidence(exchange, { excerpt: bio.titles[0] ?? '' }), named];
  if (isNamed && isLong) return verdict.pass(note, evidence);
  return isNamed || isLong ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

const isNameShown = (page: PageFacts, name: string): boolean =>
  normaliseLetters([...page.titles, page.text].join(' ')).includes(normaliseLetters(name));

function judgePublisher({ start, jsonLd: { graph } }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const [article] = listNodesOfType(graph, 'Article');
  if (!article) return verdict.notApplicable('No Article node; see geo.schema.page-type.');
  const at = (excerpt: string) => buildEvidence(start.exchange, { line: article.line, selector: 'publisher', excerpt });
  if (!hasValue(graph, article, 'publisher'))
    return verdict.fail('The article names no publisher.', at(article.types.join(', ')));
  const nodes = listPropertyNodes(graph, article, 'publisher');
  const known = nodes.find((node) => isOrganization(listTypes(graph, node)) && hasValue(graph, node, 'name'));
  if (!known) {
    const [dangling] = nodes.filter(({ id }) => id !== '');
    if (dangling)
      return verdict.fail(
        'The publisher refers to a node that the page does not describe as an organisation.',
        at(dangling.id),
      );
    const text = listPropertyValues(graph, article, 'publisher').find((value) => typeof value === 'string');
    return verdict.partial(
      0.5,
      'The publisher is a name, not a node.',
      at(typeof text === 'string' ? text : 'publisher'),
    );
  }
  const name = listPropertyTexts(graph, known, 'name')[0] ?? '';
  return isTied(graph, known)
    ? verdict.pass('The publisher is a described organisation with an @id or url.', at(name))
    : verdict.partial(0.5, 'The publisher has a name, but no @id or url that ties it to an organisation.', at(name));
}

/** schema.org lets an Organization or a Person publish. */
const isOrganization = (types: readonly string[]): boolean =>
  types.some((type) => isSubtype(type, 'Organization') || isSubtype(type, 'Person'));

const isTied = (graph: JsonLd['graph'], node: SchemaNode): boolean =>
  (node.id !== '' && !node.id.startsWith('_:')) || hasValue(graph, node, 'url') || hasValue(graph, node, 'sameAs');

function judgeContact(
  { start, page, textEvidence, aboutPages }: FactsOf<'start' | 'page' | 'textEvidence' | 'aboutPages'>,
  site: Site,
): CheckOutcome {
  if (site.profile.name === 'docs' || textEvidence.kind.kind === 'docs')
    return verdict.notApplicable('Pages of documentation leave contact facts to the rest of the site.');
  const linked = [aboutPages.contact, aboutPages.about];
  const places = [
    { exchange: start.exchange, page },
    ...linked.flatMap((one) => listHtmlPages(one, aboutPages.control)),
  ];
  const found = places.map(({ exchange, page: read }) => ({ exchange, facts: buildContactFacts(read) }));
  for (const { exchange, facts } of found) {
    const [first] = [...facts.linked, ...facts.agreed];
    if (first)
      return verdict.pass(
        `${formatCount(facts.linked.length, 'tel or mailto link')}, ${facts.agreed.length} facts in structured data that the text repeats.`,
        buildEvidence(exchange, { line: first.line, excerpt: first.text }),
      );
  }
  for (const { exchange, facts } of found) {
    const [first] = [...facts.claimed, ...facts.plain];
    if (first)
      return verdict.partial(
        0.5,
        facts.claimed.length > 0
          ? 'Structured data states a contact that the text does not show.'
          : 'An e-mail address is in the text, but is no link.',
        buildEvidence(exchange, { line: first.line, excerpt: first.text }),
      );
  }
  const unread = linked.filter(({ link, exchange }) => link && (!exchange || isRefused(exchange)));
  if (unread.length > 0)
    return verdict.unknown(
      'Nothing on the start page, and the linked Contact or About page could not be read.',
      buildEvidence(start.exchange),
    );
  const scrambled = found.some(({ facts }) => facts.scrambled > 0)
    ? ' An address is there that only a script can decode.'
    : '';
  return verdict.fail(
    `No tel or mailto link, ContactPoint or PostalAddress on ${formatCount(places.length, 'page')}.${scrambled}`,
    found.map(({ exchange }) => buildEvidence(exchange, { selector: 'a[href^=tel], a[href^=mailto]' })),
  );
}

/** The linked page, unless the site answers so for any path. */
function listHtmlPages(
  { exchange }: AboutPage,
  control: Exchange | undefined,
): readonly { exchange: Exchange; page: PageFacts }[] {
  if (!exchange?.answer.ok || exchange.answer.status !== 200 || !isHtmlAnswer(exchange.answer)) return [];
  if (readExistence(exchange, control, 'any').state === 'absent') return [];
  return [{ exchange, page: getPageFacts(exchange.answer) }];
}

function judgeAbout({
  start,
  page,
  jsonLd,
  aboutPages,
}: FactsOf<'start' | 'page' | 'jsonLd' | 'aboutPages'>): CheckOutcome {
  const { about, control } = aboutPages;
  const { link, exchange } = about;
  if (!link) return verdict.notApplicable('The page links to no About page.');
  const at = buildEvidence(start.exchange, { line: link.line, excerpt: link.href });
  if (!exchange) return verdict.unknown('The About page was not asked: the budget of requests was used up.', at);
  if (isRefused(exchange))
    return verdict.unknown('The About page gave us no answer to judge.', buildEvidence(exchange));
  const [read] = listHtmlPages(about, control);
  if (!read)
    return verdict.notApplicable('The linked About page is no page that answers 200; see aeo.trust.about-contact.');
  const names = [...listBrandNames(page, jsonLd), ...listBrandNames(read.page, jsonLd)].map(({ name }) => name);
  const host = new URL(page.url).hostname.replace(/^www\./, '').split('.')[0] ?? '';
  const { named, facts, excerpt } = buildAboutFacts(read.page, [...names, host]);
  const note = `The About page ${named ? 'names' : 'does not name'} the organisation; it states ${facts.length === 0 ? 'no year, founder or place' : facts.join(', ')}.`;
  const evidence = buildEvidence(exchange, { excerpt });
  if (named && facts.length > 0) return verdict.pass(note, evidence);
  return named || facts.length > 0 ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}
