import {
  buildCharsetEdit,
  buildDescriptionEdit,
  createHeadLinkEdit,
  buildHeadTagsEdit,
  buildLangEdit,
  openGraphEdit,
  refreshEdit,
  buildTitleEdit,
  buildTitleFromHeading,
  buildViewportEdit,
} from './head-edits.ts';
import { buildSiteNameEdit } from '../../structured-data/fixes/entity-edits.ts';
import { defineAdvice, FIX_FILES, type Recipes } from '../../../fixes/core/recipe.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { setHeaders } from '../../../fixes/core/host-headers.ts';
import type { PageEdit } from '../../../fixes/core/page-edits.ts';
import { normaliseOwnUrl } from '../../../fixes/files/safe-site.ts';
import { buildPageRecipe } from './page-recipe.ts';

/** A link to the Markdown copy that the site has; a link to one that is not there would only be another fault. */
const linkMarkdownCopy: PageEdit = (fixing) => {
  const copies = fixing.read('markdownCopies');
  const place = copies?.suffixes.find(({ is }) => is === 'markdown');
  const href =
    place?.exchange.answer.ok === true
      ? normaliseOwnUrl(place.exchange.answer.url, fixing.audited.site.start)
      : undefined;
  return href === undefined
    ? undefined
    : createHeadLinkEdit('alternate', () => href, { type: 'text/markdown' })(fixing);
};

/** What the head of the page says. */
export const headRecipes: Recipes = {
  'aeo.meta.title': buildPageRecipe({
    edit: buildTitleEdit,
    how: 'The title is made from the h1 and the name of the site.',
    expect: 'One title of 10 to 70 characters that names the subject.',
  }),
  'aeo.meta.description': buildPageRecipe({
    edit: buildDescriptionEdit,
    how: 'The text is made of the first sentences of the page: make it your own.',
    expect: 'A meta description of 50 to 170 characters.',
  }),
  'aeo.meta.unique': defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    how: 'Change the template of the pages in the evidence.',
    content: `<title>${formatSlot('pageTitle')}</title>\n<meta name="description" content="${formatSlot('description')}">\n`,
    media_type: 'text/html',
    expect: 'The page of the evidence has a title and a description that no other page has.',
  }),
  'aeo.meta.open-graph': buildPageRecipe({
    edit: openGraphEdit,
    expect: 'og:title, og:description, og:type, og:url and og:image, the addresses absolute.',
  }),
  'aeo.meta.site-name': buildPageRecipe({
    edit: buildSiteNameEdit,
    expect: 'og:site_name and WebSite.name give the same name.',
  }),
  'aeo.meta.lang': buildPageRecipe({
    edit: buildLangEdit,
    action: 'replace',
    how: 'The language is guessed from the text of the page: correct it if it is wrong.',
    expect: 'The html element has the language of the text.',
  }),
  'aeo.meta.charset': buildPageRecipe({
    edit: buildCharsetEdit,
    how: 'Save the file as UTF-8 as well.',
    configure: setHeaders('/', { 'Content-Type': 'text/html; charset=utf-8' }),
    expect: 'UTF-8 is declared in Content-Type or first in the head, and the text has no broken characters.',
  }),
  'aeo.meta.viewport': buildPageRecipe({ edit: buildViewportEdit, expect: 'A viewport with width=device-width.' }),
  'aeo.render.head-tags-static': buildPageRecipe({
    edit: buildHeadTagsEdit,
    how: 'A script may go on to change them.',
    expect: 'Title and description are in the HTML of the first answer.',
  }),
  'geo.parity.title-h1': buildPageRecipe({
    edit: buildTitleFromHeading,
    byHand: 'The page needs an h1 that names its subject first.',
    expect: 'Title and h1 share their main words.',
  }),
  'agent.ui.refresh': buildPageRecipe({
    edit: refreshEdit,
    action: 'replace',
    how: 'If the page has moved, redirect it on the server instead (308).',
    expect: 'No meta refresh with a delay.',
  }),
  'agent.md.alternate-link': buildPageRecipe({
    edit: linkMarkdownCopy,
    byHand: 'The copy has to be there first: see the file of agent.md.suffix. Then link its address.',
    expect: 'A link rel="alternate" type="text/markdown" whose address answers as Markdown.',
  }),
  'agent.llms.advertised': buildPageRecipe({
    edit: createHeadLinkEdit('describedby', () => '/llms.txt', { type: 'text/markdown' }),
    expect: 'A link rel="describedby" to /llms.txt.',
  }),
};
