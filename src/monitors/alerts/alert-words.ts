import type { OutcomeStatus } from '../../audit/core/check.ts';
import type { AlertChange, AlertDraft, AlertReading, MonitorAlertKind } from '../core/alert.ts';

/** Of a check that could not look: what its address answered. */
type Unseen = { title: string; id: string; from: string; answer: string };

/** The words of one change: its title, and both sides as short texts. */
type Said = { title: string; id: string; from: string; to: string; isWorse: boolean };
type TitleWords = Readonly<Record<MonitorAlertKind, (said: Said) => string>> & {
  unseen: (said: Unseen) => string;
  /** Follows the name of an engine whose answers are made up. */
  simulated: string;
  /** Of a title that has no detail to say. */
  bare: Readonly<Record<'site_unreadable' | 'run_failed' | 'paused', string>>;
  /** Other changes of the same run. */
  more: (count: number) => string;
  none: string;
  verdicts: Readonly<Record<OutcomeStatus, string>>;
};

/** What a check says, in each language of the pages. */
export const verdictWords = {
  en: {
    pass: 'passed',
    partial: 'partial',
    fail: 'failed',
    not_applicable: 'not applicable',
    unknown: 'unknown',
  },
  de: {
    pass: 'bestanden',
    partial: 'teilweise',
    fail: 'nicht bestanden',
    not_applicable: 'nicht anwendbar',
    unknown: 'unbekannt',
  },
} as const satisfies Readonly<Record<'en' | 'de', Readonly<Record<OutcomeStatus, string>>>>;

/** Titles of alerts by kind, in each language of the pages. */
const alertWords: Readonly<Record<'en' | 'de', TitleWords>> = {
  en: {
    verdict_changed: ({ title, id, from, to, isWorse }) =>
      `A check got ${isWorse ? 'worse' : 'better'}, ${from} before and ${to} now: ${title} (${id})`,
    score_moved: ({ title, from, to, isWorse }) => `${title} ${isWorse ? 'fell' : 'rose'} from ${from} to ${to}`,
    gate_fired: ({ title, id, to }) => `A check holds a score down now (${to}): ${title} (${id})`,
    gate_lifted: ({ title, id }) => `A check no longer holds a score down: ${title} (${id})`,
    site_unreadable: ({ to }) => `The site could not be read twice in a row: ${to}`,
    site_readable: () => 'The site can be read again',
    site_moved: ({ from, to }) => `The start page leads to another host now: ${to} instead of ${from}`,
    rubric_changed: ({ from, to }) => `The rules of the audit changed from rubric ${from} to ${to}; the site did not`,
    rate_changed: ({ title, from, to, isWorse }) =>
      `${title} names the brand ${isWorse ? 'less' : 'more'} often: ${to} now, ${from} before`,
    model_changed: ({ title, from, to }) => `Another model answers for ${title}: ${to} now, ${from} before`,
    run_failed: ({ to }) => `A run failed: ${to}`,
    credits_low: () => 'Credits are low: they do not cover all runs that come next',
    paused: ({ to }) => `The monitor is paused: ${to}`,
    resumed: () => 'The monitor runs again',
    unseen: ({ title, id, from, answer }) =>
      `A check could not be made twice in a row (${answer}), ${from} before: ${title} (${id})`,
    more: (count) => `, and ${count} more ${count === 1 ? 'change' : 'changes'}`,
    simulated: ' (simulated)',
    bare: {
      site_unreadable: 'The site could not be read twice in a row',
      run_failed: 'A run failed',
      paused: 'The monitor is paused',
    },
    none: 'nothing',
    verdicts: verdictWords.en,
  },
  de: {
    verdict_changed: ({ title, id, from, to, isWorse }) =>
      `Eine Prüfung wurde ${isWorse ? 'schlechter' : 'besser'}, vorher ${from}, jetzt ${to}: ${title} (${id})`,
    score_moved: ({ title, from, to, isWorse }) => `${title} ${isWorse ? 'fiel' : 'stieg'} von ${from} auf ${to}`,
    gate_fired: ({ title, id, to }) => `Eine Prüfung begrenzt jetzt eine Punktzahl (${to}): ${title} (${id})`,
    gate_lifted: ({ title, id }) => `Eine Prüfung begrenzt keine Punktzahl mehr: ${title} (${id})`,
    site_unreadable: ({ to }) => `Die Website war zweimal nacheinander nicht lesbar: ${to}`,
    site_readable: () => 'Die Website ist wieder lesbar',
    site_moved: ({ from, to }) => `Die Startseite führt jetzt zu einem anderen Host: ${to} statt ${from}`,
    rubric_changed: ({ from, to }) =>
      `Die Regeln der Prüfung haben sich geändert, von Regelwerk ${from} zu ${to}; die Website nicht`,
    rate_changed: ({ title, from, to, isWorse }) =>
      `${title} nennt die Marke ${isWorse ? 'seltener' : 'häufiger'}: jetzt ${to}, vorher ${from}`,
    model_changed: ({ title, from, to }) => `Für ${title} antwortet ein anderes Modell: jetzt ${to}, vorher ${from}`,
    run_failed: ({ to }) => `Ein Lauf ist gescheitert: ${to}`,
    credits_low: () => 'Das Guthaben wird knapp: Es reicht nicht für alle nächsten Läufe',
    paused: ({ to }) => `Die Überwachung ist angehalten: ${to}`,
    resumed: () => 'Die Überwachung läuft wieder',
    unseen: ({ title, id, from, answer }) =>
      `Eine Prüfung war zweimal nacheinander nicht möglich (${answer}), vorher ${from}: ${title} (${id})`,
    more: (count) => `, und ${count} weitere ${count === 1 ? 'Änderung' : 'Änderungen'}`,
    simulated: ' (simuliert)',
    bare: {
      site_unreadable: 'Die Website war zweimal nacheinander nicht lesbar',
      run_failed: 'Ein Lauf ist gescheitert',
      paused: 'Die Überwachung ist angehalten',
    },
    none: 'nichts',
    verdicts: verdictWords.de,
  },
};

/** How a caller says what is not in these words. */
type Saying = {
  /** The title of a change in that language, where the caller has a table of them. */
  titleOf?: (change: AlertChange) => string;
  /** One side of a change in that language; empty where it is not known in it. */
  textOf?: (reading: AlertReading) => string;
};

/** One sentence: what happened, by the first change. */
export function formatAlertTitle(
  { kind, changes, more = 0, competitor }: Pick<AlertDraft, 'kind' | 'changes' | 'more' | 'competitor'>,
  language: 'en' | 'de' = 'en',
  { titleOf = ({ title }) => title, textOf = ({ text }) => text }: Saying = {},
): string {
  const words = alertWords[language];
  const [first] = changes;
  const read = (side: AlertChange['before'] | undefined): string => {
    if (!side) return words.none;
    return kind === 'verdict_changed' && side.status !== undefined ? words.verdicts[side.status] : textOf(side);
  };
  const said = {
    title: first === undefined ? '' : `${titleOf(first)}${first.simulated === true ? words.simulated : ''}`,
    id: first?.id ?? '',
    from: read(first?.before),
    to: read(first?.after),
    isWorse: first?.isWorse ?? false,
  };
  // The first line of a rubric says it all.
  const others = COUNTED_KINDS.has(kind) ? Math.max(0, changes.length - 1) + more : 0;
  const host = competitor === undefined ? '' : `${URL.parse(competitor)?.host ?? competitor}: `;
  const isUnseen = kind === 'verdict_changed' && first?.after?.status === 'unknown';
  const answer = first?.after ? textOf(first.after) : words.none;
  const sentence = isUnseen ? words.unseen({ ...said, answer }) : formatOfKind(kind, said, words, first === undefined);
  return `${host}${sentence}${others === 0 ? '' : words.more(others)}`;
}

/** An alert of the monitor itself may list no change, and a detail may not be known in the language. */
function formatOfKind(kind: MonitorAlertKind, said: Said, words: TitleWords, isWithoutChange: boolean): string {
  const isBare = isWithoutChange || said.to === '';
  return isBare && isBareKind(kind) ? words.bare[kind] : words[kind](said);
}

const isBareKind = (kind: MonitorAlertKind): kind is keyof TitleWords['bare'] =>
  kind === 'site_unreadable' || kind === 'run_failed' || kind === 'paused';

/** Kinds whose titles count the other changes. */
const COUNTED_KINDS: ReadonlySet<MonitorAlertKind> = new Set([
  'verdict_changed',
  'score_moved',
  'gate_fired',
  'gate_lifted',
  'rate_changed',
  'model_changed',
]);
