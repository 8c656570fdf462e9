import type { PageFacts } from '../../page/facts/page-facts.ts';
import type { RewriterElement } from '../../../fixes/files/html-rewriter.ts';
import { formatAsciiSlug } from '../../../fixes/files/safe-site.ts';
import { escapeHtml } from '../../../lib/safe-text.ts';
import { getKnownOrSlot } from '../../../fixes/core/fix-slots.ts';
import { type ElementEdit, hasClosingTags, type PageEdit } from '../../../fixes/core/page-edits.ts';

const LEVELS = [1, 2, 3, 4, 5, 6];
const HEADINGS = LEVELS.map((level) => `h${level}`);
const MAX_SLUG_CHARS = 60;

/** One edit for all headings, which are counted together as the page facts count them. */
function onHeadings(edit: (element: RewriterElement, order: number) => void): readonly ElementEdit[] {
  let order = 0;
  return LEVELS.map((level) => ({
    selector: `h${level}`,
    edit(element) {
      edit(element, order);
      order += 1;
    },
  }));
}

const setLevels = (before: readonly number[], after: readonly number[]): readonly ElementEdit[] =>
  onHeadings((element, order) => {
    const level = after[order];
    if (level !== undefined && level !== before[order]) element.tagName = `h${level}`;
  });

const listHeadingLevels = ({ headings }: PageFacts): readonly number[] => headings.map(({ level }) => level);

/** The first h1 with a text stays, others become h2; without any the first heading of the content becomes it. */
function computeOneH1Levels(page: PageFacts): readonly number[] {
  const { headings } = page;
  const named = (level: number): number =>
    headings.findIndex((heading) => heading.level === level && heading.text !== '' && heading.hidden === undefined);
  const first = named(1);
  const inContent = headings.findIndex(
    ({ text, hidden, region }) => text !== '' && !hidden && (region === 'main' || region === 'none'),
  );
  const chosen = first === -1 ? inContent : first;
  return headings.map(({ level }, order) => (order === chosen ? 1 : level === 1 ? 2 : level));
}

/** No level is left out on the way down: each heading is at most one deeper than the one before it. */
function withoutSkips(levels: readonly number[]): readonly number[] {
  const open: { written: number; given: number }[] = [];
  return levels.map((written) => {
    while ((open.at(-1)?.written ?? 0) >= written) open.pop();
    const given = Math.min(6, (open.at(-1)?.given ?? 0) + 1);
    open.push({ written, given });
    return given;
  });
}

export const buildOneH1Edit: PageEdit = (fixing) => {
  const { page, words, source } = fixing;
  if (!page || !hasClosingTags(source, HEADINGS)) return undefined;
  const after = computeOneH1Levels(page);
  if (after.includes(1)) return { elements: setLevels(listHeadingLevels(page), after) };
  const text = escapeHtml(getKnownOrSlot(words.title ?? words.name, 'pageTitle'));
  return {
    elements: [
      {
        selector: 'body',
        edit: (element, index) => void (index === 0 && element.prepend(`\n<h1>${text}</h1>`, { html: true })),
      },
    ],
  };
};

/** Headings renumbered; what the h1 needs is done as well, so that both fixes agree. */
export const buildHeadingOrderEdit: PageEdit = ({ page, source }) =>
  page && hasClosingTags(source, HEADINGS)
    ? { elements: setLevels(listHeadingLevels(page), normaliseLevels(computeOneH1Levels(page))) }
    : undefined;

/** Only one heading is of level 1; what would be a second one is of level 2. */
function normaliseLevels(levels: readonly number[]): readonly number[] {
  const first = levels.indexOf(1);
  const before = levels.slice(0, Math.max(0, first)).map((level) => Math.max(2, level));
  return [...withoutLead(before), ...withoutSkips(levels.slice(Math.max(0, first)))];
}

/** Headings above the h1 start at level 2. */
const withoutLead = (levels: readonly number[]): readonly number[] =>
  withoutSkips(levels.map((level) => level - 1)).map((level) => Math.min(6, level + 1));

/** Ids for headings of level 2 and 3 that have none, made from their texts. */
export const buildHeadingIdsEdit: PageEdit = ({ page }) => {
  if (!page) return undefined;
  const taken = new Set(page.ids);
  const ids = page.headings.map(({ level, id, sectionId, text, order }) =>
    (level === 2 || level === 3) && id === '' && sectionId === ''
      ? createFreshId(taken, formatAsciiSlug(text, MAX_SLUG_CHARS) || `section-${order + 1}`)
      : '',
  );
  return {
    elements: onHeadings((element, order) => {
      const id = ids[order] ?? '';
      if (id !== '' && (element.getAttribute('id') ?? '') === '') element.setAttribute('id', id);
    }),
  };
};

function createFreshId(taken: Set<string>, wanted: string): string {
  const all = [wanted, ...Array.from({ length: taken.size + 1 }, (_, index) => `${wanted}-${index + 2}`)];
  const id = all.find((each) => !taken.has(each)) ?? wanted;
  taken.add(id);
  return id;
}

/** The landmarks of a page but main; only with all of them is a main element all that is missing. */
const OTHERS = [['article', 'section'], ['nav'], ['header', 'footer']];

/** A main landmark for a page that has the others. */
export const buildOnlyMainEdit: PageEdit = (fixing) =>
  OTHERS.every((names) => names.some((name) => (fixing.page?.elements[name] ?? 0) > 0))
    ? buildMainEdit(fixing)
    : undefined;

/** Names by which pages mark the place of their content. */
const CONTENT_IDS = ['main', 'content', 'main-content', 'maincontent', 'page-content', 'primary'];

/**
 * A main landmark: the role on the element that is called so, else an element around the only article, else around the
 * body of a page that has nothing beside its content. Where it is not clear, a person has to look.
 */
export const buildMainEdit: PageEdit = ({ page, source }) => {
  if (!page || (page.elements['main'] ?? 0) > 0 || (page.roles['main'] ?? 0) > 0) return undefined;
  const id = CONTENT_IDS.find((name) => page.ids.includes(name));
  if (id !== undefined)
    return {
      elements: [{ selector: `div[id="${id}"]`, edit: (element) => void element.setAttribute('role', 'main') }],
    };
  if (page.elements['article'] === 1 && hasClosingTags(source, ['article']))
    return { elements: [wrap('article', 'before', 'after')] };
  const others = ['nav', 'header', 'footer', 'aside'].some((name) => (page.elements[name] ?? 0) > 0);
  const tags = source.ok && /<body[\s>]/i.test(source.html) && /<\/body\s{0,9}>/i.test(source.html);
  return others || !tags ? undefined : { elements: [wrap('body', 'prepend', 'append')] };
};

const wrap = (selector: string, open: 'before' | 'prepend', close: 'after' | 'append'): ElementEdit => ({
  selector,
  edit(element, index) {
    if (index > 0) return;
    element[open]('<main>\n', { html: true });
    element[close]('\n</main>', { html: true });
  },
});
