import type { CheckEvidence } from '../../audit/core/evidence.ts';
import { formatPlainLine } from '../../lib/safe-text.ts';
import { formatIsoTimestamp } from '../../lib/time.ts';
import type { AlertChange, AlertReading, MonitorAlertSeverity, MonitorAlert } from '../core/alert.ts';

/** Changes that a message for people shows of one alert, and alerts that a digest lists; it says how many more there are. */
export const MAX_SHOWN_CHANGES = 6;
export const MAX_LISTED_ALERTS = 25;
/** Pieces of evidence on each side of a change, and characters of one. */
const MAX_SHOWN_EVIDENCE = 2;
const MAX_EVIDENCE_CHARS = 240;
const MAX_TITLE_CHARS = 140;
const MAX_PLACE_CHARS = 160;

export const SEVERITY_MARKS: Readonly<Record<MonitorAlertSeverity, string>> = {
  critical: '🔴',
  warning: '🟠',
  info: '🔵',
};

/** A piece of evidence as plain lines: where it was seen, in our words, and the site's own text. Each target escapes both. */
type EvidenceText = { side: 'before' | 'after'; place: string; text: string };
/** A change as plain lines. `evidence` and `title` are foreign text. */
export type ChangeText = { title: string; from: string; to: string; evidence: readonly EvidenceText[] };

/** A title of an alert, a monitor or a check on one line. */
export const formatTitle = (text: string): string => formatPlainLine(text, MAX_TITLE_CHARS);

/** The changes of an alert that a message for people shows, and how many it leaves out. */
export const listChangeTexts = ({
  changes,
  more = 0,
}: MonitorAlert): { shown: readonly ChangeText[]; more: number } => ({
  shown: changes.slice(0, MAX_SHOWN_CHANGES).map(describeChange),
  more: Math.max(0, changes.length - MAX_SHOWN_CHANGES) + more,
});

const describeChange = ({ id, title, before, after }: AlertChange): ChangeText => ({
  title: formatTitle(title === '' ? id : title),
  from: before === null ? '–' : formatTitle(before.text),
  to: after === null ? '–' : formatTitle(after.text),
  evidence: [...listEvidence(before, 'before'), ...listEvidence(after, 'after')],
});

const listEvidence = (reading: AlertReading | null, side: EvidenceText['side']): readonly EvidenceText[] =>
  (reading?.evidence ?? []).slice(0, MAX_SHOWN_EVIDENCE).map((one) => ({
    side,
    place: formatPlace(one),
    text: formatPlainLine(one.excerpt ?? one.header ?? one.selector ?? '', MAX_EVIDENCE_CHARS),
  }));

function formatPlace({ url, line, status }: CheckEvidence): string {
  const place = formatPlainLine(url, MAX_PLACE_CHARS);
  if (line !== undefined) return `${place}:${line}`;
  return status === undefined ? place : `${place} (${status})`;
}

/** What a chat shows to see whether it gets anything. */
export const describeTestMessage = (monitorName: string): string =>
  `${monitorName}: this is a test. Alerts of this monitor come here.`;

/** Minutes are enough for people: `2026-11-25 10:00 UTC`. */
export const formatMinute = (ms: number): string => `${formatIsoTimestamp(ms).slice(0, 16).replace('T', ' ')} UTC`;

/** `warning, 2026-11-25 10:00 UTC; compared with 2026-11-24 10:00 UTC`. */
export const describeTimes = ({ severity, atMs, since }: MonitorAlert): string =>
  `${severity}, ${formatMinute(atMs)}${since === null ? '' : `; compared with ${formatMinute(since.atMs)}`}`;

/** A text in which no program that shows it finds an address to link (rule X7). */
export const withoutLinks = (text: string): string => text.replaceAll('://', ': //').replaceAll(/\bwww\./gi, 'www .');
