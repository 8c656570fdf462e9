import { scoreNames } from '../../audit/core/check.ts';
import { formatPercent } from '../../lib/numbers.ts';
import { finishSentence } from '../../lib/text.ts';
import { formatAlertTitle } from '../../monitors/alerts/alert-words.ts';
import type { AlertChange, AlertReading, MonitorAlert } from '../../monitors/core/alert.ts';
import type { PauseReason } from '../../monitors/core/monitor.ts';
import { getCheckTitle } from '../language/check-titles.ts';
import type { PageLanguage } from '../language/language.ts';
import { getProblemWords } from '../language/problem-words.ts';
import { formatInterval } from '../report/parts/words.ts';
import { formatLineName } from './chart.tsx';
import { monitorWords } from './monitor-words.ts';
import { readingWords } from './reading-words.ts';

const STATUS = 'status ';
const HOLDS = ', holds ';

/** What happened, in the language of the page, as whole sentences. */
export function formatAlertSentence(alert: MonitorAlert, language: PageLanguage): string {
  const { kind, changes } = alert;
  if (kind === 'run_failed' && changes.length === 0) return readingWords[language].givenUp;
  const sentence = formatAlertTitle(alert, language, {
    titleOf: (change) => formatChangeTitle(change, language),
    textOf: (reading) => formatDetail(kind, reading, language),
  });
  const why = describeReason(alert, language);
  return [sentence, ...(why === undefined ? [] : [why])].map(finishSentence).join(' ');
}

/** The sentence says what a gate or a score is: its detail is where the score is held, or its points. */
function formatDetail(kind: MonitorAlert['kind'], reading: AlertReading, language: PageLanguage): string {
  const caps = kind === 'gate_fired' ? listCaps(reading, language) : '';
  if (caps !== '') return caps;
  if (kind === 'score_moved' && reading.value !== undefined) return String(reading.value);
  return translateReading(reading, language) ?? '';
}

/** Why a monitor is paused or a run failed, where the sentence does not say it: by its key, or by the code of a problem. */
function describeReason({ kind, key, changes }: MonitorAlert, language: PageLanguage): string | undefined {
  if (kind === 'run_failed' && language !== 'en') return getProblemWords(changes[0]?.id ?? '', language)?.title;
  if (kind !== 'paused' || (language === 'en' && changes.length > 0)) return undefined;
  const [, reason = ''] = key.replaceAll(':', ' ').split(' ', 2);
  const words: Readonly<Partial<Record<string, string>>> = monitorWords[language].paused satisfies Record<
    PauseReason,
    string
  >;
  return words[reason];
}

/** The title of a change: of a check, a score, or what else an alert names. */
export function formatChangeTitle({ id, title }: Pick<AlertChange, 'id' | 'title'>, language: PageLanguage): string {
  if (scoreNames.some((name) => name === id)) return formatLineName(id, language);
  return readingWords[language].titles[title] ?? getCheckTitle(id, language, title);
}

/** One side of a change in the language of the page; undefined where there are only English words for it. */
export function translateReading(reading: AlertReading, language: PageLanguage): string | undefined {
  const words = readingWords[language];
  const { text, status, value, rate } = reading;
  if (rate !== undefined) return `${formatPercent(rate.value)} (${formatInterval(rate, language)})`;
  if (status !== undefined) {
    const more = describeBesideVerdict(reading, language);
    return status === 'unknown' && more !== '' ? more : [words.verdicts[status], more].filter(Boolean).join(', ');
  }
  if (value !== undefined) return words.points(value);
  if (text.startsWith(STATUS)) return words.status(text.slice(STATUS.length));
  return words.texts[text] ?? (language === 'en' || !text.includes(' ') ? text : undefined);
}

/** What a reading of a check says beside its verdict: its share, what it holds down, or what its address answered. */
export function describeBesideVerdict(reading: AlertReading, language: PageLanguage): string {
  const words = readingWords[language];
  const { text, status, value } = reading;
  if (status === 'unknown') {
    const answer = Number.isInteger(Number(text)) ? words.status(text) : (words.texts[text] ?? text);
    return text === status ? '' : answer;
  }
  const caps = listCaps(reading, language);
  return [
    ...(status === 'partial' && value !== undefined ? [formatPercent(value)] : []),
    ...(caps === '' ? [] : [words.holds(caps)]),
  ].join(', ');
}

/** Scores that a gate holds, and where; empty for none. */
function listCaps({ text }: AlertReading, language: PageLanguage): string {
  const [, held] = text.split(HOLDS, 2);
  if (held === undefined) return '';
  return held
    .split(', ')
    .map((cap) => formatCap(cap, language))
    .join(', ');
}

/** `aeo at 40`, as alerts have it. */
function formatCap(text: string, language: PageLanguage): string {
  const [name = '', points = ''] = text.split(' at ', 2);
  return readingWords[language].cap(formatLineName(name, language), points);
}
