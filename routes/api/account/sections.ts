import type { PageLanguage } from '../../../src/web/language/language.ts';
import { accessSection } from './access.ts';
import { creditsSection } from './credits.ts';
import { createDeleteSection } from './delete.ts';
import { publishedSection } from './published.ts';
import { reportsSection } from './reports.ts';
import { type AccountSection, type AccountVisit, buildFrame } from './visit.ts';

/**
 * The parts of an account, in the order of its navigation. A feature that has something for customers, such as monitors or
 * webhooks, adds its row here; until it does, the account says nothing of it.
 */
export const accountSections: readonly AccountSection[] = [
  creditsSection,
  reportsSection,
  publishedSection,
  accessSection,
  createDeleteSection((visit) => buildFrameOf(visit)),
];

/** The sections that this person has. */
export const listSections = ({ session }: Pick<AccountVisit, 'session'>): readonly AccountSection[] =>
  accountSections.filter(({ kinds }) => kinds.includes(session.kind));

const listLinks = (sections: readonly AccountSection[], language: PageLanguage) =>
  sections.map(({ path, title }) => ({ path, title: title(language) }));

/** The frame of any page of the account. */
export const buildFrameOf = (visit: AccountVisit) => buildFrame(visit, listLinks(listSections(visit), visit.language));
