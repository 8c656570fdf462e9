import type { AlertChange, AlertDraft, AlertKind } from '../core/alert.ts';

/** Of a check that could not look: what its address answered. */
type Unseen = { title: string; id: string; from: string; answer: string };

/** The words of one change: its title, and both sides as short texts. */
type Said = { title: string; id: string; from: string; to: string; isWorse: boolean };
type TitleWords = Readonly<Record<AlertKind, (said: Said) => string>> & {
  unseen: (said: Unseen) => string;
  /** Follows the name of an engine whose answers are made up. */
  simulated: string;
  /** Other changes of the same run. */
  more: (count: number) => string;
  none: string;
  verdicts: Readonly<Record<string, string>>;
};

/** Titles of alerts by kind, in each language of the pages. */
const alertWords: Readonly<Record<'en' | 'de', TitleWords>> = {
  en: {
    verdict_changed: ({ title, id, from, to, isWorse }) =>
      `A check got ${isWorse ? 'worse' : 'better'}, ${from} before and ${to} now: ${title} (${id})`,
    score_moved: ({ title, from, to, isWorse }) => `${title} ${isWorse ? 'fell' : 'rose'} from ${from} to ${to}`,
    gate_fired: ({ title, id, to }) => `A check holds a score down now (${to}): ${title} (${id})`,
    gate_lifted: ({ title, id }) => `A check holds no score down any more: ${title} (${id})`,
    site_unreadable: ({ to }) => `The site could not be read twice in a row: ${to}`,
    site_readable: () => 'The site can be read again',
    site_moved: ({ from, to }) => `The start page leads to another host now: ${to} instead of ${from}`,
    rubric_changed: ({ from, to }) => `The rules of the audit changed from rubric ${from} to ${to}; the site did not`,
    rate_changed: ({ title, from, to, isWorse }) =>
      `${title} names the brand ${isWorse ? 'less' : 'more'} often: ${to} now, ${from} before`,
    model_changed: ({ title, from, to }) => `Another model answers for ${title}: ${to} now, ${from} before`,
    run_failed: ({ to }) => `A run failed: ${to}`,
    credits_low: () => 'The credits do not pay another run',
    paused: ({ to }) => `The monitor is paused: ${to}`,
    resumed: () => 'The monitor runs again',
    unseen: ({ title, id, from, answer }) =>
      `A check could not look twice in a row (${answer}), ${from} before: ${title} (${id})`,
    more: (count) => `, and ${count} more ${count === 1 ? 'change' : 'changes'}`,
    simulated: ' (simulated)',
    none: 'nothing',
    verdicts: {
      pass: 'passed',
      partial: 'partial',
      fail: 'failed',
      not_applicable: 'not applicable',
      unknown: 'unknown',
    },
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
      `Die Regeln der Prüfung haben sich geändert, von Rubrik ${from} zu ${to}; die Website nicht`,
    rate_changed: ({ title, from, to, isWorse }) =>
      `${title} nennt die Marke ${isWorse ? 'seltener' : 'häufiger'}: jetzt ${to}, vorher ${from}`,
    model_changed: ({ title, from, to }) => `Für ${title} antwortet ein anderes Modell: jetzt ${to}, vorher ${from}`,
    run_failed: ({ to }) => `Ein Lauf ist gescheitert: ${to}`,
    credits_low: () => 'Das Guthaben reicht nicht für einen weiteren Lauf',
    paused: ({ to }) => `Die Überwachung pausiert: ${to}`,
    resumed: () => 'Die Überwachung läuft wieder',
    unseen: ({ title, id, from, answer }) =>
      `Eine Prüfung konnte zweimal nacheinander nicht hinsehen (${answer}), vorher ${from}: ${title} (${id})`,
    more: (count) => `, und ${count} weitere ${count === 1 ? 'Änderung' : 'Änderungen'}`,
    simulated: ' (simuliert)',
    none: 'nichts',
    verdicts: {
      pass: 'bestanden',
      partial: 'teilweise',
      fail: 'nicht bestanden',
      not_applicable: 'nicht anwendbar',
      unknown: 'unbekannt',
    },
  },
};

/**
 * One sentence: what happened, by the first change.
 * @param titleOf the title of a check in that language, where the caller has a table of them
 */
export function formatAlertTitle(
  { kind, changes, more = 0, competitor }: Pick<AlertDraft, 'kind' | 'changes' | 'more' | 'competitor'>,
  language: 'en' | 'de' = 'en',
  titleOf: (change: AlertChange) => string = ({ title }) => title,
): string {
  const words = alertWords[language];
  const [first] = changes;
  const read = (side: AlertChange['before'] | undefined): string => {
    if (!side) return words.none;
    return kind === 'verdict_changed' && side.status !== undefined
      ? (words.verdicts[side.status] ?? side.text)
      : side.text;
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
  const sentence = isUnseen ? words.unseen({ ...said, answer: first.after?.text ?? words.none }) : words[kind](said);
  return `${host}${sentence}${others === 0 ? '' : words.more(others)}`;
}

/** Kinds whose titles count the other changes. */
const COUNTED_KINDS: ReadonlySet<AlertKind> = new Set([
  'verdict_changed',
  'score_moved',
  'gate_fired',
  'gate_lifted',
  'rate_changed',
  'model_changed',
]);
