import { isIndexingForbidden } from '../facts/robots-directives.ts';
import type { RewriterElement } from '../../../fixes/files/html-rewriter.ts';
import type { ElementEdit, PageEdit } from '../../../fixes/core/page-edits.ts';
import { buildCanonicalEdit, buildHreflangEdit } from '../../page/fixes/head-edits.ts';
import { removeHeader } from '../../../fixes/core/host-headers.ts';
import { defineAdvice, FIX_FILES, type Recipes } from '../../../fixes/core/recipe.ts';
import { buildPageRecipe } from '../../page/fixes/page-recipe.ts';
import { buildServerSetting } from '../../reach/fixes/reach.ts';

/** Robots metas that the indexes behind AI answers obey. */
const INDEXERS = ['robots', 'googlebot', 'bingbot', 'oai-searchbot'];

/** Keeps the directives that `keep` lets pass, changed by it; a meta that is left with none goes. */
const filterDirectives =
  (keep: (directive: string) => string | undefined) =>
  (element: RewriterElement): void => {
    const written = (element.getAttribute('content') ?? '').split(',').map((part) => part.trim());
    const kept = written.flatMap((part) => (part === '' ? [] : (keep(part) ?? [])));
    if (kept.join() === written.join()) return;
    if (kept.length === 0) element.remove();
    else element.setAttribute('content', kept.join(', '));
  };

const onRobotsMetas = (edit: ElementEdit['edit'], names = INDEXERS): readonly ElementEdit[] =>
  names.map((name) => ({ selector: `meta[name="${name}" i]`, edit }));

const splitDirective = (directive: string): { name: string; value: string } => {
  const [name = '', ...value] = directive.toLowerCase().split(':');
  return { name: name.trim(), value: value.join(':').trim() };
};

/** Takes away what keeps the page out of an index. */
export const buildIndexableEdit: PageEdit = ({ page, audited }) =>
  page && {
    elements: onRobotsMetas(
      filterDirectives((directive) => {
        const { name, value } = splitDirective(directive);
        const closes = isIndexingForbidden({ agent: 'robots', name, value, from: 'meta' }, audited.site.clockMs);
        return closes ? undefined : directive;
      }),
    ),
  };

/** Lets the page be quoted, at any length. */
export const buildSnippetEdit: PageEdit = ({ page }) =>
  page && {
    elements: [
      ...onRobotsMetas(
        filterDirectives((directive) => {
          const { name, value } = splitDirective(directive);
          if (name === 'nosnippet') return undefined;
          return name === 'max-snippet' && Number(value) >= 0 ? 'max-snippet:-1' : directive;
        }),
      ),
      ...['body', 'main', 'article', 'section', 'div'].map((name) => ({
        selector: `${name}[data-nosnippet]`,
        edit: (element: RewriterElement) => void element.removeAttribute('data-nosnippet'),
      })),
    ],
  };

/** Words that no vendor of AI search documents. */
export const buildNoAiEdit: PageEdit = ({ page }) =>
  page && {
    elements: onRobotsMetas(
      filterDirectives((directive) => (/^no(?:image)?ai$/i.test(directive) ? undefined : directive)),
      [...new Set(page.robots.map(({ agent }) => agent))].filter((agent) => /^[a-z-]{1,40}$/.test(agent)).slice(0, 20),
    ),
  };

/** What the page lets indexes do with it. */
export const indexRecipes: Recipes = {
  'aeo.index.meta-robots': buildPageRecipe({
    edit: buildIndexableEdit,
    action: 'replace',
    how: 'Look for the setting of the CMS that hides the site from search engines, or it comes back.',
    expect: 'No robots meta tag says noindex or none.',
  }),
  'aeo.index.x-robots-tag': buildServerSetting(removeHeader('X-Robots-Tag'), {
    how: 'Keep the header for what is not public, such as previews on another host.',
    expect: 'There is no X-Robots-Tag with noindex or none.',
  }),
  'aeo.index.snippet-allowed': buildPageRecipe({
    edit: buildSnippetEdit,
    action: 'replace',
    how: 'If the header X-Robots-Tag says it, take it away there.',
    configure: removeHeader('X-Robots-Tag'),
    expect: 'Neither a meta tag nor the header says nosnippet or a max-snippet below 50.',
  }),
  'aeo.index.snippet-eligible': buildPageRecipe({
    edit: buildSnippetEdit,
    action: 'replace',
    how: 'noindex is the matter of aeo.index.meta-robots and aeo.index.x-robots-tag. If the header X-Robots-Tag says nosnippet, take it away there.',
    configure: removeHeader('X-Robots-Tag'),
    expect: 'Neither a meta tag nor the header says noindex, nosnippet or max-snippet:0.',
  }),
  'aeo.index.noai-meta': buildPageRecipe({
    edit: buildNoAiEdit,
    action: 'replace',
    expect: 'The meta tags hold only words that a vendor documents; the policy for AI is in robots.txt.',
  }),
  'aeo.index.canonical': buildPageRecipe({
    edit: buildCanonicalEdit,
    how: 'The link names the audited page itself. If it is meant as a copy of another page, name that one, once it answers 200. A Link header with rel="canonical" must say the same.',
    expect: 'One link rel="canonical" in the head, with the absolute address of this page.',
  }),
  'aeo.index.hreflang': buildPageRecipe({
    edit: buildHreflangEdit,
    how: 'Each language version lists all versions, itself among them.',
    expect: 'Every hreflang link is absolute, and one of them names this page.',
  }),
  'aeo.index.conflicts': defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    how: 'Decide for each address of the evidence whether it belongs into the index. If so, drop noindex and the Disallow rule; if not, take it out of the sitemap and let no canonical link name it, and leave it open in robots.txt so that noindex is seen.',
    expect: 'The address of the evidence is either indexable and listed, or noindex and not listed.',
  }),
};
