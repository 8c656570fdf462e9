import { getMainText } from '../../text/facts/sample-text.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import {
  buildAltEdit,
  buildCaptionsEdit,
  buildMixedContentEdit,
  buildTableHeadersEdit,
} from '../../text/fixes/content-edits.ts';
import {
  buildHeadingIdsEdit,
  buildHeadingOrderEdit,
  buildMainEdit,
  buildOneH1Edit,
  buildOnlyMainEdit,
} from '../../text/fixes/heading-edits.ts';
import { followEdit, buildLinkTextsEdit } from './link-edits.ts';
import { defineAdvice, FIX_FILES, type Recipes } from '../../../fixes/core/recipe.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { buildPageRecipe } from './page-recipe.ts';

const FRAME = `<body>
  <header><nav aria-label="Main">...</nav></header>
  <main>
    <article>
      <h1>...</h1>
      ...
    </article>
  </main>
  <footer>...</footer>
</body>
`;

/** The part of the text that the content should make up at least. */
const MIN_SHARE = 0.2;

function isExtractable(page: PageFacts): boolean {
  const main = getMainText(page);
  return main.hasHeadline && page.headlineOutside === undefined && main.text.length >= MIN_SHARE * page.text.length;
}

/** Headings, landmarks, links, images and tables. */
export const structureRecipes: Recipes = {
  'aeo.structure.h1': buildPageRecipe({
    edit: buildOneH1Edit,
    action: 'replace',
    how: 'Set the size of headings in the style sheet, not by their level.',
    expect: 'One h1 with the subject of the page.',
  }),
  'aeo.structure.heading-order': buildPageRecipe({
    edit: buildHeadingOrderEdit,
    action: 'replace',
    how: 'Set the size of headings in the style sheet, not by their level.',
    expect: 'No heading is more than one level below the one before it.',
  }),
  'aeo.structure.landmarks': buildPageRecipe({
    edit: buildOnlyMainEdit,
    effort: 'hours',
    byHand: 'The template shows the places of all of them.',
    content: () => FRAME,
    expect: 'The page has main, nav, header or footer, and an article or section with a heading.',
  }),
  'geo.text.main-extractable': buildPageRecipe({
    edit: buildMainEdit,
    holds: isExtractable,
    effort: 'hours',
    byHand: 'The template shows where it goes.',
    content: () => FRAME,
    expect: 'One main element holds the h1 and the text of the page.',
  }),
  'aeo.links.internal': defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    how: 'Link the main pages of the site from every page.',
    content: `<nav aria-label="Main">\n  <a href="${formatSlot('target')}">${formatSlot('linkText')}</a>\n</nav>\n`,
    media_type: 'text/html',
    expect: 'At least five links to other pages of the site, each with a text and an address.',
  }),
  'aeo.links.anchor-text': buildPageRecipe({
    edit: buildLinkTextsEdit,
    action: 'replace',
    how: 'A visible text that says the same is better still.',
    expect: 'The links of the evidence name where they lead.',
  }),
  'aeo.links.nofollow-internal': buildPageRecipe({
    edit: followEdit,
    action: 'replace',
    expect: 'No link within the site has rel="nofollow".',
  }),
  'aeo.media.alt': buildPageRecipe({
    edit: buildAltEdit,
    action: 'replace',
    effort: 'hours',
    how: 'The text is how you would describe the image on the telephone.',
    expect: 'At least nine of ten images have an alt attribute.',
  }),
  'aeo.answer.comparison-table': buildPageRecipe({
    edit: buildTableHeadersEdit,
    action: 'replace',
    effort: 'hours',
    how: 'If the comparison is no table yet, make it one by the template.',
    content: () =>
      `<table>\n<caption>${formatSlot('caption')}</caption>\n<thead><tr><th scope="col">${formatSlot('term')}</th><th scope="col">${formatSlot('term')}</th></tr></thead>\n<tbody><tr><th scope="row">${formatSlot('item')}</th><td>${formatSlot('passage')}</td></tr></tbody>\n</table>\n`,
    expect: 'A table with th elements that have a scope, and at least two rows.',
  }),
  'geo.cite.addressable': buildPageRecipe({
    edit: buildHeadingIdsEdit,
    action: 'replace',
    expect: 'The headings of level 2 and 3 have ids.',
  }),
  'geo.cite.figure-captions': buildPageRecipe({
    edit: buildCaptionsEdit,
    action: 'replace',
    effort: 'hours',
    expect: 'Figures have a figcaption, tables a caption.',
  }),
  'geo.cite.text-fragment-safe': defineAdvice({
    file: FIX_FILES.server,
    action: 'configure',
    effort: 'minutes',
    how: 'Keep hidden elements out of the middle of sentences, too.',
    expect: 'There is no header Document-Policy: force-load-at-top.',
  }),
  'agent.sec.mixed': buildPageRecipe({
    edit: buildMixedContentEdit,
    action: 'replace',
    how: 'Look first whether the other host answers over https; if not, serve the file from your own.',
    expect: 'Every script, style sheet, frame and image has an https address.',
  }),
  'agent.docs.code-language': defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    how: 'Markdown renderers write it from the language after the fence (```json).',
    content: `<pre><code class="language-${formatSlot('languageOfCode')}">...</code></pre>\n`,
    media_type: 'text/html',
    expect: 'The code elements have a class language-*.',
  }),
  'agent.docs.tabs': defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    how: 'With hidden="until-found", or as details, the browser can search in them.',
    content: `<details name="tabs" open><summary>${formatSlot('term')}</summary>\n<p>${formatSlot('passage')}</p>\n</details>\n`,
    media_type: 'text/html',
    expect: 'The text of each tab panel is in the HTML.',
  }),
  'agent.docs.single-fetch': defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    how: 'The evidence names the addresses that are loaded.',
    expect: 'The content of the fragment is in the HTML of the first answer.',
  }),
  'agent.docs.agents-md': defineAdvice({
    file: FIX_FILES.agents,
    action: 'create',
    effort: 'minutes',
    content: `# AGENTS.md\n\n## Build and test\n\n- ${formatSlot('step')}\n\n## Conventions\n\n- ${formatSlot('item')}\n`,
    media_type: 'text/markdown',
    expect: 'Two sections with content, in the repository rather than on the website.',
    at: '/AGENTS.md',
  }),
};
