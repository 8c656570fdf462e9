import { countOccurrences } from '../../../lib/numbers.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { normaliseLetters } from '../../language/words.ts';
import type { LinkTag, PageFacts } from '../../page/facts/page-facts.ts';
import type { SamplePage } from './site-files.ts';
import { normaliseComparableUrl } from './urls.ts';

/** A canonical link that the other pages contradict. */
export type AddressFault = {
  at: SamplePage;
  link: LinkTag;
  fault: 'other_content' | 'shared' | 'chain' | 'dead' | 'host';
};

/** How many canonical links were compared, and which of them are contradicted; each page once, by its gravest fault. */
export type CanonicalAgreement = { compared: number; faults: readonly AddressFault[] };

type Linked = { at: SamplePage; link: LinkTag; own: string; target: string };

/**
 * Compares the canonical links of several pages. @param asked requests of sampled pages, for targets that are gone;
 * @param local hosts are not compared where the public one is another.
 */
export function listCanonicalFaults(
  pages: readonly SamplePage[],
  asked: readonly Exchange[],
  local: boolean,
): CanonicalAgreement {
  const linked = listLinked(pages);
  const context = {
    byUrl: new Map(pages.map((one) => [normaliseComparableUrl(one.page.url), one])),
    dead: new Set(asked.filter(isGone).map(({ url }) => normaliseComparableUrl(url))),
    links: new Map(linked.map((one) => [one.own, one])),
    named: countOccurrences(linked.filter(({ own, target }) => own !== target).map(({ target }) => target)),
    origin: local ? undefined : findUsualOrigin(linked),
  };
  const faults = linked.flatMap((one) => {
    const fault = findFault(one, linked, context);
    return fault === undefined ? [] : [{ at: one.at, link: one.link, fault }];
  });
  return { compared: linked.length, faults };
}

type Context = {
  byUrl: ReadonlyMap<string, SamplePage>;
  dead: ReadonlySet<string>;
  links: ReadonlyMap<string, Linked>;
  named: ReadonlyMap<string, number>;
  origin: string | undefined;
};

function listLinked(pages: readonly SamplePage[]): readonly Linked[] {
  return pages.flatMap((at) => {
    const [link] = at.page.canonicals;
    if (!link || !/^https?:/.test(link.href)) return [];
    return [{ at, link, own: normaliseComparableUrl(at.page.url), target: normaliseComparableUrl(link.href) }];
  });
}

function findFault(one: Linked, all: readonly Linked[], context: Context): AddressFault['fault'] | undefined {
  const { own, target, at } = one;
  if (context.dead.has(target)) return 'dead';
  if (own !== target && !isVariant(own, target)) {
    const original = context.byUrl.get(target);
    if (original && !isAlike(at.page, original.page)) return 'other_content';
    const others = all.filter((each) => each !== one && each.target === target && each.own !== target);
    if ((context.named.get(target) ?? 0) > 1 && others.some((other) => !isAlike(at.page, other.at.page)))
      return 'shared';
    const next = context.links.get(target);
    if (next && next.target !== target) return 'chain';
  }
  return context.origin !== undefined && new URL(target).origin !== context.origin ? 'host' : undefined;
}

/** Addresses that differ in their queries only, or in www, are made for the same content. */
function isVariant(own: string, target: string): boolean {
  const [one, other] = [new URL(own), new URL(target)];
  return one.pathname === other.pathname;
}

/** Two pages say the same: by their headings, else by their titles. A page that has neither is like any other. */
function isAlike(one: PageFacts, other: PageFacts): boolean {
  const [mine, theirs] = [getName(one), getName(other)];
  return mine === '' || theirs === '' || mine === theirs;
}

const getName = (page: PageFacts): string =>
  normaliseLetters(page.headings.find(({ level, text }) => level === 1 && text !== '')?.text ?? page.titles[0] ?? '');

const isGone = ({ answer }: Exchange): boolean => answer.ok && (answer.status === 404 || answer.status === 410);

/** The scheme and host that most canonical links name; undefined where none has a majority. */
function findUsualOrigin(linked: readonly Linked[]): string | undefined {
  const counts = countOccurrences(linked.map(({ target }) => new URL(target).origin));
  return [...counts].find(([, count]) => count > linked.length / 2)?.[0];
}
