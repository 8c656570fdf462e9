import type { Translated } from '../language/language.ts';

export type AccessWords = {
  title: string;
  more: string;
  lead: string;
  nameless: string;
  identity: string;
  may: string;
  since: string;
  cap: (amount: string) => string;
  spent: (amount: string) => string;
  lastUse: string;
  lastUseUnknown: string;
  answersTo: string;
  revoke: string;
  revokeOf: (name: string) => string;
  revokeAll: string;
  revokeAllText: string;
  emptyTitle: string;
  emptyText: string;
  emptyAction: string;
  count: (count: number) => string;
  limited: (count: number) => string;
};

export const accessWords: Translated<AccessWords> = {
  en: {
    title: 'Apps with access',
    more: 'See and take back access',
    lead: 'Apps and agents that you allowed to act for you. An app that has no access any more can do nothing from that moment, and what it holds of your credits is free again.',
    nameless: 'An app without a name',
    identity: 'Its own name for itself. Identifier:',
    may: 'It may',
    since: 'Allowed on',
    cap: (amount) => `At most ${amount} of credits in 24 hours`,
    spent: (amount) => `${amount} spent or held in the last 24 hours`,
    lastUse: 'Last call paid with credits',
    lastUseUnknown: 'none that is listed',
    answersTo: 'Its answers go to',
    revoke: 'Take access back',
    revokeOf: (name) => `Take access back: ${name}`,
    revokeAll: 'Take back all access',
    revokeAllText: 'Ends the access of every app at once. You can allow an app again when it asks the next time.',
    emptyTitle: 'No app has access',
    emptyText: 'An app is listed here once you have allowed it to act for you.',
    emptyAction: 'Connect an app over MCP',
    count: (count) => (count === 1 ? '1 app has access' : `${count} apps have access`),
    limited: (count) => `The first ${count} are listed. Take back all access to end the others as well.`,
  },
  de: {
    title: 'Apps mit Zugriff',
    more: 'Zugriffe ansehen und entziehen',
    lead: 'Apps und Agenten, denen Sie erlaubt haben, für Sie zu handeln. Eine App ohne Zugriff kann von diesem Moment an nichts mehr tun, und was sie von Ihrem Guthaben reserviert hat, ist wieder frei.',
    nameless: 'Eine App ohne Namen',
    identity: 'So nennt sie sich selbst. Kennung:',
    may: 'Sie darf',
    since: 'Erlaubt am',
    cap: (amount) => `Höchstens ${amount} Guthaben in 24 Stunden`,
    spent: (amount) => `${amount} in den letzten 24 Stunden ausgegeben oder reserviert`,
    lastUse: 'Letzter Aufruf mit Guthaben',
    lastUseUnknown: 'keiner in der Liste',
    answersTo: 'Ihre Antworten gehen an',
    revoke: 'Zugriff entziehen',
    revokeOf: (name) => `Zugriff entziehen: ${name}`,
    revokeAll: 'Alle Zugriffe entziehen',
    revokeAllText:
      'Beendet sofort den Zugriff jeder App. Sie können eine App wieder zulassen, wenn sie das nächste Mal fragt.',
    emptyTitle: 'Keine App hat Zugriff',
    emptyText: 'Eine App steht hier, sobald Sie ihr erlaubt haben, für Sie zu handeln.',
    emptyAction: 'Eine App über MCP verbinden (Englisch)',
    count: (count) => (count === 1 ? '1 App hat Zugriff' : `${count} Apps haben Zugriff`),
    limited: (count) =>
      `Die ersten ${count} sind aufgeführt. Entziehen Sie alle Zugriffe, um auch die übrigen zu beenden.`,
  },
};
