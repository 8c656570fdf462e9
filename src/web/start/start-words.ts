import { ACCURACY_PATH, CHECKS_PATH } from '../../report/reportable.ts';
import { brand } from '../brand.ts';
import type { Translated } from '../language/language.ts';
import { buildLink, type Inline, type TextSection } from './document.ts';
import { buildGermanSections } from './start-de-words.ts';
import { buildEnglishSections } from './start-en-words.ts';
import type { StartFacts } from './start-facts.ts';

export type StartWords = {
  title: string;
  /** For search results, 50 to 160 characters. */
  description: string;
  lead: string;
  /** Below the field: why to trust what comes. */
  promises: (facts: StartFacts) => readonly (readonly Inline[])[];
  form: Readonly<Record<'label' | 'field' | 'button' | 'hint', string>> & {
    brandInstead: { text: string; link: string };
  };
  /** `about` ends before the day of the recording. */
  example: { heading: string; about: (site: string) => string; whole: string };
  sections: (facts: StartFacts) => readonly TextSection[];
};

export const startWords: Translated<StartWords> = {
  en: {
    title: 'What AI systems can see of your website',
    description: `${brand.name} audits what AI assistants and agents can see of a website: four scores, evidence for every check, and fixes to copy. Paid per report, no account.`,
    lead: `${brand.name} is an audit service for websites and brands. It shows whether AI assistants can read, cite and use your site, with evidence for every check, and what to fix first.`,
    form: {
      label: 'Try it now',
      field: 'Address of your website',
      button: 'Audit it',
      hint: 'The preview is free, needs no account and takes less than a minute.',
      brandInstead: { text: 'Or ask whether AI assistants name your brand:', link: 'measure a brand' },
    },
    promises: ({ checks, accuracy }) => [
      [buildLink(`${checks} checks`, CHECKS_PATH), ', each with its evidence and its source'],
      [buildLink(`${accuracy.verdicts} results`, ACCURACY_PATH), ' compared with what independent readers found'],
      ['Open source; you pay for each report, and only when you get it'],
    ],
    example: {
      heading: 'A report as you get it',
      about: (site) => `Of our demo site, ${site}. Recorded on`,
      whole: 'Read the whole report',
    },
    sections: buildEnglishSections,
  },
  de: {
    title: 'Was KI-Systeme von Ihrer Website sehen',
    description: `${brand.name} prüft, was KI-Assistenten und Agenten von einer Website sehen: vier Bewertungen, ein Beleg für jede Prüfung und Korrekturen zum Kopieren. Ohne Konto.`,
    lead: `${brand.name} ist ein Prüfdienst für Websites und Marken. Er zeigt, ob KI-Assistenten Ihre Website lesen, zitieren und bedienen können, mit einem Beleg für jede Prüfung, und was Sie zuerst ändern sollten.`,
    form: {
      label: 'Jetzt ausprobieren',
      field: 'Adresse Ihrer Website',
      button: 'Prüfen',
      hint: 'Die Vorschau ist kostenlos, braucht kein Konto und dauert weniger als eine Minute.',
      brandInstead: { text: 'Oder fragen Sie, ob KI-Assistenten Ihre Marke nennen:', link: 'Marke messen' },
    },
    promises: ({ checks, accuracy }) => [
      [buildLink(`${checks} Prüfungen`, CHECKS_PATH), ', jede mit Beleg und Quelle'],
      [
        buildLink(`${accuracy.verdicts} Ergebnisse`, ACCURACY_PATH),
        ', verglichen mit dem, was unabhängige Leser fanden',
      ],
      ['Open Source; Sie zahlen je Bericht und nur, wenn Sie ihn erhalten'],
    ],
    example: {
      heading: 'Ein Bericht, wie Sie ihn erhalten',
      about: (site) => `Über unsere Demo-Website ${site}. Aufgezeichnet am`,
      whole: 'Den ganzen Bericht lesen',
    },
    sections: buildGermanSections,
  },
};
