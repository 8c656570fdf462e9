import {
  firstJsonLdEdit,
  localBusinessEdit,
  oneNameEdit,
  organizationEdit,
  sameAsEdit,
  webSiteEdit,
} from './entity-edits.ts';
import { contextEdit, idsEdit, isoDatesEdit, knownNamesEdit, strictJsonEdit } from './schema-edits.ts';
import {
  articleEdit,
  authorEdit,
  breadcrumbEdit,
  faqEdit,
  pageTypeEdit,
  productEdit,
  publisherEdit,
  showQuestionsEdit,
} from './typed-edits.ts';
import { slot } from '../../../fixes/core/fix-slots.ts';
import { pageRecipe } from '../../page/fixes/page-recipe.ts';
import { type Recipes, nothingToDo } from '../../../fixes/core/recipe.ts';
import { pageWork } from '../../reach/fixes/render.ts';

/** Who is behind the page, in structured data. */
export const entityRecipes: Recipes = {
  'geo.entity.organization': pageRecipe({
    edit: organizationEdit,
    how: 'What the page says elsewhere is filled in.',
    expect: 'An Organization with name, url, logo, sameAs and a way to reach it.',
  }),
  'geo.entity.sameas': pageRecipe({
    edit: sameAsEdit,
    how: 'Profiles that the page links to are listed.',
    expect: 'sameAs has two or more https addresses on different hosts, one of them a register of identities.',
  }),
  'geo.entity.name-consistent': pageRecipe({
    edit: oneNameEdit,
    how: 'The diff mends the structured places; title and copyright line are yours to change.',
    expect: 'og:site_name, WebSite.name and Organization.name are the same.',
  }),
  'geo.entity.website-node': pageRecipe({ edit: webSiteEdit, expect: 'A WebSite node with name and url.' }),
  'geo.entity.author': pageRecipe({
    edit: authorEdit,
    how: 'Show the same name in the byline.',
    expect: 'The author of the article is a Person (or Organization) with name and url.',
  }),
  'geo.entity.publisher': pageRecipe({
    edit: publisherEdit,
    expect: 'The publisher of the article is a reference to the Organization of the page.',
  }),
  'geo.schema.jsonld-present': pageRecipe({ edit: firstJsonLdEdit, expect: 'A script of type application/ld+json.' }),
  'geo.schema.parses': pageRecipe({
    edit: strictJsonEdit,
    action: 'replace',
    byHand: 'A block that breaks off in the middle cannot be mended by a machine.',
    how: 'The diff writes it as strict JSON; a block that breaks off in the middle has to be completed by hand.',
    expect: 'Every block of JSON-LD parses as JSON.',
  }),
  'geo.schema.context': pageRecipe({
    edit: contextEdit,
    action: 'replace',
    how: 'A block of another vocabulary stays as it is.',
    expect: 'Every block begins with "@context": "https://schema.org".',
  }),
  'geo.schema.known-types': pageRecipe({
    edit: knownNamesEdit,
    action: 'replace',
    byHand: 'schema.org has no name near those of the evidence: look up the right one, or take them out.',
    expect: 'All types and properties exist in schema.org.',
  }),
  'geo.schema.page-type': pageRecipe({
    edit: pageTypeEdit,
    byHand: 'Choose the type at https://schema.org that fits the page.',
    expect: 'The page has a node of the type that the evidence asks for.',
  }),
  'geo.schema.article': pageRecipe({
    edit: articleEdit,
    expect: 'The article has headline, author, datePublished, dateModified, image and publisher.',
  }),
  'geo.schema.product': pageRecipe({
    edit: productEdit,
    how: 'Print price, currency and stock from the data of the shop.',
    expect: 'The product has name, image, price, priceCurrency, availability and an identifier.',
  }),
  'geo.schema.price-parity': pageWork({
    content: `"offers": { "@type": "Offer", "price": "${slot('price')}", "priceCurrency": "${slot('currency')}" }\n`,
    media_type: 'application/json',
    expect: 'The price of the offer stands in the visible text beside its currency.',
  }),
  'geo.schema.faq-parity': pageRecipe({
    edit: showQuestionsEdit,
    effort: 'hours',
    byHand: 'Questions that are not asked on the page can be taken out of the markup instead.',
    expect: 'Every question of the FAQPage and its answer can be read on the page.',
  }),
  'geo.schema.faq': pageRecipe({
    edit: faqEdit,
    action: 'replace',
    expect: 'mainEntity of the FAQPage is a list of Question nodes with name and acceptedAnswer.text.',
  }),
  'geo.schema.breadcrumb': pageRecipe({
    edit: breadcrumbEdit,
    how: 'Show the same path on the page.',
    expect: 'A BreadcrumbList with positions from 1, each with name and item.',
  }),
  'geo.schema.local-business': pageRecipe({
    edit: localBusinessEdit,
    expect: 'A LocalBusiness with name, address, telephone, openingHours and geo.',
  }),
  'geo.schema.review-honest': pageWork({
    content:
      '"aggregateRating": { "@type": "AggregateRating", "ratingValue": "...", "bestRating": "5", "reviewCount": "..." }\n',
    media_type: 'application/json',
    expect: 'Each rating lies within its scale, has a reviewCount above 0, and is visible.',
  }),
  'geo.schema.ids-linked': pageRecipe({
    edit: idsEdit,
    byHand: 'Add the node that each reference of the evidence means, or correct its @id.',
    expect: 'Every reference by @id leads to a node of the page.',
  }),
  'geo.schema.dates-valid': pageRecipe({
    edit: isoDatesEdit,
    action: 'replace',
    how: 'A date that cannot be right is asked for.',
    expect: 'All dates are ISO 8601, in the past, and dateModified is not before datePublished.',
  }),
  'geo.schema.no-duplicates': pageWork({
    how: 'Two plugins that write structured data are the usual cause: turn one off.',
    content: '{ "@id": "#organization" }\n',
    media_type: 'application/json',
    expect: 'Each organisation, product and article is described once.',
  }),
  'geo.schema.speakable': nothingToDo(),
  'geo.schema.howto': nothingToDo(),
};
