import type { PromisedGains } from '../../../fixes/core/promised-gains.ts';
import type { Effort, FixAction, PackedFix } from '../../../fixes/files/fix.ts';
import { formatFixCondition, formatPromise } from '../../../fixes/files/fix-words.ts';
import type { CheckStatus } from '../../design/parts.tsx';
import type { Translated } from '../../language/language.ts';
import { ACTIONS, EFFORTS, formatGains } from '../parts/words.ts';

type Conditional = { state?: PackedFix['state'] | undefined; facts_needed: readonly string[] };

type FixesWords = {
  title: string;
  none: string;
  /** `35 fixes, the most valuable first: 20 take minutes.` */
  overview: (count: number, efforts: readonly (readonly [effort: Effort, count: number])[]) => string;
  /** What the fixes bring together, by what they wait for. */
  promise: (promised: PromisedGains) => string;
  /** What the points of a fix wait for; '' for one that can be deployed as it is. */
  condition: (fix: Conditional) => string;
  efforts: Readonly<Record<Effort, string>>;
  actions: Readonly<Record<FixAction, string>>;
  before: string;
  after: string;
  asText: string;
  patch: string;
  copyContent: string;
  copyPatch: string;
  noContent: string;
  forServer: (server: string) => string;
  copyFor: (server: string) => string;
  verify: string;
  copyCommand: string;
  about: (weight: number, scores: string) => readonly [before: string, behind: string];
  noPoints: string;
  factsFirst: string;
  facts: string;
  server: string;
  serverLead: string;
  copyConfiguration: string;
  checks: string;
  checksLead: string;
  counts: Readonly<Record<CheckStatus, (count: number) => string>>;
};

const en: FixesWords = {
  title: 'Fixes',
  none: 'Nothing to fix: no check failed.',
  overview: (count, efforts) =>
    `${count} ${count === 1 ? 'fix' : 'fixes'}, the most valuable first: ${efforts
      .map(([effort, some]) => `${some} ${some === 1 ? 'takes' : 'take'} ${effort}`)
      .join(', ')}.`,
  promise: formatPromise,
  condition: formatFixCondition,
  efforts: EFFORTS,
  actions: ACTIONS,
  before: 'Before: what was seen',
  after: 'After',
  asText: 'The content',
  patch: 'As a patch',
  copyContent: 'Copy the content',
  copyPatch: 'Copy the patch',
  noContent: 'This change has no file of its own: do what is written above.',
  forServer: (server) => `For ${server}`,
  copyFor: (server) => `Copy for ${server}`,
  verify: 'See that it works',
  copyCommand: 'Copy the command',
  about: (weight, scores) => ['Check', `weight ${weight}, counts in ${scores}.`],
  noPoints: 'No points by itself',
  factsFirst: 'Fill in first.',
  facts: 'Only you know these facts. Each is marked as',
  server: 'Server configuration',
  serverLead:
    'All settings of the fixes above as one configuration: for nginx or for Apache, where the first lines of each say.',
  copyConfiguration: 'Copy the configuration',
  checks: 'What these fixes are based on',
  checksLead: 'Checks that ask for something lead to their fix. A full audit has every check with its evidence.',
  counts: {
    fail: (count) => `${count} failed`,
    partial: (count) => `${count} partly passed`,
    unknown: (count) => `${count} could not be checked`,
    pass: (count) => `${count} passed`,
    not_applicable: (count) => `${count} ${count === 1 ? 'does' : 'do'} not apply`,
  },
};

const GERMAN_EFFORTS: Readonly<Record<Effort, string>> = { minutes: 'Minuten', hours: 'Stunden', days: 'Tage' };

function promiseInGerman({ ready, draft, work }: PromisedGains): string {
  const [first, filled, done] = [formatGains(ready), formatGains(draft), formatGains(work)];
  return [
    first === ''
      ? 'Was Sie sofort einsetzen können, ändert keine Bewertung.'
      : `Was Sie sofort einsetzen können: ${first}.`,
    ...(filled === '' ? [] : [`Mit Ihren Angaben: noch einmal ${filled}.`]),
    ...(done === '' ? [] : [`Mit der Arbeit, die keine Datei erledigt: noch einmal ${done}.`]),
  ].join(' ');
}

const de: FixesWords = {
  title: 'Korrekturen',
  none: 'Es gibt nichts zu beheben: Keine Prüfung ist durchgefallen.',
  overview: (count, efforts) =>
    `${count} ${count === 1 ? 'Korrektur' : 'Korrekturen'}, die wertvollste zuerst: ${efforts
      .map(([effort, some]) => `${some} ${some === 1 ? 'dauert' : 'dauern'} ${GERMAN_EFFORTS[effort]}`)
      .join(', ')}.`,
  promise: promiseInGerman,
  condition: ({ state, facts_needed: { length } }) => {
    if (state === 'draft') return length === 1 ? 'mit Ihrer Angabe' : `mit Ihren ${length} Angaben`;
    return state === 'work' ? 'nach der Umsetzung' : '';
  },
  efforts: GERMAN_EFFORTS,
  actions: { create: 'Anlegen:', replace: 'Ersetzen:', insert: 'Einfügen in', configure: 'Einstellen:' },
  before: 'Vorher: was gesehen wurde',
  after: 'Nachher',
  asText: 'Der Inhalt',
  patch: 'Als Patch',
  copyContent: 'Inhalt kopieren',
  copyPatch: 'Patch kopieren',
  noContent: 'Zu dieser Änderung gehört keine eigene Datei: Gehen Sie vor, wie es oben steht.',
  forServer: (server) => `Für ${server}`,
  copyFor: (server) => `Für ${server} kopieren`,
  verify: 'So prüfen Sie die Wirkung',
  copyCommand: 'Befehl kopieren',
  about: (weight, scores) => ['Prüfung', `Gewicht ${weight}, zählt in ${scores}.`],
  noPoints: 'Allein keine Punkte',
  factsFirst: 'Zuerst ausfüllen.',
  facts: 'Diese Angaben kennen nur Sie. Jede ist markiert als',
  server: 'Serverkonfiguration',
  serverLead:
    'Alle Einstellungen der Korrekturen oben in einer Konfiguration: für nginx oder für Apache. Wohin sie gehört, sagen ihre ersten Zeilen.',
  copyConfiguration: 'Konfiguration kopieren',
  checks: 'Worauf diese Korrekturen beruhen',
  checksLead:
    'Prüfungen, die etwas verlangen, führen zu ihrer Korrektur. Eine vollständige Prüfung zeigt jede einzelne mit ihren Belegen.',
  counts: {
    fail: (count) => `${count} nicht bestanden`,
    partial: (count) => `${count} teilweise bestanden`,
    unknown: (count) => `${count} nicht prüfbar`,
    pass: (count) => `${count} bestanden`,
    not_applicable: (count) => `${count} nicht zutreffend`,
  },
};

export const fixesWords: Translated<FixesWords> = { en, de };
