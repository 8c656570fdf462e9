import type { PageLanguage } from './language.ts';

/** What a name can be looked up for at all: other texts are no codes, and `Intl` throws for them. */
const COUNTRY_CODE = /^[A-Z]{2}$/;

/** The name of a country (ISO 3166-1 alpha-2) in the language of the page; the code where none is known. */
export const formatCountry = (code: string, language: PageLanguage): string =>
  COUNTRY_CODE.test(code)
    ? (new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(code) ?? code)
    : code;
