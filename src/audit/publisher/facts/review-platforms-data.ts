/** Sites where customers write reviews that the reviewed do not edit; registrable domains. */
export const REVIEW_DOMAINS =
  'trustpilot.com trustpilot.de trustedshops.com trustedshops.de trustedshops.eu g2.com capterra.com getapp.com softwareadvice.com yelp.com tripadvisor.com ' +
  'tripadvisor.de tripadvisor.co.uk provenexpert.com bbb.org sitejabber.com reviews.io feefo.com producthunt.com avis-verifies.com verified-reviews.com ' +
  'ekomi.de ekomi.com holidaycheck.de kununu.com glassdoor.com angi.com houzz.com checkatrade.com which.co.uk zomato.com opentable.com booking.com ' +
  'otzovik.com irecommend.ru dianping.com tabelog.com kakaku.com gartner.com clutch.co goodreads.com';

/** Addresses of maps and stores whose pages hold reviews. */
export const REVIEW_URLS: readonly RegExp[] = [
  /^https?:\/\/(?:www\.)?google\.[a-z.]{2,6}\/maps\//i,
  /^https?:\/\/(?:maps\.google\.[a-z.]{2,6}|maps\.app\.goo\.gl|g\.page|goo\.gl\/maps)/i,
  /^https?:\/\/(?:apps\.apple\.com|play\.google\.com\/store\/apps|chromewebstore\.google\.com)/i,
];

/** Texts of links to rules of editing and correcting, in twelve languages. */
export const EDITORIAL_WORDS =
  'editorial (?:policy|policies|guidelines|standards|principles|code)|corrections?(?: policy)?|publishing principles|ethics policy|fact[- ]checking policy|' +
  'redaktionelle (?:richtlinien|grundsätze)|redaktionsstatut|korrekturen|charte (?:éditoriale|de déontologie)|ligne éditoriale|rectificatifs|' +
  'política editorial|correcciones|principios editoriales|código ético|politica editoriale|linea editoriale|rettifiche|correções|princípios editoriais|' +
  'redactiestatuut|correcties|редакционная политика|исправления|السياسة التحريرية|تصحيحات';
export const EDITORIAL_UNSPACED = '编辑方针|编辑准则|更正|編集方針|訂正|편집\\s?원칙|정정\\s?보도|바로잡습니다';
