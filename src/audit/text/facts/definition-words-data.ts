/** How a language says that a thing is of a kind: what may precede the subject, and what follows it. */
export type DefinitionWords = { articles: string; copula: string };

/** Languages that put spaces around the subject. */
export const DEFINITION_WORDS: Readonly<Record<string, DefinitionWords>> = {
  en: {
    articles: 'an?|the',
    copula: '(?:is|are)\\s(?:an?|the|any|one\\sof)|refers\\sto|means|denotes|stands\\sfor|describes',
  },
  de: {
    articles: 'der|die|das|ein|eine',
    copula: '(?:ist|sind)\\s(?:ein|eine|einer|eines|der|die|das)|bezeichnet|bedeutet|steht\\sfür',
  },
  fr: {
    articles: 'un|une|le|la|les',
    copula: '(?:est|sont)\\s(?:un|une|des|le|la|les|l)|désigne|signifie|se\\sdéfinit',
  },
  es: {
    articles: 'un|una|el|la|los|las',
    copula: '(?:es|son)\\s(?:un|una|unos|unas|el|la|los|las)|se\\srefiere\\sa|significa|consiste\\sen',
  },
  it: {
    articles: 'un|una|uno|il|lo|la|i|gli|le',
    copula: '(?:è|sono)\\s(?:un|una|uno|il|lo|la|l|i|gli|le)|indica|significa|consiste\\sin',
  },
  pt: {
    articles: 'um|uma|o|a|os|as',
    copula: '(?:é|são)\\s(?:um|uma|o|a|os|as)|refere-se\\sa|significa|consiste\\sem',
  },
  nl: { articles: 'een|de|het', copula: '(?:is|zijn)\\s(?:een|de|het)|betekent|verwijst\\snaar|staat\\svoor' },
  ru: { articles: '', copula: '[—–-]\\sэто|является|называется|называют|означает' },
  ar: { articles: '', copula: 'هو|هي|يعني|تعني' },
};

/** Languages that do not; the first group is the subject. */
export const DEFINITION_UNSPACED: Readonly<Record<string, string>> = {
  zh: '^([^，。、：；]{1,20}?)(?:是(?:一种|一個|一个|一款|一项|一項|指|由)|指的是)',
  ja: '^([^、。]{1,30}?)とは',
  ko: '^([^.,。]{1,30}?)(?:이?란|은|는)\\s[^.。]{1,100}(?:이다|입니다|뜻한다|말한다|의미한다|뜻합니다|말합니다|의미합니다)',
};

/** Abbreviations that every reader knows, or that are words, names of days, currencies, methods or states of a document. */
export const EVERYDAY_ACRONYMS =
  'USA UAE NYC FAQ FAQS PDF CEO CFO CTO COO CMO CIO DIY VIP GPS DNA RNA HIV AIDS NASA NATO FBI CIA NSA UNESCO UNICEF BBC CNN IBM BMW IKEA ' +
  'USB WIFI CDS DVD LED LCD RAM CPU GPU SSD HDD HDMI HTML CSS HTTP HTTPS URL URLS XML JSON CSV SQL PHP PNG GIF JPG JPEG SVG MPEG ZIP SMS ' +
  'ATM PIN SIM USD EUR GBP CHF JPY CAD AUD NZD CNY INR SEK NOK DKK GMT UTC EST EDT PST PDT CET CEST BST MON TUE WED THU FRI SAT SUN ' +
  'JAN FEB MAR APR JUN JUL JUNE JULY MARCH APRIL AUG SEP SEPT OCT NOV DEC GMBH LLC INC LTD PLC SARL ISBN ISSN DOI ETC ASAP FYI RSVP AKA ETA TBA TBD TLDR ' +
  'MUST SHOULD SHALL MAY NOT AND THE AGAIN FOR BUT ALL NEW NOW YES TOP FREE SALE NOTE TIP TIPS WARNING README TODO FIXME NULL TRUE FALSE ' +
  'GET POST PUT PATCH HEAD DELETE TRACE SELECT FROM WHERE INSERT UPDATE ISO DIN API APIS SEO PHD MBA BSC MSC RPM KWH MWH GWH MHZ GHZ';
