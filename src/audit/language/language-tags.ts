/**
 * Tells whether a text is a well-formed BCP 47 language tag. `Intl.getCanonicalLocales` decides by form only and does so
 * alike in Node and workerd; what it makes of the tag is not used, since that depends on the data of the engine. Languages of
 * four letters and more are reserved, and none is registered (RFC 5646, 2.2.1): "english" is no tag.
 */
export function isLanguageTag(text: string): boolean {
  if (text.length > 60 || !/^[a-z]{2,3}(?:-|$)/i.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Country codes that are often written for a language or for the United Kingdom, and mean nothing there. */
const NO_LANGUAGES = new Set('at cn cz dk gb gr jp mx us'.split(' '));

/** Why a well-formed tag is still no language and region that readers of hreflang know, or undefined. */
export function tagMistake(tag: string): 'country_for_language' | 'uk_for_gb' | undefined {
  const [language = '', ...rest] = tag.toLowerCase().split('-', 5);
  if (NO_LANGUAGES.has(language)) return 'country_for_language';
  return rest.includes('uk') ? 'uk_for_gb' : undefined;
}
