import { buildContactLinkEdit } from '../../structured-data/fixes/entity-edits.ts';
import { askQuestionsEdit, buildDatesEdit } from '../../structured-data/fixes/typed-edits.ts';
import { defineAdvice, FIX_FILES, reportOnly, type Recipes } from '../../../fixes/core/recipe.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { buildPageRecipe } from '../../page/fixes/page-recipe.ts';
import { buildPageWork } from '../../reach/fixes/render.ts';

/** Answers, dates, and who publishes the site. */
export const answerRecipes: Recipes = {
  'aeo.answer.question-headings': buildPageWork({
    content: `<h2>${formatSlot('question')}</h2>\n<p>${formatSlot('answer')}</p>\n`,
    how: 'Mail, support and search logs hold them.',
    expect: 'Two or more headings of level 2 or 3 ask a question.',
  }),
  'aeo.answer.capsule': buildPageWork({
    content: `<h2>${formatSlot('question')}</h2>\n<p>${formatSlot('answer')}</p>\n`,
    how: 'The details come after it.',
    expect: 'A paragraph of 15 to 80 words that answers the heading of the evidence follows it.',
  }),
  'aeo.answer.lead-first': buildPageWork({
    content: `<h1>${formatSlot('pageTitle')}</h1>\n<p>${formatSlot('about')}</p>\n`,
    how: 'Put it before dates, bylines and notices.',
    expect: 'The first paragraph takes up the words of the title and says what the page is about.',
  }),
  'aeo.answer.faq': buildPageRecipe({
    edit: askQuestionsEdit,
    effort: 'hours',
    how: 'Markup for questions that the page does not show has to go, or the questions have to be shown.',
    expect: 'At least two questions with their answers are visible.',
  }),
  'aeo.answer.steps': buildPageWork({
    content: `<ol>\n<li>${formatSlot('step')}</li>\n<li>${formatSlot('step')}</li>\n<li>${formatSlot('step')}</li>\n</ol>\n`,
    how: 'One action in each step, in the order in which they are done.',
    expect: 'An ol with at least three steps.',
  }),
  'aeo.fresh.dates': buildPageRecipe({
    edit: buildDatesEdit,
    effort: 'hours',
    how: 'Show the date as well: <time datetime="YYYY-MM-DD">. Let the CMS print both from one field, on every page of the evidence.',
    expect: 'The page has a time element with datetime, or datePublished and dateModified in its JSON-LD.',
  }),
  'aeo.fresh.recent': buildPageWork({
    how: 'Change the date only when the content changed.',
    content: `<p>Updated <time datetime="${formatSlot('dateModified')}">${formatSlot('dateModified')}</time></p>\n`,
    expect: 'The newest date of the page is at most 180 days old.',
  }),
  'aeo.trust.about-contact': defineAdvice({
    file: FIX_FILES.about,
    action: 'create',
    effort: 'hours',
    content: `<main>\n<h1>About ${formatSlot('name')}</h1>\n<p>${formatSlot('about')}</p>\n<p>Founded ${formatSlot('founded')}, ${formatSlot('address')}.</p>\n<h2>Contact</h2>\n<p><a href="mailto:${formatSlot('email')}">${formatSlot('email')}</a></p>\n</main>\n`,
    media_type: 'text/html',
    how: 'One page can be both.',
    expect: 'Links to an about and a contact page, both of which answer 200.',
  }),
  'aeo.trust.policies': buildPageWork({
    content: '<footer>\n<a href="/privacy">Privacy</a>\n<a href="/terms">Terms</a>\n</footer>\n',
    how: 'Link only pages that are there.',
    expect: 'The footer links to a privacy and a terms page, both of which answer 200.',
  }),
  'geo.entity.contact-verifiable': buildPageRecipe({
    edit: buildContactLinkEdit,
    how: 'State the same address or number in the contactPoint of the Organization.',
    expect: 'A ContactPoint or a mailto: or tel: link that agrees with the visible text.',
  }),
  'geo.entity.first-person-about': defineAdvice({
    file: FIX_FILES.about,
    action: 'insert',
    effort: 'hours',
    content: `<h1>About ${formatSlot('name')}</h1>\n<p>${formatSlot('about')} Founded ${formatSlot('founded')}, ${formatSlot('address')}.</p>\n`,
    media_type: 'text/html',
    expect: 'The first paragraph of the about page has the name, and a year, a founder or a place.',
    at: '/about',
  }),
  'geo.entity.author-page': defineAdvice({
    file: FIX_FILES.author,
    action: 'create',
    effort: 'hours',
    content: `<main>\n<h1>${formatSlot('author')}</h1>\n<p>${formatSlot('authorFacts')}</p>\n</main>\n`,
    media_type: 'text/html',
    how: 'The template goes below the address that author.url names.',
    expect: 'The page answers 200, has the name of the author and at least 40 words.',
  }),
  'geo.trust.editorial': buildPageWork({
    content:
      '<footer>\n<a href="/editorial-policy">Editorial policy</a>\n<a href="/corrections">Corrections</a>\n</footer>\n',
    how: 'This is for news sites.',
    expect: 'A link to the editorial policy.',
  }),
  'geo.trust.reviews': buildPageWork({
    content: `<blockquote><p>${formatSlot('quotation')}</p><footer>${formatSlot('attribution')}</footer></blockquote>\n<a href="${formatSlot('profile')}">Reviews</a>\n`,
    how: 'A quotation is word for word.',
    expect: 'A testimonial with a name, or a link to a profile on a review platform.',
  }),
  'geo.trust.license': buildPageWork({
    effort: 'minutes',
    content: `<a rel="license" href="${formatSlot('licence')}">${formatSlot('linkText')}</a>\n`,
    expect: 'The licence link leads to a page that answers 200.',
  }),
  'geo.media.video-transcript': buildPageWork({
    content: `<details>\n<summary>Transcript</summary>\n<p>${formatSlot('transcript')}</p>\n</details>\n`,
    how: 'Beside the visible text, VideoObject.transcript in the JSON-LD carries it.',
    expect: 'A transcript of at least 100 words follows the video, or a VideoObject describes it.',
  }),
  'geo.parity.topic-coherence': reportOnly(),
};
