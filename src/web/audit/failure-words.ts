import { formatWholeNumber } from '../language/amounts.ts';
import type { PageLanguage, Translated } from '../language/language.ts';
import type { DescribedFailure, FailureRow, FailureWays } from './failure-parts-words.ts';

const LIMITS = '/docs/guides/browser#limits-of-the-free-preview';

/** The ways on from each failure that this page can meet; of any other one can try again or edit the address. */
const ways: Readonly<Record<string, FailureWays>> = {
  invalid_body: { edit: true },
  target_refused: { edit: true, docs: '/docs/reference/problems#target_refused' },
  target_unreachable: { retry: true, edit: true, docs: '/docs/reference/problems#target_unreachable' },
  target_busy: { retry: true, edit: true, docs: LIMITS },
  rate_limited: { retry: true, docs: LIMITS },
  service_busy: { retry: true },
  stopped: { retry: true },
  loop_detected: { edit: true },
  foreign_origin: { retry: true },
  internal_error: { retry: true },
};

type FailureWordsTable = {
  codes: Readonly<Record<string, FailureRow>>;
  /** Why a site could not be read, by `failure` of the problem. English comes with the problem, from the one table. */
  unread: Readonly<Record<string, Omit<FailureRow, 'happened'>>>;
  wait: (seconds: number) => string;
};

/** The words of an audit without a result. Those of the table of problems are for programs that pay. */
export const auditFailureWords: Translated<FailureWordsTable> = {
  en: {
    codes: {
      invalid_body: {
        happened: 'This is not an address that can be audited',
        means: 'Only web addresses (http or https), without a user name or password, can be read.',
        next: 'Write it as in a browser, such as example.com.',
      },
      target_refused: {
        happened: 'This address is not read',
        means: 'Only public addresses on the usual ports of websites are audited.',
        next: 'Use the public address of the site. The command line audits sites on your own machine.',
      },
      target_unreachable: {
        happened: 'The site could not be read',
        means: 'The site did not answer with a page that can be audited.',
        next: 'Open the address in a browser, and check its spelling, DNS and firewall.',
      },
      target_busy: {
        happened: 'This host is audited too often at the moment',
        means: 'All free audits of one host together are 12 an hour, and two run at once, to spare the site.',
        next: 'Wait, then try again.',
      },
      rate_limited: {
        happened: 'Too many free audits from your address',
        means: 'An audit makes up to 60 requests at someone’s site, so each address has a few a minute.',
        next: 'Wait, then try again. Results of the last ten minutes are shown again without counting.',
      },
      service_busy: {
        happened: 'The service is busy',
        means: 'Other audits use all the memory that this service has for audits.',
        next: 'Wait, then try again.',
      },
      stopped: {
        happened: 'The audit was stopped',
        means: 'The connection ended before the result was complete.',
        next: 'Try again, and leave the page open until the result comes.',
      },
      loop_detected: {
        happened: 'This address leads back to this service',
        means: 'An audit of it would ask for another audit, without end; it was stopped.',
        next: 'Audit an address that does not belong to this service.',
      },
      foreign_origin: {
        happened: 'This page may not start an audit now',
        means: 'Your browser does not say that the request comes from this page, so nothing was started.',
        next: 'Open the page again from its address, in an up-to-date browser, and try again.',
      },
      internal_error: {
        happened: 'The audit failed because of an error in this service',
        means: 'Something went wrong in a way that we did not expect. It is recorded.',
        next: 'Try again. If it fails again, write to the operator.',
      },
    },
    unread: {},
    wait: (seconds) => `You can try again in ${formatWait(seconds, 'en', ['seconds', 'minutes'])}.`,
  },
  de: {
    codes: {
      invalid_body: {
        happened: 'Diese Adresse kann nicht geprüft werden',
        means: 'Gelesen werden nur Webadressen (http oder https) ohne Benutzernamen und Passwort.',
        next: 'Schreiben Sie die Adresse wie im Browser, zum Beispiel example.com.',
      },
      target_refused: {
        happened: 'Diese Adresse wird nicht gelesen',
        means: 'Geprüft werden nur öffentliche Adressen auf den üblichen Ports von Websites.',
        next: 'Verwenden Sie die öffentliche Adresse. Die Kommandozeile prüft auch Websites auf Ihrem eigenen Rechner.',
      },
      target_unreachable: {
        happened: 'Die Website konnte nicht gelesen werden',
        means: 'Die Website hat nicht mit einer Seite geantwortet, die sich prüfen lässt.',
        next: 'Öffnen Sie die Adresse im Browser und prüfen Sie Schreibweise, DNS und Firewall.',
      },
      target_busy: {
        happened: 'Diese Website wird gerade zu oft geprüft',
        means:
          'Alle kostenlosen Prüfungen einer Website zusammen sind 12 pro Stunde, zwei davon gleichzeitig, um sie zu schonen.',
        next: 'Warten Sie und versuchen Sie es dann noch einmal.',
      },
      rate_limited: {
        happened: 'Zu viele kostenlose Prüfungen von Ihrer Adresse',
        means:
          'Eine Prüfung stellt bis zu 60 Anfragen an eine fremde Website, daher hat jede Adresse nur einige pro Minute.',
        next: 'Warten Sie und versuchen Sie es dann noch einmal. Ergebnisse der letzten zehn Minuten zählen nicht.',
      },
      service_busy: {
        happened: 'Der Dienst ist ausgelastet',
        means: 'Andere Prüfungen belegen gerade den ganzen Speicher, den der Dienst dafür hat.',
        next: 'Warten Sie und versuchen Sie es dann noch einmal.',
      },
      stopped: {
        happened: 'Die Prüfung wurde abgebrochen',
        means: 'Die Verbindung endete, bevor das Ergebnis vollständig war.',
        next: 'Versuchen Sie es noch einmal und lassen Sie die Seite offen, bis das Ergebnis da ist.',
      },
      loop_detected: {
        happened: 'Diese Adresse führt zu diesem Dienst zurück',
        means: 'Eine Prüfung würde endlos weitere Prüfungen auslösen und wurde daher angehalten.',
        next: 'Prüfen Sie eine Adresse, die nicht zu diesem Dienst gehört.',
      },
      foreign_origin: {
        happened: 'Diese Seite darf gerade keine Prüfung starten',
        means: 'Ihr Browser bestätigt nicht, dass die Anfrage von dieser Seite kommt. Es wurde nichts gestartet.',
        next: 'Öffnen Sie die Seite in einem aktuellen Browser neu und versuchen Sie es noch einmal.',
      },
      internal_error: {
        happened: 'Die Prüfung ist an einem Fehler dieses Dienstes gescheitert',
        means: 'Etwas ist auf eine Weise schiefgegangen, die wir nicht erwartet haben. Es ist festgehalten.',
        next: 'Versuchen Sie es noch einmal. Wenn es wieder scheitert, schreiben Sie dem Betreiber.',
      },
    },
    unread: {
      invalid_url: {
        means: 'Das ist keine Webadresse.',
        next: 'Schreiben Sie sie wie im Browser, zum Beispiel https://example.com/.',
      },
      scheme_refused: {
        means: 'Nur Adressen mit http und https können gelesen werden.',
        next: 'Verwenden Sie die https-Adresse der Seite, zum Beispiel https://example.com/seite.',
      },
      credentials_refused: {
        means: 'Die Adresse enthält einen Benutzernamen oder ein Passwort.',
        next: 'Lassen Sie beides weg: Was eine Anmeldung verlangt, sehen auch KI-Systeme nicht.',
      },
      port_refused: {
        means: 'Gelesen werden nur die üblichen Ports von Websites.',
        next: 'Verwenden Sie die Adresse, die auch Besucher verwenden.',
      },
      private_target: {
        means: 'Die Adresse führt in ein privates Netz.',
        next: 'Verwenden Sie die öffentliche Adresse, oder prüfen Sie die Website mit der Kommandozeile vom eigenen Rechner aus.',
      },
      redirect_loop: {
        means: 'Die Website leitet im Kreis weiter.',
        next: 'Folgen Sie den Weiterleitungen mit curl -IL, und prüfen Sie die zwischen http und https sowie mit und ohne www.',
      },
      too_many_redirects: {
        means: 'Die Website leitet öfter weiter, als wir folgen.',
        next: 'Folgen Sie den Weiterleitungen mit curl -IL, und beginnen Sie bei der letzten Adresse, oder kürzen Sie die Kette.',
      },
      bad_redirect: {
        means: 'Die Website leitet an eine Adresse weiter, die nicht gelesen werden kann.',
        next: 'Prüfen Sie den Header Location der Weiterleitung mit curl -I, und berichtigen Sie ihn.',
      },
      budget_exhausted: {
        means: 'Die Prüfung hat ihre Grenze an Anfragen, Bytes oder Zeit erreicht, bevor diese Seite gelesen war.',
        next: 'Starten Sie die Prüfung noch einmal. Geschieht das wieder, prüfen Sie Größe und Ladezeit der Seite.',
      },
      encoding_refused: {
        means: 'Die Seite ist auf eine Weise komprimiert, die wir nicht angefordert haben.',
        next: 'Senden Sie gzip, Brotli oder unkomprimiert, wie Accept-Encoding es erlaubt. curl -I zeigt den Header Content-Encoding.',
      },
      timeout: {
        means: 'Die Website hat nicht rechtzeitig geantwortet.',
        next: 'Prüfen Sie mit curl -I, ob der Server läuft und innerhalb von Sekunden antwortet, und starten Sie die Prüfung dann noch einmal.',
      },
      connection_failed: {
        means:
          'Es kam keine Verbindung zustande: Der Name ist unbekannt, kein Server antwortet dort, oder eine Firewall oder ein Zertifikat hält uns auf.',
        next: 'Prüfen Sie Schreibweise, DNS-Einträge, Zertifikat und Firewall, zum Beispiel mit curl -I.',
      },
      body_failed: {
        means: 'Die Antwort begann und brach dann ab, oder sie ließ sich nicht entpacken.',
        next: 'Versuchen Sie es noch einmal. Geschieht das wieder, prüfen Sie das Protokoll des Servers sowie Content-Length und Content-Encoding der Seite.',
      },
      refused: {
        means: 'Die Website antwortet, weist uns aber unter jedem Namen ab, unter dem wir anfragen.',
        next: 'Lassen Sie die Prüfung in Firewall oder Bot-Schutz zu, oder prüfen Sie aus einem Netz, das zugelassen ist.',
      },
    },
    wait: (seconds) => `In ${formatWait(seconds, 'de', ['Sekunden', 'Minuten'])} können Sie es noch einmal versuchen.`,
  },
};

const SECONDS_A_MINUTE = 60;
/** Up to this many seconds a wait is said in seconds. */
const SAID_IN_SECONDS = 120;

function formatWait(seconds: number, language: PageLanguage, [short, long]: readonly [string, string]): string {
  return seconds <= SAID_IN_SECONDS
    ? `${formatWholeNumber(seconds, language)} ${short}`
    : `${formatWholeNumber(Math.ceil(seconds / SECONDS_A_MINUTE), language)} ${long}`;
}

/** Why an audit has no result: members of a problem of the service. */
export type AuditFailure = {
  code: string;
  /** What stopped the reading of the site, where it did. */
  failure?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  means?: string | undefined;
  next?: string | undefined;
  retryAfterS?: number | undefined;
};

/** What happened, why, and what to do, from the table; a code that it lacks has its own words, which are English. */
export function describeAuditFailure(problem: AuditFailure, language: PageLanguage): DescribedFailure {
  const { code, failure = '', title, detail, means, next, retryAfterS } = problem;
  const table = auditFailureWords[language];
  const row = table.codes[code];
  const unread = failure === '' ? undefined : (table.unread[failure] ?? { means, next });
  const wait = retryAfterS === undefined ? '' : ` ${table.wait(retryAfterS)}`;
  return {
    happened: row?.happened ?? title ?? code,
    means: unread?.means ?? row?.means ?? means ?? detail ?? '',
    next: `${unread?.next ?? row?.next ?? next ?? ''}${wait}`.trim(),
    detail,
    ways: ways[code] ?? { retry: true, edit: true },
  };
}
