import type { MonitorInterval } from '../../monitors/core/monitor.ts';
import type { PageLanguage } from '../language/language.ts';
import { monitorWords } from './monitor-words.ts';

/** `Every week on Monday at 07:00 (Europe/Berlin)`. Cron fields are our caller's own text. */
export function describeInterval(interval: MonitorInterval, language: PageLanguage): string {
  const words = monitorWords[language];
  const zone = words.zone(interval.time_zone ?? 'UTC');
  if ('cron' in interval) return `${words.cron(interval.cron)} ${zone}`;
  const time = interval.at === undefined ? words.minuteOfOurs : words.at(interval.at);
  return [words.every[interval.every], describeDay(interval, language), time, zone]
    .filter((part) => part !== undefined)
    .join(' ');
}

function describeDay(interval: Exclude<MonitorInterval, { cron: string }>, language: PageLanguage): string | undefined {
  const words = monitorWords[language];
  if (interval.every === 'weekly') return words.on(words.weekdays[interval.weekday ?? 1] ?? '');
  return interval.every === 'monthly' ? words.dayOfMonth(interval.day ?? 1) : undefined;
}
