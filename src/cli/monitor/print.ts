import * as z from 'zod';
import { describeInterval } from '../../web/monitors/describe-interval.ts';
import { monitorWords } from '../../web/monitors/monitor-words.ts';
import { formatSafeLine } from '../core/terminal.ts';

/** Runs and alerts that `show` prints. */
export const SHOWN_ITEMS = 10;
const MAX_NAME = 60;

const receiver = z.object({
  id: z.string(),
  kind: z.string(),
  url: z.string().optional(),
  address: z.string().optional(),
  confirmed: z.boolean().optional(),
  feed_url: z.string().optional(),
  secret: z.string().optional(),
});
const run = z.object({
  id: z.string(),
  due_at: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  alerts: z.number(),
  price_usd: z.string(),
  summary: z.object({ unread: z.string().optional() }).nullish(),
  parts: z.array(z.object({ report_url: z.string() })),
});
const clock = { at: z.string().optional(), time_zone: z.string().optional() };
const interval = z.union([
  z.object({ cron: z.string(), time_zone: z.string().optional() }),
  z.object({ every: z.literal('daily'), ...clock }),
  z.object({ every: z.literal('weekly'), weekday: z.literal([0, 1, 2, 3, 4, 5, 6]).optional(), ...clock }),
  z.object({ every: z.literal('monthly'), day: z.number().optional(), ...clock }),
]);
const subject = z.union([
  z.object({ url: z.string(), competitors: z.array(z.string()).default([]) }),
  z.object({ body: z.object({ brand: z.string(), niche: z.string() }) }),
]);
const monitor = z.object({
  id: z.string(),
  name: z.string(),
  subject,
  interval,
  state: z.string(),
  paused_because: z.string().nullable(),
  next_run_at: z.string().nullable(),
  price_usd: z.string(),
  alerts: z.number(),
  receivers: z.array(receiver),
  links: z.object({ self: z.string() }),
});
const alert = z.object({ at: z.string(), severity: z.string(), title: z.string() });

const monitorsPage = z.object({ monitors: z.array(monitor), next_cursor: z.string().optional() });
const runsPage = z.object({ runs: z.array(run) });
const alertsPage = z.object({ alerts: z.array(alert) });

type Monitor = z.infer<typeof monitor>;

/** Foreign words never steer the terminal (rule X8). */
const show = (text: string, most?: number): string => formatSafeLine(text, most);

const describeState = ({ state, paused_because: why, next_run_at: next }: Monitor): string =>
  [show(why === null ? state : `${state} (${why})`), ...(next === null ? [] : [`next run ${show(next)}`])].join(', ');

const formatRow = (one: Monitor): string =>
  `${show(one.id)}  ${show(one.name, MAX_NAME)}: ${describeState(one)}, ${countAlerts(one.alerts)}`;

const countAlerts = (count: number): string => (count === 1 ? '1 alert' : `${count} alerts`);

function formatReceiverLine({
  kind,
  url,
  address,
  confirmed,
  feed_url: feed,
  secret,
  id,
}: z.infer<typeof receiver>): string {
  const where = url ?? address ?? feed ?? '';
  const waits = confirmed === false ? ', waits for the link in its first mail' : '';
  return `  ${show(kind)} ${show(where, 1_000)}${waits} (${show(id)})${secret === undefined ? '' : `\n    secret ${show(secret)}`}`;
}

const formatWhole = (one: Monitor): readonly string[] => [
  formatRow(one),
  ...explainPause(one),
  `${show(describeWatched(one.subject))}: ${show(describeInterval(one.interval, 'en'))}.`,
  `Each run costs ${Number(one.price_usd).toFixed(2)} USD of credits.`,
  ...(one.receivers.length === 0 ? ['No receivers: alerts wait at sightline monitor show.'] : ['Receivers:']),
  ...one.receivers.map(formatReceiverLine),
];

const describeWatched = (watched: Monitor['subject']): string =>
  'url' in watched ? [watched.url, ...watched.competitors].join(', ') : `${watched.body.brand}, ${watched.body.niche}`;

/** Why it is paused, in the words of the account's page, and what to do. */
function explainPause({ id, paused_because: why, links }: Monitor): readonly string[] {
  const { paused } = monitorWords.en;
  if (why === null || !Object.hasOwn(paused, why)) return [];
  const credits = URL.canParse('/account/credits', links.self) ? new URL('/account/credits', links.self).href : '';
  return [
    paused[why as keyof typeof paused],
    ...(why === 'insufficient_credits' ? [`Add credits: ${show(credits)}`] : []),
    `Resume it: sightline monitor resume ${show(id)}`,
  ];
}

type Lines = readonly string[] | undefined;

/** Lines of each answer for a person; undefined for an answer that is not as documented. */
export const monitorPrinters: Readonly<Record<string, (body: unknown, id: string) => Lines>> = {
  create: (body) =>
    printMonitor(body, (one) => [
      'Created. Its first run begins now, if your credits cover it.',
      ...formatWhole(one),
      ...explainOnce(one),
    ]),
  list: (body) => {
    const page = monitorsPage.safeParse(body);
    if (!page.success) return undefined;
    const { monitors, next_cursor: next } = page.data;
    if (monitors.length === 0) return ['No monitors.'];
    return [...monitors.map(formatRow), ...(next === undefined ? [] : [`There are more: --page ${show(next)}`])];
  },
  pause: (body) => printMonitor(body, (one) => [formatRow(one)]),
  resume: (body) => printMonitor(body, (one) => [formatRow(one)]),
  run: (body) => {
    const read = run.safeParse(body);
    return read.success ? [`Run ${show(read.data.id)} is under way.`] : undefined;
  },
  delete: (_body, id) => [`Deleted ${show(id)}.`],
};

function printMonitor(body: unknown, format: (one: Monitor) => readonly string[]): Lines {
  const read = monitor.safeParse(body);
  return read.success ? format(read.data) : undefined;
}

const explainOnce = ({ receivers }: Monitor): readonly string[] =>
  receivers.some(({ secret, feed_url: feed }) => secret !== undefined || feed !== undefined)
    ? ['Keep secrets and feed addresses: they are shown this once.']
    : [];

function formatRunLine({ due_at: due, state, reason, summary, alerts, parts }: z.infer<typeof run>): string {
  const why = reason ?? summary?.unread;
  return `  ${show(due)} ${show(state)}${why === undefined ? '' : ` (${show(why)})`}, ${countAlerts(alerts)} ${show(parts[0]?.report_url ?? '')}`.trimEnd();
}

/** A monitor with its newest runs and alerts. */
export function printWhole(body: unknown, runs: unknown, alerts: unknown): Lines {
  const [one, ran, rang] = [monitor.safeParse(body), runsPage.safeParse(runs), alertsPage.safeParse(alerts)];
  if (!one.success || !ran.success || !rang.success) return undefined;
  return [
    ...formatWhole(one.data),
    'Runs:',
    ...ran.data.runs.map(formatRunLine),
    ...(rang.data.alerts.length === 0 ? ['No alerts.'] : ['Alerts:']),
    ...rang.data.alerts.map(({ at, severity, title }) => `  ${show(at)} ${show(severity)}: ${show(title)}`),
  ];
}
