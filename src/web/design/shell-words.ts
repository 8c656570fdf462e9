import { brand } from '../brand.ts';
import type { Translated } from '../language/language.ts';

/** Words of the frame that all pages share. */
export type ShellWords = {
  skip: string;
  mainNavigation: string;
  nav: Readonly<Record<'audit' | 'measure' | 'prices' | 'docs' | 'account', string>>;
  foot: Readonly<Record<'about' | 'accuracy' | 'contact' | 'privacy' | 'terms', string>>;
  tagline: string;
  licence: string;
  language: string;
};

export const shellWords: Translated<ShellWords> = {
  en: {
    skip: 'Skip to the content',
    mainNavigation: 'Main',
    nav: {
      audit: 'Audit a site',
      measure: 'Measure a brand',
      prices: 'Prices',
      docs: 'Docs',
      account: 'Account',
    },
    foot: { about: 'About', accuracy: 'Accuracy', contact: 'Contact', privacy: 'Privacy', terms: 'Terms' },
    tagline: brand.tagline,
    licence: 'Free software under the MIT licence.',
    language: 'Language',
  },
  de: {
    skip: 'Zum Inhalt springen',
    mainNavigation: 'Hauptnavigation',
    nav: {
      audit: 'Website prüfen',
      measure: 'Marke messen',
      prices: 'Preise',
      docs: 'Dokumentation',
      account: 'Konto',
    },
    foot: {
      about: 'Über uns',
      accuracy: 'Genauigkeit',
      contact: 'Kontakt',
      privacy: 'Datenschutz',
      terms: 'Nutzungsbedingungen',
    },
    tagline: 'Was KI-Systeme von einer Website oder einer Marke sehen',
    licence: 'Freie Software unter der MIT-Lizenz.',
    language: 'Sprache',
  },
};
