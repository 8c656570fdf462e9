import type { Translated } from '../language/language.ts';
import type { VisitorClass } from '../../traffic/agents/agent-class.ts';
import type { EdgeVerification } from '../../traffic/edge/counts-body.ts';

/** Why a host was not claimed. */
export type HostFault = 'invalid_host' | 'too_many_hosts' | 'too_many_claims';

type HostsWords = {
  title: string;
  more: string;
  lead: string;
  guide: string;
  emptyTitle: string;
  emptyText: string;
  emptyAction: string;
  claimTitle: string;
  claimLabel: string;
  claimHint: string;
  claim: string;
  faults: Readonly<Record<HostFault, string>>;
  host: string;
  state: string;
  states: Readonly<Record<'waiting' | 'proven' | 'ended', string>>;
  lastFound: string;
  never: string;
  count: (count: number) => string;
  proofTitle: string;
  proofLead: string;
  proofDns: string;
  proofName: string;
  proofOr: string;
  proofValue: string;
  proofFile: string;
  proofHolds: string;
  look: string;
  lookSeen: Readonly<Record<'found' | 'absent' | 'unknown', string>>;
  lookTooSoon: (seconds: number) => string;
  copy: string;
  tokenTitle: string;
  tokenLead: string;
  tokenSince: string;
  tokenNone: string;
  tokenNew: string;
  tokenReplace: string;
  tokenOnce: string;
  tokenNotProven: string;
  installTitle: string;
  installSave: string;
  installWrap: string;
  installSecret: string;
  installTail: string;
  crawlersTitle: string;
  nothingTitle: string;
  nothingText: string;
  range: (from: string, to: string) => string;
  from: string;
  to: string;
  show: string;
  wrongRange: string;
  received: (batches: string, notCounted: string) => string;
  byClass: string;
  byAgent: string;
  perDay: string;
  chart: (days: number) => string;
  day: string;
  asTable: string;
  className: string;
  agent: string;
  requests: string;
  pages: string;
  errors: string;
  refused: string;
  robots: string;
  llms: string;
  seen: string;
  lastSeen: string;
  classes: Readonly<Record<VisitorClass, string>>;
  verifications: Readonly<Record<EdgeVerification, string>>;
  topPages: string;
  path: string;
  beyond: (count: string) => string;
  referrals: string;
  assistant: string;
  visits: string;
  unread: string;
  unreadLead: (count: string) => string;
  smallCells: string;
  files: string;
  dropTitle: string;
  dropText: string;
  drop: string;
};

export const hostsWords: Translated<HostsWords> = {
  en: {
    title: 'Hosts and crawlers',
    more: 'Show hosts',
    lead: 'Prove that a host is yours, and see which AI crawlers come to it: counted by your own Worker, without the addresses of visitors.',
    guide: 'How this works',
    emptyTitle: 'No host yet',
    emptyText: 'Name a host below. You then get a value for its DNS or for a file on it.',
    emptyAction: 'See which AI crawlers come to your site',
    claimTitle: 'Add a host',
    claimLabel: 'Host name',
    claimHint: 'Such as www.example.com: the name that visitors see in the address bar.',
    claim: 'Add the host',
    faults: {
      invalid_host: 'This is not a host name. Enter a name with a dot, such as www.example.com.',
      too_many_hosts: 'Your account has as many hosts as it can have. Remove one first.',
      too_many_claims: 'Too many accounts have added this host. Ask the operator of this service.',
    },
    host: 'Host',
    state: 'State',
    states: { waiting: 'not proven yet', proven: 'proven', ended: 'no longer proven' },
    lastFound: 'Last found',
    never: 'never',
    count: (count) => (count === 1 ? 'One host.' : `${count} hosts.`),
    proofTitle: 'Proof that the host is yours',
    proofLead: 'Put this value in one of these places, and leave it there.',
    proofDns: 'A TXT record in the DNS of the host',
    proofName: 'Name',
    proofOr: 'or',
    proofValue: 'Value',
    proofFile: 'Or a file with this line, at this address',
    proofHolds: 'We look for it again every 30 days. If it is missing for more than three days, the proof ends.',
    look: 'Look for it now',
    lookSeen: {
      found: 'Found: the host is proven to be yours.',
      absent: 'Not found. It can take an hour until a new DNS record is visible everywhere.',
      unknown: 'We could not read every place, and the value is in none of those that we could read.',
    },
    lookTooSoon: (seconds) => `We look for the proof at most once a minute. Try again in ${seconds} s.`,
    copy: 'Copy',
    tokenTitle: 'Token for counts',
    tokenLead: 'Your Worker sends its counts with this token. It can do nothing else.',
    tokenSince: 'The token was created on',
    tokenNone: 'There is no token yet.',
    tokenNew: 'Create a token',
    tokenReplace: 'Replace the token',
    tokenOnce: 'Copy the token now: we show it only once. The one before it no longer works.',
    tokenNotProven: 'You can create a token once the host is proven to be yours.',
    installTitle: 'Count who comes',
    installSave: 'Save the file beside the Worker of your site',
    installWrap: 'Wrap the Worker in it',
    installSecret: 'Give it the token as a secret, then deploy',
    installTail: 'Or deploy it as a tail Worker of its own, which leaves the code of your site as it is',
    crawlersTitle: 'Who came',
    nothingTitle: 'No counts on these days',
    nothingText: 'Counts arrive half a minute after the first visit, once your Worker sends them.',
    range: (from, to) => `${from} to ${to}`,
    from: 'From',
    to: 'To',
    show: 'Show',
    wrongRange: 'These days cannot be shown together: choose at most 92 days in a row.',
    received: (batches, notCounted) =>
      `${batches} batches were received; ${notCounted} requests could not be counted one by one.`,
    byClass: 'By kind of visitor',
    byAgent: 'By agent',
    perDay: 'Requests of AI agents by day',
    chart: (days) => `Requests of AI agents on ${days} days; the table below has the numbers`,
    day: 'Day',
    asTable: 'The numbers as a table',
    className: 'Kind',
    agent: 'Agent',
    requests: 'Requests',
    pages: 'Pages',
    errors: 'Errors',
    refused: 'Refused',
    robots: 'robots.txt read',
    llms: 'llms.txt and Markdown',
    seen: 'First and last seen',
    lastSeen: 'Last seen',
    classes: {
      search: 'Search for answers',
      user: 'Sent by a person',
      training: 'Training',
      'multi-purpose': 'Several purposes',
      automation: 'Other programs',
      person: 'People',
    },
    verifications: { verified: 'verified', claimed: 'by its own word', pretended: 'pretended' },
    topPages: 'Pages that agents read most',
    path: 'Page',
    beyond: (count) => `${count} reads of further pages`,
    referrals: 'People who came from an assistant',
    assistant: 'Assistant',
    visits: 'Visits',
    unread: 'Pages that people read and AI agents do not',
    unreadLead: (count) => `${count} on these days. An answer cannot draw on a page that its agent never read.`,
    smallCells: 'Counts of people below 5 are left out.',
    files: 'The same as',
    dropTitle: 'Remove the host',
    dropText: 'Its token ends and its counts are deleted, at once.',
    drop: 'Remove the host',
  },
  de: {
    title: 'Hosts und Crawler',
    more: 'Hosts ansehen',
    lead: 'Weisen Sie nach, dass ein Host Ihnen gehört, und sehen Sie, welche KI-Crawler zu ihm kommen: gezählt von Ihrem eigenen Worker, ohne Adressen der Besucher.',
    guide: 'So funktioniert es',
    emptyTitle: 'Noch kein Host',
    emptyText: 'Nennen Sie unten einen Host. Sie bekommen dann einen Wert für sein DNS oder für eine Datei.',
    emptyAction: 'Ansehen, welche KI-Crawler zu Ihrer Website kommen',
    claimTitle: 'Host hinzufügen',
    claimLabel: 'Name des Hosts',
    claimHint: 'Zum Beispiel www.example.com: der Name, der in der Adresszeile steht.',
    claim: 'Host hinzufügen',
    faults: {
      invalid_host: 'Das ist kein Name eines Hosts. Schreiben Sie einen Namen mit Punkt, zum Beispiel www.example.com.',
      too_many_hosts: 'Ihr Konto hat so viele Hosts, wie es haben darf. Entfernen Sie zuerst einen.',
      too_many_claims: 'Zu viele Konten haben diesen Host hinzugefügt. Fragen Sie den Betreiber dieses Dienstes.',
    },
    host: 'Host',
    state: 'Nachweis',
    states: { waiting: 'noch nicht nachgewiesen', proven: 'nachgewiesen', ended: 'nicht mehr nachgewiesen' },
    lastFound: 'Zuletzt gefunden',
    never: 'nie',
    count: (count) => (count === 1 ? 'Ein Host.' : `${count} Hosts.`),
    proofTitle: 'Nachweis, dass der Host Ihnen gehört',
    proofLead: 'Legen Sie diesen Wert an eine dieser Stellen, und lassen Sie ihn dort.',
    proofDns: 'Ein TXT-Eintrag im DNS des Hosts',
    proofName: 'Name',
    proofOr: 'oder',
    proofValue: 'Wert',
    proofFile: 'Oder eine Datei mit dieser Zeile unter dieser Adresse',
    proofHolds: 'Wir suchen alle 30 Tage wieder danach. Fehlt er länger als drei Tage, endet der Nachweis.',
    look: 'Jetzt danach suchen',
    lookSeen: {
      found: 'Gefunden: Es ist nachgewiesen, dass der Host Ihnen gehört.',
      absent: 'Nicht gefunden. Im DNS kann es eine Stunde dauern, bis alle einen neuen Eintrag sehen.',
      unknown: 'Nicht alle Stellen ließen sich lesen, und in den lesbaren ist der Wert nicht.',
    },
    lookTooSoon: (seconds) =>
      `Wir suchen höchstens einmal in der Minute nach dem Nachweis. Versuchen Sie es in ${seconds} s erneut.`,
    copy: 'Kopieren',
    tokenTitle: 'Token für Zählungen',
    tokenLead: 'Mit diesem Token schickt Ihr Worker seine Zählungen. Sonst kann es nichts.',
    tokenSince: 'Das Token wurde erzeugt am',
    tokenNone: 'Es gibt noch kein Token.',
    tokenNew: 'Token erzeugen',
    tokenReplace: 'Token ersetzen',
    tokenOnce: 'Sie sehen das Token nur dieses eine Mal. Das vorige gilt nicht mehr.',
    tokenNotProven: 'Ein Token gibt es, sobald der Host nachgewiesen ist.',
    installTitle: 'Zählen, wer kommt',
    installSave: 'Sichern Sie die Datei neben dem Worker Ihrer Website',
    installWrap: 'Umschließen Sie den Worker damit',
    installSecret: 'Geben Sie ihm das Token als Secret, und veröffentlichen Sie ihn dann',
    installTail: 'Oder veröffentlichen Sie sie als eigenen Tail Worker: Der Code Ihrer Website bleibt dann, wie er ist',
    crawlersTitle: 'Wer kam',
    nothingTitle: 'Keine Zählungen an diesen Tagen',
    nothingText: 'Zählungen kommen eine halbe Minute nach dem ersten Besuch an, sobald Ihr Worker sie schickt.',
    range: (from, to) => `${from} bis ${to}`,
    from: 'Von',
    to: 'Bis',
    show: 'Anzeigen',
    wrongRange: 'Diese Tage lassen sich nicht zusammen zeigen: Wählen Sie höchstens 92, die aufeinander folgen.',
    received: (batches, notCounted) =>
      `${batches} Pakete mit Zählungen kamen an; ${notCounted} Anfragen ließen sich nicht einzeln zählen.`,
    byClass: 'Nach Art der Besucher',
    byAgent: 'Nach Agenten',
    perDay: 'Anfragen von KI-Agenten pro Tag',
    chart: (days) => `Anfragen von KI-Agenten an ${days} Tagen; die Zahlen stehen in der Tabelle darunter`,
    day: 'Tag',
    asTable: 'Die Zahlen als Tabelle',
    className: 'Art',
    agent: 'Agent',
    requests: 'Anfragen',
    pages: 'Seiten',
    errors: 'Fehler',
    refused: 'Abgewiesen',
    robots: 'robots.txt gelesen',
    llms: 'llms.txt und Markdown',
    seen: 'Zuerst und zuletzt gesehen',
    lastSeen: 'Zuletzt gesehen',
    classes: {
      search: 'Suche für Antworten',
      user: 'Von einem Menschen geschickt',
      training: 'Training',
      'multi-purpose': 'Mehrere Zwecke',
      automation: 'Andere Programme',
      person: 'Menschen',
    },
    verifications: { verified: 'geprüft', claimed: 'nach eigener Angabe', pretended: 'vorgetäuscht' },
    topPages: 'Seiten, die Agenten am meisten lesen',
    path: 'Seite',
    beyond: (count) => `${count} Abrufe weiterer Seiten`,
    referrals: 'Menschen, die von einem Assistenten kamen',
    assistant: 'Assistent',
    visits: 'Besuche',
    unread: 'Seiten, die Menschen lesen, KI-Agenten aber nicht',
    unreadLead: (count) =>
      `${count} an diesen Tagen. Eine Antwort kann sich nicht auf etwas stützen, das ihr Agent nie gelesen hat.`,
    smallCells: 'Zahlen von Menschen unter 5 fehlen.',
    files: 'Dasselbe als',
    dropTitle: 'Host entfernen',
    dropText: 'Sein Token endet, und seine Zählungen werden gelöscht, beides sofort.',
    drop: 'Host entfernen',
  },
};
