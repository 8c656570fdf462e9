import type { ScoreName } from '../../audit/core/check.ts';
import type { ProfileName } from '../../audit/core/site.ts';
import type { Translated } from '../language/language.ts';

/** Words of the history of a site. */
export type HistoryWords = {
  scoreHeads: Readonly<Record<ScoreName, string>>;
  title: (host: string) => string;
  description: (host: string) => string;
  json: string;
  /** Around the address of the site. */
  lead: readonly [before: string, after: string];
  newest: string;
  /** After the time of a report. */
  judgedAs: (profile: string) => string;
  /** Kinds of sites, within that sentence. */
  profiles: Readonly<Record<ProfileName, string>>;
  scores: string;
  table: string;
  caption: (host: string) => string;
  report: string;
  rubric: string;
  notApplying: string;
  expiry: string;
  rubricsDiffer: string;
  changes: string;
  onlyOne: { title: string; why: string; action: string };
  from: string;
  to: string;
  compare: string;
  /** Before the first time, between both, and a mark before the points. */
  span: readonly [from: string, to: string];
  badge: string;
  badgeAlt: (host: string) => string;
  /** Around the names of scores. */
  badgeUse: readonly [before: string, or: string, after: string];
  copy: (what: string) => string;
};

export const historyWords: Translated<HistoryWords> = {
  en: {
    scoreHeads: { aeo: 'AI search (AEO)', geo: 'Citation (GEO)', agent: 'Agent', mcp: 'MCP' },
    title: (host) => `History of ${host}`,
    description: (host) =>
      `AI search, citation, agent and MCP readiness scores of ${host} over time, and what changed.`,
    json: 'The same as JSON',
    lead: ['Published reports of ', ', newest first. Each was published by its buyer.'],
    newest: 'Newest report',
    judgedAs: (profile) => `, judged as a site of the kind ${profile}.`,
    profiles: {
      content: 'content',
      docs: 'docs',
      product: 'product',
      commerce: 'commerce',
      api: 'api',
      mcp: 'mcp',
    },
    scores: 'Scores over time',
    table: 'Table of scores',
    caption: (host) => `Published scores of ${host}, 0 to 100`,
    report: 'Report',
    rubric: 'Rubric',
    notApplying: 'does not apply',
    expiry: 'Reports can be read for 30 days; their scores stay.',
    rubricsDiffer: 'Scores by different rubrics do not compare; lines of the chart end where the rubric changed.',
    changes: 'What changed',
    onlyOne: {
      title: 'One report is published so far',
      why: 'What changed is shown between two published reports. Audit the site again after a change, and publish that report too.',
      action: 'Audit this site again',
    },
    from: 'From',
    to: 'To',
    compare: 'Compare',
    span: ['From ', ' to '],
    badge: 'Badge',
    badgeAlt: (host) => `AI visibility of ${host}`,
    badgeUse: [
      'It shows the newest published report, without scores that do not apply. Add ',
      ' or ',
      ' for one score.',
    ],
    copy: (what) => `Copy ${what}`,
  },
  de: {
    scoreHeads: { aeo: 'KI-Suche (AEO)', geo: 'Zitierfähigkeit (GEO)', agent: 'Agenten', mcp: 'MCP' },
    title: (host) => `Verlauf von ${host}`,
    description: (host) =>
      `Bewertungen von ${host} für KI-Suche, Zitierfähigkeit, Agenten und MCP im Lauf der Zeit, und was sich geändert hat.`,
    json: 'Dasselbe als JSON',
    lead: ['Veröffentlichte Berichte über ', ', die neuesten zuerst. Jeden hat sein Käufer veröffentlicht.'],
    newest: 'Neuester Bericht',
    judgedAs: (profile) => `, geprüft als Website der Art ${profile}.`,
    profiles: {
      content: 'Inhalte',
      docs: 'Dokumentation',
      product: 'Produkt',
      commerce: 'Shop',
      api: 'API',
      mcp: 'MCP',
    },
    scores: 'Bewertungen im Lauf der Zeit',
    table: 'Tabelle der Bewertungen',
    caption: (host) => `Veröffentlichte Bewertungen von ${host}, 0 bis 100`,
    report: 'Bericht',
    rubric: 'Regelwerk',
    notApplying: 'trifft nicht zu',
    expiry: 'Berichte sind 30 Tage lang lesbar, ihre Bewertungen bleiben.',
    rubricsDiffer:
      'Bewertungen nach verschiedenen Regelwerken sind nicht vergleichbar. Linien des Diagramms enden, wo das Regelwerk gewechselt hat.',
    changes: 'Was sich geändert hat',
    onlyOne: {
      title: 'Bisher ist ein Bericht veröffentlicht',
      why: 'Was sich geändert hat, zeigt sich zwischen zwei veröffentlichten Berichten. Prüfen Sie die Website nach einer Änderung noch einmal, und veröffentlichen Sie auch diesen Bericht.',
      action: 'Diese Website noch einmal prüfen',
    },
    from: 'Von',
    to: 'Bis',
    compare: 'Vergleichen',
    span: ['Von ', ' bis '],
    badge: 'Badge',
    badgeAlt: (host) => `KI-Sichtbarkeit von ${host}`,
    badgeUse: [
      'Es zeigt den neuesten veröffentlichten Bericht, ohne Bewertungen, die nicht zutreffen. Mit ',
      ' oder ',
      ' zeigt es eine Bewertung.',
    ],
    copy: (what) => `${what} kopieren`,
  },
};
