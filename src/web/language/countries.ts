import type { PageLanguage } from './language.ts';

/** The name of a country (ISO 3166-1 alpha-2) in the language of the page; the code where none is known. */
export const formatCountry = (code: string, language: PageLanguage): string =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(code) ?? code;
