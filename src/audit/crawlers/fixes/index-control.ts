import { buildCanonicalEdit, buildHreflangEdit } from '../../page/fixes/head-edits.ts';
import { buildIndexableEdit, buildNoAiEdit, buildSnippetEdit } from '../../reach/fixes/index-edits.ts';
import { removeHeader } from '../../../fixes/core/host-headers.ts';
import { defineAdvice, FIX_FILES, type Recipes } from '../../../fixes/core/recipe.ts';
import { buildPageRecipe } from '../../page/fixes/page-recipe.ts';
import { buildServerSetting } from '../../reach/fixes/reach.ts';

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
  'aeo.index.noai-meta': buildPageRecipe({
    edit: buildNoAiEdit,
    action: 'replace',
    expect: 'The meta tags hold words that somebody documents; the policy for AI stands in robots.txt.',
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
