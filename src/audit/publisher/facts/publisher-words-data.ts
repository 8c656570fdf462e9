/** How twelve languages name the page about who runs a site, in link texts. Latin words are lower case. */
export const ABOUT_TEXTS =
  'about|about us|about me|who we are|our story|our company|company|über uns|über mich|wer wir sind|das unternehmen|unternehmen|' +
  'à propos|a propos|qui sommes-nous|notre histoire|l’entreprise|acerca de|sobre nosotros|sobre mí|quiénes somos|quienes somos|nosotros|' +
  'chi siamo|su di noi|azienda|la nostra storia|sobre|sobre nós|quem somos|a empresa|over ons|over mij|wie zijn wij|ons verhaal|' +
  'о нас|о компании|о себе|кто мы|关于我们|关于|關於我們|公司简介|会社概要|会社案内|私たちについて|当社について|運営会社|' +
  '회사 소개|회사소개|소개|من نحن|معلومات عنا|عن الشركة|نبذة عنا';

/** How they name the page that says how to reach its owner. */
export const CONTACT_TEXTS =
  'contact|contact us|contact me|contacts|get in touch|reach us|kontakt|kontaktieren sie uns|impressum|imprint|' +
  'contactez-nous|nous contacter|contacto|contáctanos|contactar|contáctenos|contatti|contattaci|contato|fale conosco|contacte-nos|' +
  'neem contact op|контакты|контакт|связаться с нами|обратная связь|联系我们|联系方式|聯絡我們|お問い合わせ|問い合わせ|お問合せ|' +
  '문의하기|문의|연락처|اتصل بنا|تواصل معنا|للتواصل';

/** Last or only path segments of such pages, without an extension. */
export const ABOUT_PATHS =
  'about|about-us|aboutus|about-me|who-we-are|our-story|company|ueber-uns|uber-uns|über-uns|ueber-mich|unternehmen|a-propos|apropos|' +
  'qui-sommes-nous|acerca-de|acerca|sobre|sobre-nosotros|quienes-somos|nosotros|chi-siamo|azienda|sobre-nos|quem-somos|over-ons|over-mij|' +
  'o-nas|o-kompanii|about_us|om|om-oss|hakkimizda|关于我们|会社概要';

export const CONTACT_PATHS =
  'contact|contact-us|contactus|contacts|get-in-touch|kontakt|impressum|imprint|contactez-nous|nous-contacter|contacto|contactanos|' +
  'contatti|contattaci|contato|fale-conosco|kontakty|contact_us|inquiry|otoiawase|iletisim';

/** Words after which an About page names the year in which it all began, in twelve languages. */
export const SINCE_WORDS =
  'since|founded|established|est\\.|started|launched|began|opened|seit|gegründet|gründung|depuis|fondée?s?|créée?s?|desde|fundad[oa]s?|cread[oa]|nacimos|' +
  'fondat[oaie]|nat[oa]|dal|criad[oa]|opgericht|sinds|основан[аоы]?|создан[аоы]?|работаем\\sс|تأسست|تأسس|منذ|عام';
/** The same where the year comes first, or without spaces between. */
export const SINCE_UNSPACED =
  '(?:成立|创立|創立|创办|始于|設立|創業)(?:于|於|：|:)?\\s?(?:1[6-9]|20)\\d\\d|(?:1[6-9]|20)\\d\\d\\s?(?:年|년)[^。.年년\\n]{0,25}(?:成立|创立|創立|创办|創辦|开业|设立|設立|創業|開業|開店|開設|始め|始ま|설립|창립|창업|시작)';

/** Words that name who began it or who leads it. */
export const FOUNDER_WORDS =
  '(?:co-?)?founders?|(?:founded|started|created|run|owned)\\sby|owners?|gründer(?:in|innen)?|gegründet\\svon|geschäftsführer(?:in)?|inhaber(?:in)?|' +
  'fondateurs?|fondatrices?|fondée?\\spar|gérante?|fundador(?:a|es|as)?|fundad[oa]\\sp[eo]r|fondator[ei]|fondatrice|fondat[ao]\\sda|titolare|' +
  'oprichters?|opgericht\\sdoor|eigenaar|основател[ьи]|основал[аи]?|учредител[ьи]|المؤسس|مؤسس(?:ة|و|ي)?';
export const FOUNDER_UNSPACED =
  '创始人|創始人|创办人|董事长|創業者|創設者|代表取締役|代表者|설립자|창립자|창업자|대표이사';

/** Words before the name of a place. */
export const PLACE_WORDS =
  '(?:based|headquartered|located|offices?|headquarters|workshop|studio|laboratory|lab|shop|team)\\s(?:is\\s|are\\s)?(?:in|at|near)|sitz\\sin|ansässig\\sin|' +
  'basées?\\sà|basés?\\sà|situées?\\sà|siège\\s(?:à|est\\sà)|con\\ssede\\sen|ubicad[oa]s?\\sen|con\\ssede\\s(?:a|in)|com\\ssede\\sem|sediad[oa]s?\\sem|' +
  'gevestigd\\s(?:in|te)|находится\\sв|расположен[аы]?\\sв|مقرها(?:\\sفي)?|يقع\\sفي|تقع\\sفي';
export const PLACE_UNSPACED = '总部(?:位于|在|设在)|總部(?:位於|在)|位于|位於|本社|所在地|拠点|본사|소재지|에\\s위치';

/** How addresses are written: a street and a number in the order of the country. */
export const STREET_FORMS: readonly string[] = [
  '(?<!\\d)\\d{1,5}\\s(?:\\p{Lu}[\\p{L}.’-]{1,25}\\s){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Way|Boulevard|Blvd|Square|Sq|Quay|Court|Ct|Place|Pl)(?!\\p{L})',
  '\\p{Lu}\\p{L}{1,25}(?:straße|strasse|str\\.|weg|platz|allee|gasse|straat|laan|plein)\\s\\d{1,4}',
  '(?<!\\d)\\d{1,4}(?:\\s?(?:bis|ter))?,?\\s(?:rue|avenue|boulevard|place|quai|chemin|impasse)\\s\\p{L}',
  '(?<!\\p{L})(?:Calle|Avenida|Plaza|Paseo|Rua|Praça|Via|Viale|Piazza|Corso)\\s(?:\\p{L}{1,15},?\\s){1,3}\\d{1,4}',
  '(?:ул\\.|улица|проспект|пр-т)\\s\\p{L}',
  '〒\\s?\\d{3}-\\d{4}|[路街道]\\s?\\d{1,4}\\s?[号號]|[로길]\\s?\\d{1,4}(?![\\p{L}\\d])|شارع\\s\\p{L}',
];

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
