import type { Translated } from '../language/language.ts';
import type { WayName } from './error-ways-data.ts';

/** Words of the page of an error, but for those of its problem. */
type ErrorWords = {
  ways: Readonly<Record<WayName, string>>;
  next: string;
  otherWays: string;
  /** What was wrong in what was sent, field by field. */
  fields: string;
  /** Before a sentence about this occurrence, which is in English. */
  detail: string;
  wait: (seconds: number) => string;
  code: string;
  request: string;
  site: string;
  auditSite: string;
};

const MINUTE_S = 60;
const NINETY_S = 90;

export const errorWords: Translated<ErrorWords> = {
  en: {
    ways: {
      audit: 'Audit a site',
      measure: 'Measure a brand',
      prices: 'See what can be bought',
      home: 'Go to the start page',
      docs: 'Read the documentation',
      account: 'Open your account',
      signIn: 'Sign in',
      console: 'Open the console',
      contact: 'Write to the operator',
      again: 'Load the page again',
      explain: 'Read about this problem',
      report: 'Open the report',
    },
    next: 'What to do:',
    otherWays: 'Other ways on',
    fields: 'What was wrong:',
    detail: 'In detail:',
    wait: (seconds) =>
      seconds < NINETY_S
        ? `You can try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
        : `You can try again in ${Math.ceil(seconds / MINUTE_S)} minutes.`,
    code: 'Code',
    request: 'request',
    site: 'Address of a site',
    auditSite: 'Audit this site',
  },
  de: {
    ways: {
      audit: 'Website prüfen',
      measure: 'Marke messen',
      prices: 'Preisliste ansehen',
      home: 'Zur Startseite',
      docs: 'Dokumentation lesen',
      account: 'Konto öffnen',
      signIn: 'Anmelden',
      console: 'Konsole öffnen',
      contact: 'Dem Betreiber schreiben',
      again: 'Seite neu laden',
      explain: 'Mehr über dieses Problem',
      report: 'Bericht öffnen',
    },
    next: 'Was Sie tun können:',
    otherWays: 'Weitere Wege',
    fields: 'Was nicht stimmte:',
    detail: 'Im Einzelnen, auf Englisch:',
    wait: (seconds) =>
      seconds < NINETY_S
        ? `In ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} können Sie es noch einmal versuchen.`
        : `In ${Math.ceil(seconds / MINUTE_S)} Minuten können Sie es noch einmal versuchen.`,
    code: 'Code',
    request: 'Anfrage',
    site: 'Adresse einer Website',
    auditSite: 'Diese Website prüfen',
  },
};
