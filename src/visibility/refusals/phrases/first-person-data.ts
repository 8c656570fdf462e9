import type { PromptLanguage } from '../../prompts/prompt-set.ts';

/**
 * How an assistant says "I": without it, "works without access to the internet" is said of what is sold. Without accents;
 * where verbs say it, forms of the verbs. Japanese says it with nothing.
 */
export const firstPerson: Readonly<Record<PromptLanguage, RegExp | undefined>> = {
  en: / (?:i|my|me|we|our|ai|language model) /u,
  de: / (?:ich|mir|mich|mein\p{L}{0,2}|wir|uns|ki|sprachmodell) /u,
  fr: / (?:je|j|me|m|mes|ma|mon|moi|nous|n ayant|ne disposant|ia|modele) /u,
  es: / (?:tengo|dispongo|puedo|podria|podemos|cuento|careo|soy|estoy|me|mi|mis|ia|modelo|no tener|no disponer) /u,
  pt: / (?:tenho|disponho|possuo|posso|consigo|podemos|conto|sou|estou|me|meus?|minhas?|ia|modelo|nao ter|nao dispor) /u,
  it: / (?:ho|dispongo|posso|possiamo|riesco|sono|mi|mio|mia|mie|miei|manca|ia|modello|non avendo|non disponendo) /u,
  nl: / (?:ik|mij|me|mijn|wij|ons|ai|taalmodel) /u,
  ja: undefined,
};
