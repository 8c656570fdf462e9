import { rememberResult } from '../../../lib/memo.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import type { SamplePage } from '../../reach/facts/site-files.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import { listNodesOfType, listPropertyTexts, type SchemaGraph } from '../../structured-data/facts/schema-nodes.ts';
import { hasStreet } from './about-pages.ts';
import { createContactTest, type StatedContact } from './contact-facts.ts';

export type ContactKind = 'telephone' | 'email' | 'address';

/** A contact of the site in its structured data, where it is, and whether any page that was read shows it. */
export type ComparedContact = { kind: ContactKind; at: SamplePage; stated: StatedContact; agrees: boolean };

const MAX_STATED = 50;
const MAX_TEXT_CHARS = 200_000;

/**
 * The contacts that structured data states of the organisation, compared with what all pages that were read show. One is
 * compared only where some page shows a contact of its kind: what is nowhere to be seen contradicts nothing.
 */
export function compareContacts(pages: readonly SamplePage[]): readonly ComparedContact[] {
  const texts = pages.map(({ page }) => page.text.slice(0, MAX_TEXT_CHARS));
  const hrefs = pages.flatMap(({ page }) => listContactLinks(page));
  const shows: Readonly<Record<ContactKind, () => boolean>> = {
    telephone: () => hrefs.some((href) => href.startsWith('tel:')),
    email: () => hrefs.some((href) => href.startsWith('mailto:')),
    address: rememberResult(() => texts.some((text) => hasStreet(text))),
  };
  const isShown = createContactTest([...texts, ...hrefs].join('\n'));
  const seen = new Set<string>();
  return pages.flatMap((at) =>
    listStated(getJsonLd(at.page).graph).flatMap((stated): readonly ComparedContact[] => {
      const key = `${stated.kind} ${stated.text}`;
      if (!shows[stated.kind]() || seen.has(key) || seen.size >= MAX_STATED) return [];
      seen.add(key);
      return [{ kind: stated.kind, at, stated, agrees: isShown(stated) }];
    }),
  );
}

/** `tel:` and `mailto:` links of a page that are seen, decoded. */
const listContactLinks = (page: PageFacts): readonly string[] =>
  page.anchors
    // A mailto link without an address only shares the page.
    .filter(
      ({ hidden, rawHref }) => hidden === undefined && /^(?:tel:|mailto:[^?@\s]{1,100}(?:@|%40))/i.test(rawHref.trim()),
    )
    .map(({ rawHref }) => rawHref.trim().toLowerCase().replaceAll('%40', '@'));

/** Types whose contacts are those of the site: a person or an event has others. */
const OWNERS = ['Organization', 'ContactPoint'] as const;

function listStated(graph: SchemaGraph): readonly StatedContact[] {
  const nodes = OWNERS.flatMap((type) => listNodesOfType(graph, type));
  const of = (property: string, kind: ContactKind): readonly StatedContact[] =>
    nodes.flatMap((node) => listPropertyTexts(graph, node, property).map((text) => ({ kind, text, line: node.line })));
  const streets = listNodesOfType(graph, 'PostalAddress').flatMap((node) =>
    listPropertyTexts(graph, node, 'streetAddress').map((text) => ({
      kind: 'address' as const,
      text,
      line: node.line,
    })),
  );
  return [...of('telephone', 'telephone'), ...of('email', 'email'), ...streets];
}
