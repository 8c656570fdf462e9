import type { FirstPartyImport } from '../../visibility/imports/first-party.ts';
import type { Translated } from '../language/language.ts';

type Counts = FirstPartyImport['counts'];

export type FirstPartyWords = {
  title: string;
  period: (from: string, to: string) => string;
  noPeriod: string;
  total: (total: string, counts: Counts, table: string) => string;
  version: (version: string) => string;
  neverSeen: string;
  asOthers: string;
  notRead: (columns: string) => string;
  sees: string;
  blind: string;
  counts: Readonly<Record<Counts, string>>;
  share: string;
  page: string;
  query: string;
  pages: string;
  queries: string;
  shown: (shown: number, of: number) => string;
  beside: (brand: string) => string;
  measured: (answers: number, engines: string) => string;
  mentioned: (rate: string, low: string, high: string) => string;
  order: (value: string, p: string, n: number) => string;
  orderByChance: string;
  orderIsReal: string;
  orderCaution: string;
  overlap: (value: string, low: string, high: string, n: number) => string;
  ownShare: (source: string, panel: string, low: string, high: string) => string;
  difference: (points: string) => string;
  noOrder: string;
  noOverlap: string;
  noShare: string;
  tooFew: (n: number, needs: number) => string;
  bothPages: string;
  onlySource: string;
  onlyPanel: string;
  answers: string;
  nearPrompt: string;
  inCommon: string;
  near: (near: number, of: number) => string;
  promptsUnknown: string;
  hidden: (answers: number) => string;
  same: string;
  similar: (overlap: string) => string;
  none: string;
};

export const firstPartyWords: Translated<FirstPartyWords> = {
  en: {
    title: 'First-party data',
    period: (from, to) => `From ${from} to ${to}.`,
    noPeriod: 'The files do not say of which days they are.',
    total: (total, counts, table) => `${total} ${counts} in all, by the table of ${table}.`,
    version: (version) => `Read by the format of ${version}.`,
    neverSeen: 'This format is from the documentation of the vendor. We have never seen a real export of it.',
    asOthers: 'This format is as programs of others read it. We have never seen a real export of it.',
    notRead: (columns) => `Not read: ${columns}.`,
    sees: 'It sees',
    blind: 'It does not see',
    counts: { impressions: 'Impressions', citations: 'Citations', sessions: 'Sessions' },
    share: 'Share',
    page: 'Page',
    query: 'Query',
    pages: 'Pages',
    queries: 'Queries',
    shown: (shown, of) => `The first ${shown} of ${of}.`,
    beside: (brand) => `Beside your own measurement of ${brand}`,
    measured: (answers, engines) => `${answers} answers of ${engines}.`,
    mentioned: (rate, low, high) => `Named in ${rate} of them (95 %: ${low} to ${high}).`,
    order: (value, p, n) =>
      `Order of the ${n} pages that both see: rank correlation ${value} (1 is the same order, -1 the opposite one; p ${p}).`,
    orderByChance: 'Chance alone gives an agreement like this.',
    orderIsReal: 'Chance alone seldom gives this.',
    orderCaution: 'Pages that only one of the two sees are not part of it.',
    overlap: (value, low, high, n) =>
      `Own pages that both see, of ${n} that either sees: ${value} (95 %: ${low} to ${high}).`,
    ownShare: (source, panel, low, high) =>
      `Own share of citations: ${source} by the vendor, ${panel} by your measurement (95 %: ${low} to ${high}).`,
    difference: (points) =>
      `Difference: ${points} points. The vendor counts only queries in which you are cited: over all queries its share would be lower.`,
    noOrder: 'Order of pages: cannot be compared. The vendor gives no pages, or the answers no addresses.',
    noOverlap: 'Pages in common: cannot be compared. The vendor gives no pages, or the answers no addresses.',
    noShare:
      'Own share of citations: cannot be compared. The vendor gives no share, or none of your own pages, or the answers no addresses.',
    tooFew: (n, needs) => `Too few to compare: ${n}, and a figure takes ${needs}.`,
    bothPages: 'Pages that both see',
    onlySource: 'Pages that only the vendor sees',
    onlyPanel: 'Own pages that only your measurement sees',
    answers: 'Answers',
    nearPrompt: 'Nearest prompt of yours',
    inCommon: 'In common',
    near: (near, of) => `${near} of ${of} queries come near to a prompt of yours. Words are compared, not meanings.`,
    promptsUnknown:
      'What was asked is not known: the answers alone do not say it. Give the result of the measurement as well.',
    hidden: (answers) =>
      `Left out: ${answers} of your answers. The engine hides a source of theirs behind a redirect, and which page it is is not known.`,
    same: 'the same',
    similar: (overlap) => `${overlap} of the words`,
    none: 'none',
  },
  de: {
    title: 'Daten der Anbieter',
    period: (from, to) => `Vom ${from} bis zum ${to}.`,
    noPeriod: 'Die Dateien sagen nicht, von welchen Tagen sie sind.',
    total: (total, counts, table) =>
      `${total} ${{ impressions: 'Impressionen', citations: 'Zitate', sessions: 'Sitzungen' }[counts]} insgesamt, nach der Tabelle „${table}“.`,
    version: (version) => `Gelesen nach dem Format vom ${version}.`,
    neverSeen: 'Dieses Format stammt aus der Dokumentation des Anbieters. Einen echten Export haben wir nie gesehen.',
    asOthers: 'Dieses Format ist so, wie Programme anderer es lesen. Einen echten Export haben wir nie gesehen.',
    notRead: (columns) => `Nicht gelesen: ${columns}.`,
    sees: 'Sichtbar ist',
    blind: 'Nicht sichtbar ist',
    counts: { impressions: 'Impressionen', citations: 'Zitate', sessions: 'Sitzungen' },
    share: 'Anteil',
    page: 'Seite',
    query: 'Suchanfrage',
    pages: 'Seiten',
    queries: 'Suchanfragen',
    shown: (shown, of) => `Die ersten ${shown} von ${of}.`,
    beside: (brand) => `Neben Ihrer eigenen Messung von ${brand}`,
    measured: (answers, engines) => `${answers} Antworten von ${engines}.`,
    mentioned: (rate, low, high) => `Genannt in ${rate} davon (95 %: ${low} bis ${high}).`,
    order: (value, p, n) =>
      `Reihenfolge der ${n} Seiten, die beide sehen: Rangkorrelation ${value} (1 ist dieselbe Reihenfolge, -1 die umgekehrte; p ${p}).`,
    orderByChance: 'Eine solche Übereinstimmung ergibt auch der Zufall.',
    orderIsReal: 'Der Zufall allein ergibt das selten.',
    orderCaution: 'Seiten, die nur einer von beiden sieht, gehen nicht ein.',
    overlap: (value, low, high, n) =>
      `Eigene Seiten, die beide sehen, von ${n}, die einer von beiden sieht: ${value} (95 %: ${low} bis ${high}).`,
    ownShare: (source, panel, low, high) =>
      `Eigener Anteil an den Zitaten: ${source} beim Anbieter, ${panel} in Ihrer Messung (95 %: ${low} bis ${high}).`,
    difference: (points) =>
      `Unterschied: ${points} Punkte. Der Anbieter zählt nur Suchanfragen, in denen Sie zitiert werden; über alle wäre sein Anteil kleiner.`,
    noOrder:
      'Reihenfolge der Seiten: nicht vergleichbar. Der Anbieter nennt keine Seiten, oder die Antworten keine Adressen.',
    noOverlap:
      'Gemeinsame Seiten: nicht vergleichbar. Der Anbieter nennt keine Seiten, oder die Antworten keine Adressen.',
    noShare:
      'Eigener Anteil an den Zitaten: nicht vergleichbar. Der Anbieter nennt keinen Anteil oder keine Ihrer Seiten, oder die Antworten keine Adressen.',
    tooFew: (n, needs) => `Zu wenige für einen Vergleich: ${n}, nötig sind ${needs}.`,
    bothPages: 'Seiten, die beide sehen',
    onlySource: 'Seiten, die nur der Anbieter sieht',
    onlyPanel: 'Eigene Seiten, die nur Ihre Messung sieht',
    answers: 'Antworten',
    nearPrompt: 'Ihr nächster Prompt',
    inCommon: 'Gemeinsam',
    near: (near, of) =>
      `${near} von ${of} Suchanfragen kommen einem Ihrer Prompts nahe. Verglichen werden Wörter, nicht Bedeutungen.`,
    promptsUnknown:
      'Was gefragt wurde, ist nicht bekannt: die Antworten allein sagen es nicht. Geben Sie auch das Ergebnis der Messung an.',
    hidden: (answers) =>
      `Weggelassen: ${answers} Ihrer Antworten. Das KI-System verbirgt eine ihrer Quellen hinter einer Weiterleitung, und welche Seite es ist, ist nicht bekannt.`,
    same: 'derselbe',
    similar: (overlap) => `${overlap} der Wörter`,
    none: 'keiner',
  },
};
