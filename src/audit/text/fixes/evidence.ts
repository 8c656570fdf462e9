import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import type { Recipes } from '../../../fixes/core/recipe.ts';
import { buildPageWork } from '../../reach/fixes/render.ts';

/** What the text offers to be cited, and how it reads. */
export const evidenceRecipes: Recipes = {
  'geo.evidence.statistics': buildPageWork({
    content: `<p>${formatSlot('figure')} (<a href="${formatSlot('source')}">${formatSlot('attribution')}</a>).</p>\n`,
    expect: 'The main text has one number that measures or counts per 300 words, or three.',
  }),
  'geo.evidence.quotations': buildPageWork({
    content: `<blockquote cite="${formatSlot('source')}">\n<p>${formatSlot('quotation')}</p>\n<footer>${formatSlot('attribution')}</footer>\n</blockquote>\n`,
    how: 'Word by word, and with the consent of whom you asked yourself.',
    expect: 'A quotation with the name of who said it.',
  }),
  'geo.evidence.cited-sources': buildPageWork({
    content: `<p>${formatSlot('passage')} (<a href="${formatSlot('source')}">${formatSlot('attribution')}</a>).</p>\n`,
    expect: 'One sentence with a link to a source elsewhere per 300 words of the main text, or three.',
  }),
  'geo.evidence.authoritative-domains': buildPageWork({
    content: `<a href="${formatSlot('source')}">${formatSlot('attribution')}</a>\n`,
    how: 'Your present sources name what they rest on.',
    expect: 'At least one cited source is a primary one.',
  }),
  'geo.evidence.links-resolve': buildPageWork({
    content: `<a href="${formatSlot('source')}">${formatSlot('attribution')}</a>\n`,
    expect: 'The cited addresses answer below 400.',
  }),
  'geo.evidence.no-keyword-stuffing': buildPageWork({
    expect: 'No pair of words makes up more than 3 % of the text.',
  }),
  'geo.evidence.technical-terms': buildPageWork({
    content: `<abbr title="${formatSlot('expansion')}">${formatSlot('term')}</abbr>\n`,
    expect: 'At least 70 % of the abbreviations are written out once.',
  }),
  'geo.evidence.first-hand-data': buildPageWork({
    content: `<p>We measured ${formatSlot('figure')}: ${formatSlot('method')}, ${formatSlot('date')}.</p>\n`,
    how: 'A Dataset node can describe it.',
    expect: 'A sentence says what you measured, on how many cases and when.',
  }),
  'geo.evidence.number-source-adjacent': buildPageWork({
    content: `<p>${formatSlot('figure')} (<a href="${formatSlot('source')}">${formatSlot('attribution')}</a>).</p>\n`,
    expect: 'At least half of the figures have their source in the same paragraph.',
  }),
  'geo.text.fluency': buildPageWork({
    how: 'Good places to split are "and", "which" and semicolons.',
    expect: 'The median sentence has 10 to 24 words, and at most one in ten more than 40.',
  }),
  'geo.text.easy': buildPageWork({
    how: 'Explain a term once and keep it.',
    expect: 'A Flesch reading ease of 50 or more.',
  }),
  'geo.text.depth': buildPageWork({
    content: `<h2>${formatSlot('question')}</h2>\n<p>${formatSlot('answer')}</p>\n<p>${formatSlot('passage')}</p>\n`,
    expect: 'The main text has at least 300 words.',
  }),
  'geo.text.paragraph-size': buildPageWork({
    expect: 'No paragraph has more than 150 words.',
  }),
  'geo.text.section-size': buildPageWork({
    content: `<h3>${formatSlot('term')}</h3>\n<p>${formatSlot('passage')}</p>\n`,
    expect: 'Most sections have 80 to 350 words.',
  }),
  'geo.text.self-contained': buildPageWork({
    how: 'It takes the place of "this", "it" or "they".',
    expect: 'At most one section in ten opens with a pronoun.',
  }),
  'geo.text.definitions': buildPageWork({
    content: `<p><dfn>${formatSlot('term')}</dfn> is ${formatSlot('definition')}.</p>\n`,
    expect: 'A sentence "X is ..." whose subject is that of the title.',
  }),
  'geo.text.lists': buildPageWork({
    content: `<ul>\n<li>${formatSlot('item')}</li>\n<li>${formatSlot('item')}</li>\n<li>${formatSlot('item')}</li>\n</ul>\n`,
    expect: 'The main text has a list of at least three items.',
  }),
  'geo.text.summary': buildPageWork({
    content: `<section aria-label="Summary">\n<h2>Key points</h2>\n<ul>\n<li>${formatSlot('summary')}</li>\n<li>${formatSlot('summary')}</li>\n<li>${formatSlot('summary')}</li>\n</ul>\n</section>\n`,
    expect: 'A block with the key points near the top.',
  }),
  'geo.text.unique-passages': buildPageWork({
    content: `<p>${formatSlot('passage')}</p>\n`,
    expect: 'At most a tenth of the longer paragraphs is on another page as well.',
  }),
  'geo.text.no-placeholder': buildPageWork({
    content: `<p>${formatSlot('passage')}</p>\n`,
    how: 'Remove a block that you have no text for.',
    expect: 'The strings of the evidence are gone.',
  }),
  'geo.text.no-self-superlatives': buildPageWork({
    content: `<p>${formatSlot('figure')} (<a href="${formatSlot('source')}">${formatSlot('attribution')}</a>).</p>\n`,
    how: 'A figure, a test or an award says more.',
    expect: 'At most two unsupported superlatives in 500 words.',
  }),
};
