import type { Pulse } from '../../../src/console-api/operations.ts';
import { formatPercent } from '../../../src/lib/numbers.ts';
import { DAY_MS, formatIsoDay, MINUTE_MS } from '../../../src/lib/time.ts';
import {
  computeEngineMicroUsd,
  formatChange,
  formatMicroUsdc,
  type Sums,
  sumRevenue,
} from '../../../src/web/console/money-numbers.ts';
import { describeSources } from '../../../src/web/console/money-sources.ts';
import type { Signal } from '../../../src/web/console/overview.tsx';
import type { ConsoleContext, ConsoleSignal } from './console-request.ts';

/** A block that is older has no follower: the node or the chain has stopped. */
const OLD_BLOCK_MS = 2 * MINUTE_MS;
/** A settlement is decided within this time, or something is wrong. */
const STUCK_MS = 10 * MINUTE_MS;
/** Prompts are answered within seconds; what waits longer is stuck. */
const OLD_PROMPT_MS = 5 * MINUTE_MS;
/** Shares beyond which something asks for a look. */
const MUCH_GIVEN_BACK = 0.05;
/** Fewer say nothing of a share. */
const LEAST_GIVEN_BACK = 5;
const NEARLY_SPENT = 0.8;
/** A week that brought so much less than the one before it asks for a look. */
const MUCH_LESS = 0.5;

const pulses = new WeakMap<ConsoleContext, Promise<Pulse>>();

/** What the api Worker says of itself, asked once for all signals of a page. */
function readPulse(c: ConsoleContext): Promise<Pulse> {
  const known = pulses.get(c);
  if (known !== undefined) return known;
  const asked = c.env.OPERATIONS.pulse();
  pulses.set(c, asked);
  return asked;
}

const define = (place: Omit<ConsoleSignal, 'read'>, judge: (pulse: Pulse, nowMs: number) => Signal): ConsoleSignal => ({
  ...place,
  read: async (c) => judge(await readPulse(c), c.now()),
});

/** What was asked for and not read is no answer. */
function requireRead<T extends { read: boolean }>(part: T): Extract<T, { read: true }> {
  if (!part.read) throw new Error('It could not be read');
  return part as Extract<T, { read: true }>; // Judged above.
}

/** Of the api Worker and what it needs. */
export const serviceSignals: readonly ConsoleSignal[] = [
  define({ question: 'up', title: 'API', href: '/console/versions' }, ({ version, isClosed }) =>
    isClosed
      ? {
          href: '/console/settings',
          mood: 'warn',
          text: 'Closed',
          figure: version,
          note: 'It answers, and sells nothing: SALES is closed.',
        }
      : { mood: 'good', text: 'Up', figure: version, note: 'The Worker that sells answers.' },
  ),
  define({ question: 'up', title: 'Chain', href: null }, ({ chain }, nowMs) => {
    const { block, atMs } = requireRead(chain);
    const isOld = nowMs - atMs > OLD_BLOCK_MS;
    const note = `Newest block that our node knows, ${formatAge(nowMs - atMs)} old.`;
    return { mood: isOld ? 'bad' : 'good', text: isOld ? 'Behind' : 'Up', figure: block, note };
  }),
  define({ question: 'up', title: 'Facilitator', href: null }, (pulse) => {
    const { distrustedAtMs } = requireRead(pulse.revenue.facilitator);
    if (distrustedAtMs !== null)
      return {
        href: '/console/money',
        mood: 'bad',
        text: 'Not trusted',
        figure: formatIsoDay(distrustedAtMs),
        note: 'Since that day, by UTC.',
      };
    const { status } = requireRead(pulse.facilitatorAnswers);
    const isDown = status >= 500;
    return {
      mood: isDown ? 'bad' : 'good',
      text: isDown ? 'Down' : 'Up',
      figure: String(status),
      note: 'What its address answers; its settlements are believed.',
    };
  }),
];

const listLinesOfDays = ({ revenue }: Pulse, nowMs: number, from: number, days: number) => {
  const names = new Set(Array.from({ length: days }, (_, at) => formatIsoDay(nowMs - (from + at) * DAY_MS)));
  return revenue.lines.filter(({ day }) => names.has(day));
};

const sumOfDays = (pulse: Pulse, nowMs: number, from: number, days: number): Sums =>
  sumRevenue(listLinesOfDays(pulse, nowMs, from, days));

/** Says of what part nothing is known. */
const withUnread = ({ revenue: { unread, shards } }: Pulse, note: string): string =>
  unread === 0 ? note : `${note} Could not read ${unread} of ${shards} shards.`;

const formatSales = ({ sales, failures }: Sums): string =>
  `${sales} ${sales === 1 ? 'sale' : 'sales'}${failures === 0 ? '' : `, ${failures} not settled`}`;

/** Of the money page. */
export const moneySignals: readonly ConsoleSignal[] = [
  define(
    { question: 'money', title: 'Yesterday', isHeadline: true, href: '/console/money?day=yesterday' },
    (pulse, nowMs) => {
      const [now, before] = [sumOfDays(pulse, nowMs, 1, 1), sumOfDays(pulse, nowMs, 2, 1)];
      const change = formatChange(now.netMicroUsdc, before.netMicroUsdc);
      const note = change === undefined ? formatSales(now) : `${formatSales(now)}; ${change} on the day before`;
      const payers = pulse.yesterdayPayers?.read === true ? pulse.yesterdayPayers.payers : undefined;
      const from = describeSources(listLinesOfDays(pulse, nowMs, 1, 1), payers);
      return { ...judgeIncome(now), figure: formatUsd(now), note: withUnread(pulse, `${note}.`), from };
    },
  ),
  define(
    { question: 'money', title: 'Today so far', isHeadline: true, href: '/console/money?day=today' },
    (pulse, nowMs) => {
      const now = sumOfDays(pulse, nowMs, 0, 1);
      return { ...judgeIncome(now), figure: formatUsd(now), note: withUnread(pulse, `${formatSales(now)}, by UTC.`) };
    },
  ),
  define({ question: 'money', title: '7 days', href: '/console/money?days=7' }, (pulse, nowMs) => {
    const [now, before] = [sumOfDays(pulse, nowMs, 0, 7), sumOfDays(pulse, nowMs, 7, 7)];
    const change = formatChange(now.netMicroUsdc, before.netMicroUsdc);
    const figure = change === undefined ? formatUsd(now) : `${formatUsd(now)}, ${change}`;
    const note = `With today, against ${formatUsd(before)} in the 7 days before.`;
    const isMuchLess = before.netMicroUsdc > 0 && now.netMicroUsdc < before.netMicroUsdc * MUCH_LESS;
    const word = isMuchLess ? ({ mood: 'warn', text: 'Much less' } as const) : judgeIncome(now);
    return { ...word, figure, note: withUnread(pulse, note) };
  }),
  define({ question: 'money', title: 'Engines, 7 days', href: '/console/money?days=7' }, (pulse, nowMs) => {
    const { runs, microUsdPerRun } = requireRead(pulse.revenue.engine);
    const since = formatIsoDay(nowMs - 6 * DAY_MS);
    const ended = runs.filter(({ day }) => day >= since);
    const cost = ended.reduce((sum, run) => sum + computeEngineMicroUsd(run, microUsdPerRun), 0);
    const { netMicroUsdc } = sumOfDays(pulse, nowMs, 0, 7);
    const isLoss = cost > netMicroUsdc;
    const share = netMicroUsdc <= 0 ? 'no revenue to set it against' : `${formatPercent(cost / netMicroUsdc)} of it`;
    const note =
      ended.length === 0
        ? 'No measurement ended, today included.'
        : `Estimated, with today, against the revenue: ${share}.`;
    const word = isLoss
      ? ({ mood: 'warn', text: 'More than revenue' } as const)
      : ({ mood: 'idle', text: 'Cost' } as const);
    return { ...word, figure: `${formatMicroUsdc(cost)} USD`, note };
  }),
];

const formatUsd = ({ netMicroUsdc }: Sums): string => `${formatMicroUsdc(netMicroUsdc)} USD`;

const judgeIncome = ({ sales }: Sums): Pick<Signal, 'mood' | 'text'> =>
  sales > 0 ? { mood: 'good', text: 'Earning' } : { mood: 'idle', text: 'No sale' };

/** Of the payments page. */
export const paymentSignals: readonly ConsoleSignal[] = [
  define(
    { question: 'customers', title: 'Payments without an end', href: '/console/payments?state=unknown' },
    (pulse, nowMs) => {
      const open = requireRead(pulse.open).payments.filter(({ state }) => state === 'unknown' || state === 'settling');
      const count = open.reduce((sum, each) => sum + each.count, 0);
      if (count === 0) return { mood: 'good', text: 'None', figure: '0', note: 'Every settlement has its outcome.' };
      const ageMs = nowMs - Math.min(...open.map(({ oldestAtMs }) => oldestAtMs));
      const isStuck = ageMs > STUCK_MS;
      const note = `The oldest waits for ${formatAge(ageMs)}. The chain decides them; no one pays twice.`;
      return { mood: isStuck ? 'bad' : 'idle', text: isStuck ? 'Stuck' : 'Being settled', figure: String(count), note };
    },
  ),
  define(
    { question: 'customers', title: 'Work given back', href: '/console/payments?state=released' },
    (pulse, nowMs) => {
      const { givenBack, sales } = sumOfDays(pulse, nowMs, 0, 2);
      const share = givenBack === 0 ? 0 : givenBack / (givenBack + sales);
      const isMuch = givenBack >= LEAST_GIVEN_BACK && share > MUCH_GIVEN_BACK;
      const note = `Since yesterday: paid work that failed and was not charged, ${formatPercent(share)} of all.`;
      const text = givenBack === 0 ? 'None' : isMuch ? 'Many' : 'Few';
      return { mood: isMuch ? 'warn' : 'good', text, figure: String(givenBack), note };
    },
  ),
];

/** Of the page of runs and their queues. */
export const runSignals: readonly ConsoleSignal[] = [
  define(
    { question: 'customers', title: 'Answer engine', href: '/console/settings' },
    ({ demonstrationEngine: engine }) =>
      engine === undefined
        ? { mood: 'good', text: 'In order', figure: 'An AI model', note: 'No invented or recorded answers are sold.' }
        : {
            mood: 'bad',
            text: 'No AI model',
            figure: engine,
            note: 'What buyers of measurements get measures no AI model.',
            alert: `measurements are sold with ${engine} answers, which measure no AI model. Set ANSWER_ENGINE to a real engine, or sell no measurements.`,
          },
  ),
  define({ question: 'up', title: 'Queues' }, ({ queues: { queues } }, nowMs) => {
    const known = queues.filter((queue) => queue.read);
    if (known.length === 0) throw new Error('No queue could be read');
    const waiting = known.reduce((sum, { messages }) => sum + messages, 0);
    const oldest = Math.min(...known.map(({ oldestAtMs }) => oldestAtMs ?? nowMs));
    const isOld = waiting > 0 && nowMs - oldest > OLD_PROMPT_MS;
    const part = known.length < queues.length ? ' Could not read every queue.' : '';
    const age = waiting > 0 && oldest < nowMs ? ` The oldest waits for ${formatAge(nowMs - oldest)}.` : '';
    const word = isOld ? ({ mood: 'bad', text: 'Stuck' } as const) : ({ mood: 'good', text: 'Moving' } as const);
    return { ...word, figure: String(waiting), note: `Prompts that wait.${age}${part}` };
  }),
  define({ question: 'customers', title: 'Undeliverable messages' }, ({ queues: { deadLetters } }, nowMs) => {
    const since = formatIsoDay(nowMs - DAY_MS);
    const count = requireRead(deadLetters)
      .days.filter(({ day }) => day >= since)
      .reduce((sum, each) => sum + each.count, 0);
    const word = count === 0 ? ({ mood: 'good', text: 'None' } as const) : ({ mood: 'bad', text: 'Lost' } as const);
    return {
      ...word,
      figure: String(count),
      note: 'Since yesterday: prompts that no one answered, and messages of monitors, which come again.',
    };
  }),
  define({ question: 'lapse', title: 'Engine budget' }, ({ engineBudget }) => {
    const { unpaidMicroUsd, limitMicroUsd } = requireRead(engineBudget);
    const share = limitMicroUsd <= 0 ? 0 : unpaidMicroUsd / limitMicroUsd;
    const isNear = share >= NEARLY_SPENT;
    return {
      mood: isNear ? 'warn' : 'good',
      text: isNear ? 'Nearly spent' : 'Enough',
      figure: formatPercent(share),
      note: `${formatMicroUsdc(unpaidMicroUsd)} of ${formatMicroUsdc(limitMicroUsd)} USD an hour on payments that are not settled.`,
    };
  }),
];

/** `12 s`, `5 min`, `3 h`, `2 d`: as much as one needs at a glance. */
function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
