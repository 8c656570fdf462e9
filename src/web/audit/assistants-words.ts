import type { AssistantCause, AssistantState } from '../../audit/crawlers/checks/assistants.ts';
import type { Translated } from '../language/language.ts';

/** `names` are joined for a sentence already; `count`: how many they are. */
type Said = (names: string, count: number) => string;

export type AssistantsWords = {
  /** For the list of names in a sentence. */
  locale: string;
  /** After the names of those that most people know. */
  others: (count: number) => string;
  allowed: Said;
  /** Where the page has hardly any text without its scripts. */
  blank: Said;
  partly: Readonly<Record<'robots' | 'server', Said>>;
  refused: Readonly<Record<'robots' | 'server', Said>>;
  unknown: (names: string, why: string) => string;
  why: Readonly<Record<Exclude<AssistantCause, 'robots' | 'server'>, string>>;
  /** The list of all assistants: its name, and that of each state. */
  label: string;
  states: Readonly<Record<AssistantState, string>>;
  /** In place of the first state, where the page is blank. */
  openOnly: string;
  /** How it was established. */
  basis: string;
};

/** The words of the answer to whether assistants can read a site. */
export const assistantsWords: Translated<AssistantsWords> = {
  en: {
    locale: 'en-GB',
    others: (count) => `${count} ${count === 1 ? 'other' : 'others'}`,
    allowed: (names) => `${names} can read the start page.`,
    blank: (names) => `${names} can open the start page, but find hardly any text there: it needs scripts.`,
    partly: {
      robots: (names) => `${names} can read the start page for some purposes only: robots.txt keeps the others out.`,
      server: (names) =>
        `${names} can read the start page for some purposes only: your server or firewall turns the others away.`,
    },
    refused: {
      robots: (names, count) => `${names} ${count === 1 ? 'is' : 'are'} kept out of the start page by robots.txt.`,
      server: (names, count) => `${names} ${count === 1 ? 'is' : 'are'} turned away by your server or firewall.`,
    },
    unknown: (names, why) => `Could not be established for ${names}: ${why}.`,
    why: {
      robots_unread: 'robots.txt gave no answer',
      unanswered: 'no request under their name was answered',
      every_reader_refused: 'your server refused every reader that we came as, even a browser',
      error_page: 'the start page itself did not open as a page',
      wall: 'a bot check, cookie wall or login covers the page',
    },
    label: 'Who can read the start page',
    states: { allowed: 'Can read it', partly: 'Partly', refused: 'Kept out', unknown: 'Not established' },
    openOnly: 'Find no text',
    basis: 'Judged by robots.txt and by what your server answers to their names, asked from our address.',
  },
  de: {
    locale: 'de',
    others: (count) => (count === 1 ? '1 weiterer' : `${count} weitere`),
    allowed: (names, count) => `${names} ${count === 1 ? 'kann' : 'können'} die Startseite lesen.`,
    blank: (names, count) =>
      `${names} ${count === 1 ? 'kann' : 'können'} die Startseite öffnen, aber ${count === 1 ? 'findet' : 'finden'} dort kaum Text: Er braucht Skripte.`,
    partly: {
      robots: (names, count) =>
        `${names} ${count === 1 ? 'kann' : 'können'} die Startseite nur für manche Zwecke lesen: robots.txt sperrt die übrigen.`,
      server: (names, count) =>
        `${names} ${count === 1 ? 'kann' : 'können'} die Startseite nur für manche Zwecke lesen: Ihr Server oder Ihre Firewall weist die übrigen ab.`,
    },
    refused: {
      robots: (names, count) =>
        `${names} ${count === 1 ? 'ist' : 'sind'} durch robots.txt von Ihrer Startseite ausgesperrt.`,
      server: (names, count) =>
        `${names} ${count === 1 ? 'wird' : 'werden'} von Ihrem Server oder Ihrer Firewall abgewiesen.`,
    },
    unknown: (names, why) => `Nicht feststellbar für ${names}: ${why}.`,
    why: {
      robots_unread: 'robots.txt hat nicht geantwortet',
      unanswered: 'keine Anfrage unter diesem Namen wurde beantwortet',
      every_reader_refused: 'Ihr Server hat jeden Leser abgewiesen, als der wir kamen, auch einen Browser',
      error_page: 'schon die Startseite selbst öffnete sich nicht als Seite',
      wall: 'eine Bot-Prüfung, Cookie-Wand oder Anmeldung verdeckt die Seite',
    },
    label: 'Wer die Startseite lesen kann',
    states: { allowed: 'Können lesen', partly: 'Teilweise', refused: 'Ausgesperrt', unknown: 'Nicht festgestellt' },
    openOnly: 'Finden keinen Text',
    basis:
      'Beurteilt nach robots.txt und danach, was Ihr Server unter diesen Namen antwortet, gefragt von unserer Adresse aus.',
  },
};
