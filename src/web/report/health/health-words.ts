import type { AgentClass } from '../../../audit/crawlers/facts/ai-agents-data.ts';
import type { Translated } from '../../language/language.ts';

export type CrawlerVerdict = 'reads' | 'blocked' | 'refused' | 'no_answer' | 'not_tried' | 'unknown';

type HealthWords = {
  crawlers: string;
  caption: string;
  columns: { crawler: string; purpose: string; robots: string; answer: string; verdict: string };
  purposes: Readonly<Record<AgentClass, string>>;
  verdicts: Readonly<Record<CrawlerVerdict, string>>;
  access: Readonly<Record<'allowed' | 'blocked' | 'unknown', string>>;
  rule: (named: boolean, line: number | undefined) => string;
  answered: (status: number) => string;
  noAnswer: string;
  notTried: string;
  blocksNone: string;
  /** For those whose loss costs visibility, and those that only collect for training. */
  blocksSearch: (names: string, several: boolean) => string;
  blocksTraining: (names: string, several: boolean) => string;
  refuses: (names: string) => string;
  facts: string;
  factsLead: string;
  yes: string;
  no: string;
  unknownFact: string;
  none: string;
  nested: (count: number) => string;
  asJson: string;
  copyFacts: string;
};

const en: HealthWords = {
  crawlers: 'AI crawlers',
  caption:
    'What each crawler meets: the rule of robots.txt for the page, and what the site answers to a request under its name. The request does not come from its addresses.',
  columns: {
    crawler: 'Crawler',
    purpose: 'Used for',
    robots: 'robots.txt',
    answer: 'Site answers',
    verdict: 'Result',
  },
  purposes: {
    search: 'AI search',
    user: 'Fetching for a person',
    training: 'Training of models',
    'multi-purpose': 'Search and other products',
  },
  verdicts: {
    reads: 'Can read the page',
    blocked: 'Blocked',
    refused: 'Refused by the site',
    no_answer: 'Got no answer',
    not_tried: 'May read the page',
    unknown: 'Could not check',
  },
  access: { allowed: 'May read the page', blocked: 'Blocked by robots.txt', unknown: 'Could not be read' },
  rule: (named, line) => {
    const whose = named ? 'its own group' : 'the rules for all crawlers';
    return line === undefined ? `no rule for this page in ${whose}` : `line ${line}, in ${whose}`;
  },
  answered: (status) => `answered ${status}`,
  noAnswer: 'no answer',
  notTried: 'not tried under this name',
  blocksNone: 'robots.txt blocks none of these crawlers.',
  blocksSearch: (names, several) =>
    `robots.txt blocks ${names}. If you want to be found by AI search, allow ${several ? 'them' : 'it'} there: a check below asks for it.`,
  blocksTraining: (names, several) =>
    `robots.txt blocks ${names}, which ${several ? 'collect' : 'collects'} pages for training. That is your choice: no check asks for a fix, since AI search uses other crawlers.`,
  refuses: (names) =>
    `The site refuses requests under the name of ${names}, though robots.txt allows them: look at the rules of your server, firewall or network provider.`,
  facts: 'Facts',
  factsLead: 'What the checks read, without a verdict.',
  yes: 'yes',
  no: 'no',
  unknownFact: 'unknown',
  none: 'none',
  nested: (count) => (count === 1 ? '1 entry' : `${count} entries`),
  asJson: 'All facts as JSON',
  copyFacts: 'Copy facts',
};

const de: HealthWords = {
  crawlers: 'KI-Crawler',
  caption:
    'Worauf jeder Crawler trifft: die Regel der robots.txt für die Seite und was die Website auf eine Anfrage unter seinem Namen antwortet. Die Anfrage kommt nicht von seinen Adressen.',
  columns: {
    crawler: 'Crawler',
    purpose: 'Zweck',
    robots: 'robots.txt',
    answer: 'Website antwortet',
    verdict: 'Ergebnis',
  },
  purposes: {
    search: 'KI-Suche',
    user: 'Abruf für eine Person',
    training: 'Training von Modellen',
    'multi-purpose': 'Suche und andere Produkte',
  },
  verdicts: {
    reads: 'Kann die Seite lesen',
    blocked: 'Gesperrt',
    refused: 'Von der Website abgewiesen',
    no_answer: 'Bekam keine Antwort',
    not_tried: 'Darf die Seite lesen',
    unknown: 'Nicht prüfbar',
  },
  access: { allowed: 'Darf die Seite lesen', blocked: 'Durch robots.txt gesperrt', unknown: 'Nicht lesbar' },
  rule: (named, line) => {
    const whose = named ? 'seiner eigenen Gruppe' : 'den Regeln für alle Crawler';
    return line === undefined ? `keine Regel für diese Seite in ${whose}` : `Zeile ${line}, in ${whose}`;
  },
  answered: (status) => `Antwort ${status}`,
  noAnswer: 'keine Antwort',
  notTried: 'unter diesem Namen nicht versucht',
  blocksNone: 'robots.txt sperrt keinen dieser Crawler.',
  blocksSearch: (names) =>
    `robots.txt sperrt ${names}. Wenn KI-Suche Sie finden soll, erlauben Sie den Zugriff dort: Eine Prüfung unten verlangt es.`,
  blocksTraining: (names) =>
    `robots.txt sperrt ${names}: Crawler, die Seiten für das Training sammeln. Das ist Ihre Entscheidung; keine Prüfung verlangt eine Änderung, denn KI-Suche nutzt andere Crawler.`,
  refuses: (names) =>
    `Die Website weist Anfragen unter dem Namen ${names} ab, obwohl robots.txt sie erlaubt: Prüfen Sie die Regeln Ihres Servers, Ihrer Firewall oder Ihres Netzanbieters.`,
  facts: 'Fakten',
  factsLead: 'Was die Prüfungen gelesen haben, ohne Bewertung.',
  yes: 'ja',
  no: 'nein',
  unknownFact: 'unbekannt',
  none: 'keine',
  nested: (count) => (count === 1 ? '1 Eintrag' : `${count} Einträge`),
  asJson: 'Alle Fakten als JSON',
  copyFacts: 'Fakten kopieren',
};

export const healthWords: Translated<HealthWords> = { en, de };
