import {
  buildFirstJsonLdEdit,
  buildLocalBusinessEdit,
  buildOneNameEdit,
  buildOrganizationEdit,
  buildSameAsEdit,
  buildWebSiteEdit,
} from './entity-edits.ts';
import {
  buildContextEdit,
  buildIdsEdit,
  buildIsoDatesEdit,
  buildKnownNamesEdit,
  buildStrictJsonEdit,
} from './schema-edits.ts';
import {
  buildArticleEdit,
  buildAuthorEdit,
  buildBreadcrumbEdit,
  buildFaqEdit,
  buildPageTypeEdit,
  buildProductEdit,
  buildPublisherEdit,
  showQuestionsEdit,
} from './typed-edits.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { buildPageRecipe } from '../../page/fixes/page-recipe.ts';
import { type Recipes, reportOnly } from '../../../fixes/core/recipe.ts';
import { buildPageWork } from '../../reach/fixes/render.ts';

/** Who is behind the page, in structured data. */
export const entityRecipes: Recipes = {
  'geo.entity.organization': buildPageRecipe({
    edit: buildOrganizationEdit,
    how: 'What the page says elsewhere is filled in.',
    expect: 'An Organization with name, url, logo, sameAs and a way to reach it.',
  }),
  'geo.entity.sameas': buildPageRecipe({
    edit: buildSameAsEdit,
    how: 'Profiles that the page links to are listed.',
    expect: 'sameAs has two or more https addresses on different hosts, one of them a register of identities.',
  }),
  'geo.entity.name-consistent': buildPageRecipe({
    edit: buildOneNameEdit,
    how: 'The diff corrects the structured places; title and copyright line are yours to change.',
    expect: 'og:site_name, WebSite.name and Organization.name are the same.',
  }),
  'geo.entity.website-node': buildPageRecipe({ edit: buildWebSiteEdit, expect: 'A WebSite node with name and url.' }),
  'geo.entity.author': buildPageRecipe({
    edit: buildAuthorEdit,
    how: 'Show the same name in the byline.',
    expect: 'The author of the article is a Person (or Organization) with name and url.',
  }),
  'geo.entity.publisher': buildPageRecipe({
    edit: buildPublisherEdit,
    expect: 'The publisher of the article is a reference to the Organization of the page.',
  }),
  'geo.schema.jsonld-present': buildPageRecipe({
    edit: buildFirstJsonLdEdit,
    expect: 'A script of type application/ld+json.',
  }),
  'geo.schema.parses': buildPageRecipe({
    edit: buildStrictJsonEdit,
    action: 'replace',
    byHand: 'A block that breaks off in the middle cannot be repaired by a machine.',
    how: 'The diff writes it as strict JSON; a block that breaks off in the middle has to be completed by hand.',
    expect: 'Every block of JSON-LD parses as JSON.',
  }),
  'geo.schema.context': buildPageRecipe({
    edit: buildContextEdit,
    action: 'replace',
    how: 'A block of another vocabulary stays as it is.',
    expect: 'Every block begins with "@context": "https://schema.org".',
  }),
  'geo.schema.known-types': buildPageRecipe({
    edit: buildKnownNamesEdit,
    action: 'replace',
    byHand: 'schema.org has no name near those of the evidence: look up the right one, or take them out.',
    expect: 'All types and properties exist in schema.org.',
  }),
  'geo.schema.page-type': buildPageRecipe({
    edit: buildPageTypeEdit,
    byHand: 'Choose the type at https://schema.org that fits the page.',
    expect: 'The page has a node of the type that the evidence asks for.',
  }),
  'geo.schema.article': buildPageRecipe({
    edit: buildArticleEdit,
    expect: 'The article has headline, author, datePublished, dateModified, image and publisher.',
  }),
  'geo.schema.product': buildPageRecipe({
    edit: buildProductEdit,
    how: 'Print price, currency and stock from the data of the shop.',
    expect: 'The product has name, image, price, priceCurrency, availability and an identifier.',
  }),
  'geo.schema.price-parity': buildPageWork({
    content: `"offers": { "@type": "Offer", "price": "${formatSlot('price')}", "priceCurrency": "${formatSlot('currency')}" }\n`,
    media_type: 'application/json',
    expect: 'The price of the offer is in the visible text beside its currency.',
  }),
  'geo.schema.faq-parity': buildPageRecipe({
    edit: showQuestionsEdit,
    effort: 'hours',
    byHand: 'Questions that are not asked on the page can be taken out of the markup instead.',
    expect: 'Every question of the FAQPage and its answer can be read on the page.',
  }),
  'geo.schema.faq': buildPageRecipe({
    edit: buildFaqEdit,
    action: 'replace',
    expect: 'mainEntity of the FAQPage is a list of Question nodes with name and acceptedAnswer.text.',
  }),
  'geo.schema.breadcrumb': buildPageRecipe({
    edit: buildBreadcrumbEdit,
    how: 'Show the same path on the page.',
    expect: 'A BreadcrumbList with positions from 1, each with name and item.',
  }),
  'geo.schema.local-business': buildPageRecipe({
    edit: buildLocalBusinessEdit,
    expect: 'A LocalBusiness with name, address, telephone, openingHours and geo.',
  }),
  'geo.schema.review-honest': buildPageWork({
    content:
      '"aggregateRating": { "@type": "AggregateRating", "ratingValue": "...", "bestRating": "5", "reviewCount": "..." }\n',
    media_type: 'application/json',
    expect: 'Each rating lies within its scale, has a reviewCount above 0, and is visible.',
  }),
  'geo.schema.ids-linked': buildPageRecipe({
    edit: buildIdsEdit,
    byHand: 'Add the node that each reference of the evidence means, or correct its @id.',
    expect: 'Every reference by @id leads to a node of the page.',
  }),
  'geo.schema.dates-valid': buildPageRecipe({
    edit: buildIsoDatesEdit,
    action: 'replace',
    how: 'A date that cannot be right is asked for.',
    expect: 'All dates are ISO 8601, in the past, and dateModified is not before datePublished.',
  }),
  'geo.schema.no-duplicates': buildPageWork({
    how: 'Two plugins that write structured data are the usual cause: turn one off.',
    content: '{ "@id": "#organization" }\n',
    media_type: 'application/json',
    expect: 'Each organisation, product and article is described once.',
  }),
  'geo.commerce.merchant': buildPageWork({
    content:
      '"gtin13": "...",\n"offers": {\n  "hasMerchantReturnPolicy": { "@type": "MerchantReturnPolicy", "applicableCountry": "...", "returnPolicyCategory": "https://schema.org/MerchantReturnFiniteReturnWindow", "merchantReturnDays": "..." },\n  "shippingDetails": { "@type": "OfferShippingDetails", "shippingRate": { "@type": "MonetaryAmount", "value": "...", "currency": "..." } }\n}\n',
    media_type: 'application/json',
    how: 'One policy on the Organization serves all products.',
    expect: 'The Product has a gtin, and its offer or the organization a return policy and shipping.',
  }),
  'geo.schema.speakable': reportOnly(),
  'geo.schema.howto': reportOnly(),
};
