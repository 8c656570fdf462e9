import * as z from 'zod';
import {
  CHANNEL_WORDS,
  type ChannelLine,
  CHANNELS,
  renderChannels,
  type ChannelWord,
  countText,
  RENEW,
  formatChannelsCsv,
  formatTimeLeft,
} from '../../../src/web/console/channels.tsx';
import type { ConsoleDeskPort } from '../../../src/console-api/channel-orders.ts';
import {
  type ActionOutcome,
  CSV_TYPE,
  type ConsoleContext,
  type ConsoleFormInput,
  type ConsolePage,
} from './console-request.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';
import type { Signal } from '../../../src/web/console/overview.tsx';
import {
  refusePageFilter,
  CURSOR,
  getConsoleDesk,
  selectGivenFields,
  ID,
  NO_DESK,
  NO_REGISTRY_SIGNAL,
  defineOptionalField,
} from './channel-registry.ts';

const PAGE = 50;
const TITLE = 'Channels';
const states = Object.keys(CHANNEL_WORDS) as ChannelWord[]; // Its own keys.

const querySchema = z.object({
  state: defineOptionalField(z.enum(states)),
  customer: defineOptionalField(ID),
  cursor: defineOptionalField(CURSOR),
});

/** `/console/channels?state=active&customer=...&cursor=...`: the directory's channels, and the time they have left. */
export const channelsPage: ConsolePage = {
  path: CHANNELS,
  title: TITLE,
  show: async ({ env, query, now, forms }) => {
    const registry = getConsoleDesk(env);
    if (registry === undefined) return NO_DESK;
    const asked = querySchema.safeParse(Object.fromEntries(query));
    if (!asked.success) return BAD_FILTER;
    const { cursor, ...filter } = selectGivenFields(asked.data);
    const order = { ...filter, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const [page, { counts, most_counted: mostCounted }] = await Promise.all([
      registry.channels(order),
      registry.survey(),
    ]);
    const nowMs = now();
    const channels = page.items.map((view) => buildChannelLine(view, nowMs));
    return renderChannels({ filter, counts, mostCounted, channels, next: page.next, nowMs, forms });
  },
  signals: [
    { question: 'up', title: 'Webhooks', read: readWebhookSignal },
    { question: 'lapse', title: TITLE, read: readChannelsSignal },
  ],
  downloads: [{ path: `${CHANNELS}.csv`, read: readChannelsFile }],
  actions: [{ path: RENEW, title: 'Renew a channel', target: (form) => form.get('channel') ?? '', run: renewNow }],
};

type ChannelView = Awaited<ReturnType<ConsoleDeskPort['channels']>>['items'][number];

function buildChannelLine(view: ChannelView, nowMs: number): ChannelLine {
  const { id, watch, customer, domain, event, state, tries, last_error: lastError } = view;
  const expiresAtMs = parseIsoMs(view.expires_at);
  const grantedAtMs = parseIsoMs(view.granted_at);
  const lives = view.ended_at === null && expiresAtMs !== undefined && expiresAtMs > nowMs;
  const life = lives && grantedAtMs !== undefined ? { fromMs: grantedAtMs, untilMs: expiresAtMs } : undefined;
  const renewAtMs = state === 'active' ? parseIsoMs(view.renew_at) : undefined;
  const nextTryAtMs = parseIsoMs(view.next_try_at);
  const known = { id, watch, customer, domain, event, state, tries, lastError };
  return { ...known, life, expiresAtMs, renewAtMs, nextTryAtMs };
}

const parseIsoMs = (iso: string | null): number | undefined => (iso === null ? undefined : Date.parse(iso));

const BAD_FILTER = refusePageFilter('Choose a state of the list; a customer has letters, digits, `-` and `_`.');
/** Rows of the file: as many as the webhook Worker gives with one call. */
const MAX_DOWNLOAD = 100;

/** The newest channels of the same filter. */
async function readChannelsFile({ env, query, now }: ConsoleContext) {
  const registry = getConsoleDesk(env);
  if (registry === undefined) return NO_DESK;
  const asked = querySchema.safeParse(Object.fromEntries(query));
  if (!asked.success) return BAD_FILTER;
  const page = await registry.channels({ ...selectGivenFields(asked.data), limit: MAX_DOWNLOAD });
  const name = `channels-${page.next === undefined ? '' : 'first-'}${page.items.length}.csv`;
  return { name, type: CSV_TYPE, text: formatChannelsCsv(page.items.map((view) => buildChannelLine(view, now()))) };
}

/** Whether the Worker that receives notifications answers. */
async function readWebhookSignal({ env }: ConsoleContext): Promise<Signal> {
  const registry = getConsoleDesk(env);
  if (registry === undefined) return NO_REGISTRY_SIGNAL;
  const { counts, most_counted: most } = await registry.survey();
  const open = countText(counts.active + counts.renewing, most);
  return { mood: 'good', text: 'Up', figure: open, note: 'Channels that are open. The Worker that receives answers.' };
}

/** The cron asks for renewals each minute: one that is due for longer is not asked for, or refused again and again. */
const LATE_MS = 10 * MINUTE_MS;
const IN_TIME = { mood: 'good', text: 'Renewed in time' } as const;

/** What of the channels was lost, and the nearest renewal. */
async function readChannelsSignal({ env, now }: ConsoleContext): Promise<Signal> {
  const registry = getConsoleDesk(env);
  if (registry === undefined) return NO_REGISTRY_SIGNAL;
  const { counts, most_counted: most, next } = await registry.survey();
  const others = (['pending', 'expired', 'failed'] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${CHANNEL_WORDS[state].text}: ${countText(counts[state], most)}.`);
  const nearest =
    next === null
      ? 'Nothing is watched.'
      : `The next one is asked for ${formatTimeLeft(Date.parse(next.due_at) - now())}, for ${next.customer}.`;
  const lost = counts.expired + counts.failed;
  const note = [nearest, ...others].join(' ');
  if (lost > 0) return { mood: 'bad', text: 'Lost', figure: countText(lost, most), note };
  if (next === null) return { mood: 'idle', text: 'None', figure: '0', note };
  const leftMs = Date.parse(next.due_at) - now();
  const word = leftMs < -LATE_MS ? ({ mood: 'warn', text: 'Overdue' } as const) : IN_TIME;
  return { ...word, figure: formatTimeLeft(leftMs), note };
}

const ofForm = z.object({ channel: ID });

/** Has the successor of a channel asked for now. */
async function renewNow({ env, url, now }: ConsoleContext, form: ConsoleFormInput): Promise<ActionOutcome> {
  const to = `${url.pathname}${url.search}`;
  const asked = ofForm.safeParse({ channel: form.get('channel') });
  const registry = getConsoleDesk(env);
  if (!asked.success || registry === undefined)
    return { to: CHANNELS, said: 'No such channel.', entry: { reason: 'not_found' }, outcome: 'refused' };
  const answer = await registry.renew(asked.data.channel);
  if (!answer.ok) {
    const said = REFUSALS[answer.reason] ?? 'It was refused.';
    return { to, said: `Nothing was renewed. ${said}`, entry: { reason: answer.reason }, outcome: 'refused' };
  }
  const { id, state, tries, expires_at: expiresAt } = answer.channel;
  const entry = { channel: id, state, tries: String(tries) };
  if (!answer.asked) return { to, said: UNDER_WAY, entry: { ...entry, reason: 'under_way' }, outcome: 'refused' };
  if (tries > 0) return { to, said: 'It was asked for, and did not work: see “Last failure”.', entry };
  const life = expiresAt === null ? '' : ` It expires ${formatTimeLeft(Date.parse(expiresAt) - now())}.`;
  return { to, said: `Renewed: channel ${id} is ${CHANNEL_WORDS[state].text.toLowerCase()}.${life}`, entry };
}

const UNDER_WAY = 'Nothing was asked for: a renewal is under way already. Look again in a minute.';

const REFUSALS: Readonly<Record<string, string>> = {
  not_found: 'There is no such channel.',
  not_open: 'Its watch was stopped.',
};
