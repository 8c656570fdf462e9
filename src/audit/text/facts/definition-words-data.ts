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
