import { aiAgents } from '../../audit/crawlers/facts/ai-agents-data.ts';
import type {
  AccessConflict,
  AccessRow,
  AgentVisits,
  ConflictId,
  HostAccess,
} from '../../traffic/access/access-row.ts';
import { declaredTitles, observedTitles } from '../../traffic/access/access-section.ts';
import { formatWholeNumber } from '../language/amounts.ts';
import type { Translated } from '../language/language.ts';

/** What a contradiction says: what there is, its likely cause, and what to do. */
export type ConflictText = Pick<AccessConflict, 'what' | 'cause' | 'remedy'>;
/** `provider`: who answers in front of the site. */
export type DescribeConflict = (row: AccessRow, conflict: AccessConflict, provider: string | null) => ConflictText;

type AccessWords = {
  title: string;
  lead: string;
  audited: string;
  report: string;
  states: Readonly<Record<Exclude<HostAccess['state'], 'ready'>, string>>;
  agent: string;
  declared: string;
  declaredAs: Readonly<Record<AccessRow['declared'], string>>;
  byName: string;
  observed: string;
  observedAs: Readonly<Record<AccessRow['observed'], string>>;
  came: string;
  cameAs: Readonly<Record<'verified' | 'claimed', (count: string) => string>>;
  cameNot: string;
  refused: string;
  conflicts: string;
  noConflict: string;
  what: string;
  cause: string;
  remedy: string;
  conflict: DescribeConflict;
};

/** The visits that count as the agent's own. */
const getOwn = ({ came }: AccessRow): AgentVisits | null => came.verified ?? came.claimed;

const formatCount = (count: number): string => formatWholeNumber(count, 'de');
const formatRequests = (visits: AgentVisits | null): string =>
  visits?.requests === 1 ? '1 Anfrage' : `${formatCount(visits?.requests ?? 0)} Anfragen`;

const isObedient = (token: string): boolean => aiAgents.find((agent) => agent.token === token)?.obeysRobots === true;

const explainRefusal = (provider: string | null): Pick<ConflictText, 'cause' | 'remedy'> =>
  provider === null
    ? {
        cause: 'Eine Regel vor der Website.',
        remedy:
          'Suchen Sie in der Firewall, im CDN und im Server nach Regeln für Bots, und lassen Sie diesen Agenten dort zu.',
      }
    : {
        cause: `Eine Regel von ${provider}.`,
        remedy: `Lassen Sie diesen Agenten in den Einstellungen von ${provider} für Bots und KI zu.`,
      };

const explainDisobedience = (row: AccessRow): Pick<ConflictText, 'cause' | 'remedy'> => ({
  cause:
    row.class === 'user' || !isObedient(row.token)
      ? 'Er holt, wonach ein Mensch fragt, und sein Betreiber verspricht nicht, sich dann an robots.txt zu halten.'
      : 'Er hat robots.txt gelesen, bevor es die Regel gab, oder hält sich nicht daran.',
  remedy: `Um ${row.token} fernzuhalten, weisen Sie ihn an der Edge nach User-Agent und Adresse ab: robots.txt bittet nur.`,
});

/** Each from the row alone, never from the English words. */
const german: Readonly<Record<ConflictId, (row: AccessRow, provider: string | null) => ConflictText>> = {
  allowed_but_refused: (row, provider) => {
    const own = getOwn(row);
    return {
      what:
        own === null
          ? `robots.txt lässt ${row.token} zu, unsere Anfrage unter seinem Namen wurde abgewiesen, und er kam in dieser Zeit nicht.`
          : `robots.txt lässt ${row.token} zu, und die Website weist ihn ab: unsere Anfrage unter seinem Namen und ${formatCount(own.refused)} von ${formatRequests(own)} von ihm.`,
      ...explainRefusal(provider),
    };
  },
  refused_to_us_only: (row) => ({
    what: `Unsere Anfrage als ${row.token} wurde abgewiesen, die von ${row.owner} selbst wurden beantwortet (${formatRequests(getOwn(row))}).`,
    cause: 'Die Website kennt den Agenten an seiner Adresse, und unsere ist nicht die seines Betreibers.',
    remedy: 'Nichts: Der Agent kommt hinein.',
  }),
  refused_by_address: (row) => ({
    what: `Unsere Anfrage als ${row.token} wurde beantwortet, und ${formatCount(getOwn(row)?.refused ?? 0)} von ${formatRequests(getOwn(row))} von ihm wurden abgewiesen.`,
    cause: 'Eine Grenze für Anfragen oder eine Sperre von Adressen: Sie trifft das Netz, aus dem der Agent kommt.',
    remedy: `Lassen Sie die Adressen zu, die ${row.owner} veröffentlicht, und heben Sie für sie die Grenze der Anfragen an.`,
  }),
  forbidden_but_served: (row) => ({
    what: `robots.txt hält ${row.token} von der Startseite fern, und die Website antwortete ihm: ${formatRequests(getOwn(row))}.`,
    ...explainDisobedience(row),
  }),
  forbidden_and_came: (row) => ({
    what: `${row.token} fragte nach Seiten, von denen robots.txt ihn fernhält: ${formatCount(getOwn(row)?.disallowed ?? 0)} von ${formatRequests(getOwn(row))}.`,
    ...explainDisobedience(row),
  }),
  charged: (row) => ({
    what: `Von ${row.token} wird Geld verlangt: Er bekam einen Preis statt der Seite.`,
    cause: 'Die Edge lässt Crawler zahlen.',
    remedy:
      row.class === 'training'
        ? 'Lassen Sie es so, wenn für Training gezahlt werden soll.'
        : `Nehmen Sie ${row.token} davon aus: Eine Antwort, auf die ein Mensch wartet, kommt sonst ohne die Seite aus.`,
  }),
  answers_fail: (row) => ({
    what: `Der Server scheiterte an ${row.token}: ${formatCount(getOwn(row)?.statuses['5xx'] ?? 0)} von ${formatRequests(getOwn(row))} wurden mit 5xx beantwortet.`,
    cause: 'Der Server bricht bei den Seiten ab, nach denen der Agent fragt, oder ist dafür zu langsam.',
    remedy: 'Suchen Sie diese Seiten im Fehlerprotokoll des Servers, nach Zeit und Pfad dieser Anfragen.',
  }),
  never_came: (row) => ({
    what: `${row.token} darf kommen und bekäme Antwort, kam in dieser Zeit aber nicht.`,
    cause: 'Die Zeit ist kurz, die Website ist neu, oder der Crawler hat keinen Link zu ihr gefunden.',
    remedy:
      'Sehen Sie sich vier Wochen an. Fehlt er auch dort, reichen Sie die Sitemap bei seinem Betreiber ein, und sorgen Sie für Links von Seiten, die er liest.',
  }),
  pretended: (row) => ({
    what: `${formatRequests(row.came.pretended)} kamen als ${row.token} von Adressen, die nicht ${row.owner} gehören.`,
    cause:
      'Jemand borgt sich den Namen: um Inhalte abzugreifen oder, wie wir, um zu prüfen, wie die Website antwortet.',
    remedy: `Weisen Sie den Namen von anderen Adressen als denen ab, die ${row.owner} veröffentlicht, wo er schadet.`,
  }),
};

export const hostAccessWords: Translated<AccessWords> = {
  en: {
    title: 'Declared, observed, came',
    lead: 'What robots.txt says to each agent, what the site answered when we came under its name, and its requests on these days.',
    audited: 'Audited',
    report: 'Report',
    states: {
      none: 'Your account has no report of this host from the last 30 days, so it is not known what the site declares and answers. A full audit that this account pays for adds it.',
      unread: 'Your reports cannot be read now. Try again in a minute.',
      too_large:
        'What the newest report of this host was made from is too large for this page. On your machine, sightline audit with --logs makes the same table.',
    },
    agent: 'Agent',
    declared: 'Declared',
    declaredAs: declaredTitles,
    byName: 'by name',
    observed: 'Observed',
    observedAs: observedTitles,
    came: 'Came',
    cameAs: { verified: (count) => `${count} verified`, claimed: (count) => `${count} by its own word` },
    cameNot: 'no',
    refused: 'Refused',
    conflicts: 'Contradictions',
    noConflict: 'There are no contradictions.',
    what: 'What',
    cause: 'Likely cause',
    remedy: 'What to do',
    conflict: (_row, conflict) => conflict,
  },
  de: {
    title: 'Erklärt, beobachtet, gekommen',
    lead: 'Was robots.txt jedem Agenten sagt, was die Website antwortete, als wir unter seinem Namen kamen, und seine Anfragen an diesen Tagen.',
    audited: 'Geprüft',
    report: 'Bericht',
    states: {
      none: 'Ihr Konto hat keinen Bericht der letzten 30 Tage über diesen Host. Was die Website erklärt und antwortet, ist deshalb nicht bekannt. Ein vollständiges Audit, das dieses Konto bezahlt, ergänzt es.',
      unread: 'Ihre Berichte lassen sich gerade nicht lesen. Versuchen Sie es in einer Minute erneut.',
      too_large:
        'Woraus der neueste Bericht über diesen Host entstand, ist für diese Seite zu groß. Auf Ihrem Rechner macht sightline audit mit --logs dieselbe Tabelle.',
    },
    agent: 'Agent',
    declared: 'Erklärt',
    declaredAs: { allowed: 'erlaubt', forbidden: 'verboten', unknown: 'unbekannt' },
    byName: 'mit Namen',
    observed: 'Beobachtet',
    observedAs: {
      served: 'beantwortet',
      refused: 'abgewiesen',
      charged: 'soll zahlen',
      other: 'andere Antwort',
      unknown: 'unbekannt',
      not_asked: 'nicht gefragt',
    },
    came: 'Gekommen',
    cameAs: { verified: (count) => `${count} geprüft`, claimed: (count) => `${count} nach eigener Angabe` },
    cameNot: 'nein',
    refused: 'Abgewiesen',
    conflicts: 'Widersprüche',
    noConflict: 'Es gibt keine Widersprüche.',
    what: 'Was',
    cause: 'Wahrscheinliche Ursache',
    remedy: 'Was zu tun ist',
    conflict: (row, { id }, provider) => german[id](row, provider),
  },
};
