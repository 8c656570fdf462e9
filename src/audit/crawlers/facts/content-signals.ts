import type { Exchange } from '../../core/snapshot.ts';
import { findGroupAt, type RobotsFile, type RobotsGroup } from './robots.ts';

/** The uses that Content-Signal speaks of (contentsignals.org). */
export const SIGNAL_KEYS = ['search', 'ai-input', 'ai-train'] as const;
export type SignalKey = (typeof SIGNAL_KEYS)[number];

/** Signals of one file or header, and settings of one signal, that are read. */
const MAX_SIGNALS = 100;
const MAX_SETTINGS = 20;

export type SignalSettings = { settings: readonly { key: SignalKey; yes: boolean }[]; faults: readonly string[] };

/** One Content-Signal as published. `group` is the robots.txt group that contains it; a header has none. */
export type ContentSignal = SignalSettings & {
  from: 'robots' | 'header';
  exchange: Exchange;
  text: string;
  line?: number;
  group: RobotsGroup | undefined;
};

/** Reads `search=yes, ai-train=no`. Never throws; `faults` say in our words what no reader can use. */
export function parseContentSignal(value: string): SignalSettings {
  const settings: { key: SignalKey; yes: boolean }[] = [];
  const faults = new Set<string>();
  const parts = value.slice(0, 2_000).split(',').slice(0, MAX_SETTINGS);
  for (const part of parts.map((text) => text.trim())) {
    const found = /^([A-Za-z-]{1,40})\s{0,9}=\s{0,9}([A-Za-z]{1,20})$/u.exec(part);
    const key = SIGNAL_KEYS.find((known) => known === found?.[1]?.toLowerCase());
    const word = found?.[2]?.toLowerCase();
    if (part === '') faults.add('an empty part');
    else if (!found) faults.add('a part that is no key=value');
    else if (key === undefined) faults.add('a key other than search, ai-input and ai-train');
    else if (word !== 'yes' && word !== 'no') faults.add('a value other than yes and no');
    else settings.push({ key, yes: word === 'yes' });
  }
  const twofold = SIGNAL_KEYS.some(
    (key) => new Set(settings.filter((one) => one.key === key).map(({ yes }) => yes)).size > 1,
  );
  return { settings, faults: [...faults, ...(twofold ? ['both answers for one key'] : [])] };
}

/** The Content-Signal records of a robots.txt. One outside every group applies to no crawler. */
export function listRobotsSignals(file: RobotsFile, exchange: Exchange): readonly ContentSignal[] {
  return file.others
    .filter(({ key }) => key === 'content-signal')
    .slice(0, MAX_SIGNALS)
    .map(({ value, line }) => {
      const group = findGroupAt(file, line);
      const read = parseContentSignal(value);
      const faults = group ? read.faults : [...read.faults, 'it stands in no group'];
      return { ...read, faults, from: 'robots', exchange, text: value, line, group };
    });
}

/** The Content-Signal header of an answer, as a list of none or one. */
export function listHeaderSignals(exchange: Exchange): readonly ContentSignal[] {
  const value = exchange.answer.ok ? exchange.answer.headers['content-signal'] : undefined;
  if (value === undefined) return [];
  return [{ ...parseContentSignal(value), from: 'header', exchange, text: value, group: undefined }];
}
