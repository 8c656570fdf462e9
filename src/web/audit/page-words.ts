import type { ProfileName } from '../../audit/core/site.ts';
import { formatWholeNumber } from '../language/amounts.ts';
import type { Translated } from '../language/language.ts';

export type PageWords = {
  title: string;
  description: string;
  lead: string;
  address: string;
  hint: string;
  options: string;
  kind: string;
  anyKind: string;
  kinds: Readonly<Record<ProfileName, string>>;
  run: string;
  /** Before the address while the audit runs, and beside its result. */
  auditing: string;
  stop: string;
  another: string;
  progress: string;
  /** Where the script of the page does not come. */
  late: string;
  log: string;
  logLabel: string;
  /** Before the host, as the heading of the result. */
  resultOf: string;
  reused: string;
  /** What is said aloud when the result comes. */
  done: (scores: string) => string;
  scoreOf: (name: string, score: number) => string;
  /** How much of the audit this is, before the offer of the rest. */
  extent: (open: number, locked: number) => string;
};

/** Beside the address that was read, where the one asked for gave no answer. */
export const readInsteadWords: Translated<(asked: string) => string> = {
  en: (asked) => `Read by http, since ${asked} gave no answer.`,
  de: (asked) => `Über http gelesen, weil ${asked} nicht geantwortet hat.`,
};

const formatEn = (count: number): string => formatWholeNumber(count, 'en');
const formatDe = (count: number): string => formatWholeNumber(count, 'de');

/** The words of the live audit. */
export const pageWords: Translated<PageWords> = {
  en: {
    title: 'Audit a site',
    description:
      'Type an address and see what AI search engines, agents and MCP clients find there: four scores and the first checks for free, with evidence.',
    lead: 'See your site as AI systems do: up to four scores, what to do first, and the checks behind them. Free, without an account.',
    address: 'Address of the site',
    hint: 'Such as example.com. The audit makes up to 60 requests at the site.',
    options: 'Options',
    kind: 'Kind of site',
    anyKind: 'Detect it',
    kinds: {
      content: 'Content',
      docs: 'Documentation',
      product: 'Product',
      commerce: 'Shop',
      api: 'API',
      mcp: 'MCP server',
    },
    run: 'Run the free audit',
    auditing: 'Audit of',
    stop: 'Stop',
    another: 'Audit another site',
    progress: 'Progress',
    late: 'Nothing happens? Open the form and try again.',
    log: 'Show every request and check',
    logLabel: 'What was read and judged',
    resultOf: 'Result for',
    reused: 'Someone asked for the same within the last ten minutes, so this is their result.',
    done: (scores) => `Done. ${scores}`,
    scoreOf: (name, score) => `${name} ${score} of 100`,
    extent: (open, locked) =>
      `${formatEn(open)} checks are shown in full below. What the other ${formatEn(locked)} came to, with evidence and fix, is in the full result.`,
  },
  de: {
    title: 'Website prüfen',
    description:
      'Geben Sie eine Adresse ein und sehen Sie, was KI-Suchmaschinen, Agenten und MCP-Clients dort finden: vier Bewertungen und die ersten Prüfungen kostenlos, mit Belegen.',
    lead: 'Sehen Sie Ihre Website, wie KI-Systeme sie sehen: bis zu vier Bewertungen, was zuerst zu tun ist, und die Prüfungen dahinter. Kostenlos und ohne Konto.',
    address: 'Adresse der Website',
    hint: 'Zum Beispiel example.com. Die Prüfung stellt bis zu 60 Anfragen an die Website.',
    options: 'Optionen',
    kind: 'Art der Website',
    anyKind: 'Automatisch erkennen',
    kinds: {
      content: 'Inhalte',
      docs: 'Dokumentation',
      product: 'Produkt',
      commerce: 'Shop',
      api: 'API',
      mcp: 'MCP-Server',
    },
    run: 'Kostenlos prüfen',
    auditing: 'Prüfung von',
    stop: 'Anhalten',
    another: 'Andere Website prüfen',
    progress: 'Fortschritt',
    late: 'Es geschieht nichts? Öffnen Sie das Formular und versuchen Sie es noch einmal.',
    log: 'Alle Anfragen und Prüfungen anzeigen',
    logLabel: 'Was gelesen und bewertet wurde',
    resultOf: 'Ergebnis für',
    reused: 'Jemand hat innerhalb der letzten zehn Minuten dasselbe angefragt, daher ist dies dessen Ergebnis.',
    done: (scores) => `Fertig. ${scores}`,
    scoreOf: (name, score) => `${name} ${score} von 100`,
    extent: (open, locked) =>
      `${formatDe(open)} Prüfungen sind unten vollständig gezeigt. Was die anderen ${formatDe(locked)} ergeben haben, mit Beleg und Korrektur, steht im vollständigen Ergebnis.`,
  },
};
