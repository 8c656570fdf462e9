import { capabilityTitles } from '../../capabilities/titles-data.ts';
import { getCapabilityTitle } from '../language/capability-words.ts';
import type { PageLanguage } from '../language/language.ts';

const isCapability = (name: string): name is keyof typeof capabilityTitles => Object.hasOwn(capabilityTitles, name);

/** What people call what was bought; the name itself for one that is no longer sold. */
export const formatCapabilityTitle = (name: string, language: PageLanguage): string =>
  isCapability(name) ? getCapabilityTitle(name, language) : name;
