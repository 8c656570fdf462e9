import type { ResultName } from '../../capabilities/capability-name.ts';
import { capabilityTitles } from '../../capabilities/titles-data.ts';
import { germanCapabilities } from './german/capabilities-data.ts';
import type { PageLanguage, Translations } from './language.ts';
import type { CapabilityWords } from './word-tables.ts';

/** Words of every capability in the languages other than English. */
export const capabilityWords: Translations<Readonly<Record<ResultName, CapabilityWords>>> = {
  de: germanCapabilities,
};

/** What people call a capability. */
export const getCapabilityTitle = (name: ResultName, language: PageLanguage): string =>
  language === 'en' ? capabilityTitles[name] : capabilityWords[language][name][0];

/** What a capability gives, in one line. @param fallback the English one, which its row of the catalogue has */
export const getCapabilitySummary = (name: ResultName, language: PageLanguage, fallback: string): string =>
  language === 'en' ? fallback : capabilityWords[language][name][1];
