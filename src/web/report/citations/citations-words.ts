import type { UncheckedReason, UnreadReason } from '../../../capabilities/citation-evidence.ts';
import type { SourceKind } from '../../../visibility/citations/source-kinds-data.ts';
import type { Translated } from '../../language/language.ts';

/** Reasons where no answer came that could be read. Each other one has words of its own: it was we who did not ask. */
type UnreadAnswer = 'timeout' | 'connection_failed' | 'body_failed' | 'encoding_refused';
type OwnWords = Exclude<UnreadReason, UnreadAnswer>;

type CitationWords = {
  title: string;
  notMeasured: string;
  lead: (measured: number, answers: number, citations: number) => string;
  ownRate: string;
  ownRateSaid: (cited: number, answers: number, interval: string, worst: string | undefined) => string;
  ownShare: string;
  ownShareSaid: (pages: number, prompts: number, interval: string) => string;
  ownUnknown: string;
  nothingCited: string;
  allUnknown: string;
  kindsTitle: string;
  kindsCaption: string;
  kindColumns: readonly [kind: string, citations: string, share: string, answers: string];
  kinds: Readonly<Record<SourceKind, string>>;
  rivalsTitle: string;
  rivalsCaption: string;
  rivalsNone: string;
  rivalColumns: readonly [name: string, rate: string, share: string];
  pagesTitle: string;
  pagesCaption: string;
  pageColumns: readonly [page: string, kind: string, answers: string, position: string];
  pagesFurther: (count: number) => string;
  pagesNone: string;
  of: (count: number, all: number) => string;
  checksTitle: string;
  checksLead: string;
  checksNone: string;
  checksMissing: Readonly<Record<UncheckedReason, string>>;
  citedAhead: string;
  ownAhead: string;
  checkColumns: readonly [check: string, cited: string, own: string];
  counted: (pass: number, judged: number, unknown: number) => string;
  checksRest: (further: number, alike: number, open: number) => string;
  comparedTitle: (read: number, pages: number) => string;
  sides: Readonly<Record<'cited' | 'own', string>>;
  read: string;
  unread: Readonly<Record<OwnWords, string>>;
  unreadOther: string;
};

const formatCount = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

const en: CitationWords = {
  title: 'Sources by address',
  notMeasured: 'the engine gives no sources, so they were not measured. This is not 0 %.',
  lead: (measured, answers, citations) =>
    `${measured} of ${formatCount(answers, 'answer', 'answers')} came with a list of sources. Together they cite ${formatCount(citations, 'page', 'pages')}, each counted once an answer.`,
  ownRate: 'Answers that cite your site',
  ownRateSaid: (cited, answers, interval, worst) =>
    `${cited} of ${formatCount(answers, 'answer', 'answers')}. 95 % interval: ${interval}.${
      worst === undefined ? '' : ` With the sources that could not be followed all elsewhere or all on it: ${worst}.`
    }`,
  ownShare: 'Your share of citations',
  ownShareSaid: (pages, prompts, interval) =>
    `${formatCount(pages, 'page', 'pages')} of your site among all that are cited, over ${formatCount(prompts, 'prompt', 'prompts')}. 95 % interval: ${interval}.`,
  ownUnknown: 'the site of the brand was not named, so how often it is cited was not measured.',
  nothingCited: 'No answer cites a page.',
  allUnknown: 'no answer has sources that could all be followed.',
  kindsTitle: 'Kinds of source',
  kindsCaption: 'By dated lists of sites and a few rules. What is in no list is “other”.',
  kindColumns: ['Kind', 'Citations', 'Share', 'Answers'],
  kinds: {
    own: 'your site',
    rival: 'rivals',
    press: 'press and reviews',
    forum: 'forums and networks',
    reference: 'reference works',
    shop: 'shops',
    other: 'other',
  },
  rivalsTitle: 'Rivals among the sources',
  rivalsCaption: 'Rivals whose domain is known. The lines below the bars are 95 % intervals.',
  rivalsNone: 'No cited site is known to belong to a rival that was found.',
  rivalColumns: ['Rival and its domains', 'Answers that cite it', 'Share of citations'],
  pagesTitle: 'Pages that are cited most',
  pagesCaption:
    'Position: the mean place among the sources of an answer, 1 is first. Quoted is what the answer gives the page for, where it says so.',
  pageColumns: ['Page', 'Kind', 'Answers', 'Position'],
  pagesFurther: (count) => `${formatCount(count, 'more page is', 'more pages are')} cited.`,
  pagesNone: 'No page is known: the sources are redirects that could not be followed.',
  of: (count, all) => `${count} of ${all}`,
  checksTitle: 'What cited pages do that yours do not',
  checksLead:
    'The most cited pages and pages of your site, judged by the same checks. A few pages on each side: the table shows what differs between them, not why a page is cited. What could not be judged counts for neither side.',
  checksNone: 'No check of a page differs between the two sides.',
  checksMissing: {
    no_site: 'no pages were compared, since the site of the brand was not named.',
    no_cited_page: 'no pages were compared, since no page of another site is known to be cited.',
    deadline: 'no pages were compared, since no time was left for it.',
  },
  citedAhead: 'Cited pages pass more often',
  ownAhead: 'Your pages pass more often',
  checkColumns: ['Check', 'Cited pages', 'Your pages'],
  counted: (pass, judged, unknown) => `${pass} of ${judged} pass${unknown > 0 ? `; ${unknown} not judged` : ''}`,
  checksRest: (further, alike, open) =>
    `Further checks that differ: ${further}. Alike on both sides: ${alike}. Could not be compared: ${open}.`,
  comparedTitle: (read, pages) => `Pages compared: ${read} of ${pages} could be read`,
  sides: { cited: 'cited', own: 'yours' },
  read: 'read',
  unread: {
    target_busy: 'not read: others have this host audited just now',
    robots_disallowed: 'not read: its robots.txt forbids it',
    robots_unreachable: 'not read: its robots.txt could not be read',
    refused: 'not read: the site refused us',
    http_error: 'not read: the answer was an error',
    not_html: 'not read: it is no web page',
    deadline: 'not read: the time for reading pages was over',
    budget_exhausted: 'not read: our limit on requests and data was reached',
    private_target: 'not read: it leads into a private network, which we never ask',
    port_refused: 'not read: it leads to a port that we do not ask',
    scheme_refused: 'not read: it leads to an address that is not http or https',
    credentials_refused: 'not read: it leads to an address with a user name or password, which we do not ask',
    invalid_url: 'not read: it leads to no valid address',
    bad_redirect: 'not read: it redirects to no valid address',
    redirect_loop: 'not read: it redirects in a circle',
    too_many_redirects: 'not read: it redirects too often',
  },
  unreadOther: 'not read: no answer could be read',
};

const de: CitationWords = {
  title: 'Quellen nach Adresse',
  notMeasured: 'die Antwortmaschine gibt keine Quellen an, sie wurden also nicht gemessen. Das ist nicht 0 %.',
  lead: (measured, answers, citations) =>
    `${measured} von ${formatCount(answers, 'Antwort', 'Antworten')} ${measured === 1 ? 'kam' : 'kamen'} mit einer Liste von Quellen. Zusammen nennen sie ${formatCount(citations, 'Seite', 'Seiten')}, je Antwort einmal gezählt.`,
  ownRate: 'Antworten mit Ihrer Website als Quelle',
  ownRateSaid: (cited, answers, interval, worst) =>
    `${cited} von ${formatCount(answers, 'Antwort', 'Antworten')}. 95-%-Intervall: ${interval}.${
      worst === undefined
        ? ''
        : ` Lägen die Quellen, denen nicht zu folgen war, alle anderswo oder alle dort: ${worst}.`
    }`,
  ownShare: 'Ihr Anteil an den Quellen',
  ownShareSaid: (pages, prompts, interval) =>
    `${formatCount(pages, 'Seite', 'Seiten')} Ihrer Website unter allen genannten, über ${formatCount(prompts, 'Frage', 'Fragen')}. 95-%-Intervall: ${interval}.`,
  ownUnknown: 'die Website der Marke wurde nicht angegeben; wie oft sie Quelle ist, wurde also nicht gemessen.',
  nothingCited: 'Keine Antwort nennt eine Seite als Quelle.',
  allUnknown: 'in keiner Antwort war allen Quellen zu folgen.',
  kindsTitle: 'Arten von Quellen',
  kindsCaption: 'Nach datierten Listen von Websites und wenigen Regeln. Was in keiner Liste ist, heißt „andere“.',
  kindColumns: ['Art', 'Nennungen', 'Anteil', 'Antworten'],
  kinds: {
    own: 'Ihre Website',
    rival: 'Wettbewerber',
    press: 'Presse und Tests',
    forum: 'Foren und Netzwerke',
    reference: 'Nachschlagewerke',
    shop: 'Händler',
    other: 'andere',
  },
  rivalsTitle: 'Wettbewerber unter den Quellen',
  rivalsCaption: 'Wettbewerber, deren Domain bekannt ist. Die Linien unter den Balken sind 95-%-Intervalle.',
  rivalsNone: 'Von keiner genannten Website ist bekannt, dass sie einem gefundenen Wettbewerber gehört.',
  rivalColumns: ['Wettbewerber und Domains', 'Antworten mit ihm als Quelle', 'Anteil an den Quellen'],
  pagesTitle: 'Am häufigsten genannte Seiten',
  pagesCaption:
    'Position: der mittlere Platz unter den Quellen einer Antwort, 1 ist vorn. Zitiert ist, wofür die Antwort die Seite nennt, wo sie es sagt.',
  pageColumns: ['Seite', 'Art', 'Antworten', 'Position'],
  pagesFurther: (count) => `${formatCount(count, 'weitere Seite wird', 'weitere Seiten werden')} genannt.`,
  pagesNone: 'Keine Seite ist bekannt: Die Quellen sind Weiterleitungen, denen nicht zu folgen war.',
  of: (count, all) => `${count} von ${all}`,
  checksTitle: 'Was genannte Seiten erfüllen und Ihre nicht',
  checksLead:
    'Die am häufigsten genannten Seiten und Seiten Ihrer Website, mit denselben Prüfungen bewertet. Wenige Seiten je Gruppe: Die Tabelle zeigt, worin sie sich unterscheiden, nicht, warum eine Seite genannt wird. Was nicht prüfbar war, zählt für keine Gruppe.',
  checksNone: 'In keiner Prüfung einer Seite unterscheiden sich die beiden Gruppen.',
  checksMissing: {
    no_site: 'es wurden keine Seiten verglichen, weil die Website der Marke nicht angegeben wurde.',
    no_cited_page: 'es wurden keine Seiten verglichen, weil keine genannte Seite einer anderen Website bekannt ist.',
    deadline: 'es wurden keine Seiten verglichen, weil dafür keine Zeit blieb.',
  },
  citedAhead: 'Genannte Seiten bestehen öfter',
  ownAhead: 'Ihre Seiten bestehen öfter',
  checkColumns: ['Prüfung', 'Genannte Seiten', 'Ihre Seiten'],
  counted: (pass, judged, unknown) =>
    `${pass} von ${judged} ${pass === 1 ? 'besteht' : 'bestehen'}${unknown > 0 ? `; ${unknown} nicht prüfbar` : ''}`,
  checksRest: (further, alike, open) =>
    `Weitere Prüfungen mit Unterschied: ${further}. Ohne Unterschied: ${alike}. Nicht vergleichbar: ${open}.`,
  comparedTitle: (read, pages) => `Verglichene Seiten: ${read} von ${pages} waren lesbar`,
  sides: { cited: 'genannt', own: 'Ihre' },
  read: 'gelesen',
  unread: {
    target_busy: 'nicht gelesen: andere lassen diesen Host gerade prüfen',
    robots_disallowed: 'nicht gelesen: die robots.txt verbietet es',
    robots_unreachable: 'nicht gelesen: die robots.txt war nicht lesbar',
    refused: 'nicht gelesen: die Website hat uns abgewiesen',
    http_error: 'nicht gelesen: die Antwort war ein Fehler',
    not_html: 'nicht gelesen: es ist keine Webseite',
    deadline: 'nicht gelesen: die Zeit zum Lesen der Seiten war um',
    budget_exhausted: 'nicht gelesen: unser Limit für Anfragen und Daten war erreicht',
    private_target: 'nicht gelesen: sie führt in ein privates Netz, das wir nie anfragen',
    port_refused: 'nicht gelesen: sie führt zu einem Port, den wir nicht anfragen',
    scheme_refused: 'nicht gelesen: sie führt zu einer Adresse, die nicht http oder https ist',
    credentials_refused: 'nicht gelesen: sie führt zu einer Adresse mit Zugangsdaten, die wir nicht anfragen',
    invalid_url: 'nicht gelesen: sie führt zu keiner gültigen Adresse',
    bad_redirect: 'nicht gelesen: sie leitet zu keiner gültigen Adresse weiter',
    redirect_loop: 'nicht gelesen: sie leitet im Kreis weiter',
    too_many_redirects: 'nicht gelesen: sie leitet zu oft weiter',
  },
  unreadOther: 'nicht gelesen: es kam keine lesbare Antwort',
};

export const citationWords: Translated<CitationWords> = { en, de };

/** Why a page was not read, in the language of the page. */
export const describeUnread = (words: Pick<CitationWords, 'unread' | 'unreadOther'>, reason: string): string =>
  Object.hasOwn(words.unread, reason) ? words.unread[reason as OwnWords] : words.unreadOther;
