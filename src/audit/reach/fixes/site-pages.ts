import { defineAdvice, FIX_FILES, type Recipes } from '../../../fixes/core/recipe.ts';

/** Fixes of what several pages of a site say together: the evidence names the pages, so there is no diff of one. */
export const sitePageRecipes: Recipes = {
  'aeo.index.hreflang-return': defineAdvice({
    file: FIX_FILES.page,
    action: 'insert',
    effort: 'hours',
    how: 'Build the list of versions once, in the template that all of them share.',
    expect: 'Each version lists the page that names it, and names itself as canonical.',
  }),
  'aeo.index.canonical-agree': defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    how: 'A template that writes one fixed address into every page is the usual cause.',
    expect: 'Pages of different content name different canonical addresses, each its own.',
  }),
  'aeo.index.pagination': defineAdvice({
    file: FIX_FILES.page,
    action: 'insert',
    effort: 'hours',
    how: 'Keep the button for people, and put a link to the next page around or below it.',
    expect: 'The next page of the list is a link, answers 200, and names itself as canonical.',
  }),
  'agent.feed.products': defineAdvice({
    file: FIX_FILES.server,
    action: 'configure',
    effort: 'hours',
    expect: 'Every item of the feed has id, title, link, price and availability, and the price of its page.',
  }),
  'geo.entity.contact-agrees': defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    how: 'Ask which of the two is right before you change one.',
    expect: 'Every telephone number, e-mail address and street of the structured data is on a page, too.',
  }),
  'geo.entity.hours-agree': defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    how: 'Ask which of the two is right before you change one; map services have a third copy.',
    expect: 'Structured data and page state the same hours for each day.',
  }),
  'geo.text.only-in-files': defineAdvice({
    file: FIX_FILES.page,
    action: 'insert',
    effort: 'hours',
    how: 'A table or a list with names and prices is enough.',
    expect: 'A page of the site has the content of the file as text.',
  }),
  'geo.schema.paywall': defineAdvice({
    file: FIX_FILES.page,
    action: 'insert',
    effort: 'hours',
    content:
      '"isAccessibleForFree": false,\n"hasPart": { "@type": "WebPageElement", "isAccessibleForFree": false, "cssSelector": ".paywall" }\n',
    media_type: 'application/ld+json',
    how: 'Give the closed part the class that the selector names.',
    expect: 'The article says isAccessibleForFree false, and its hasPart names a class that the page has.',
  }),
};
