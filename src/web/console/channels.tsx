import type { ConsoleDeskPort } from '../../console-api/channel-orders.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { Bar, Time } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { ActionForm, type Forms } from './forms.tsx';
import { formatCsv, formatCsvTime, LongId, WideTable, State, type StateWord } from './tables.tsx';

const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

/** From now until a time in two units at most: `in 2 d 3 h`, `in 12 min`, `5 min ago`. @param ms negative: it is over */
export function formatTimeLeft(ms: number): string {
  const minutes = Math.floor(Math.abs(ms) / MINUTE_MS);
  if (minutes === 0) return ms < 0 ? 'just now' : 'in less than a minute';
  const text = formatMinutes(minutes);
  return ms < 0 ? `${text} ago` : `in ${text}`;
}

function formatMinutes(minutes: number): string {
  if (minutes < HOUR_MIN) return `${minutes} min`;
  const [large, small] = minutes < DAY_MIN ? [HOUR_MIN, 1] : [DAY_MIN, HOUR_MIN];
  const units = minutes < DAY_MIN ? (['h', 'min'] as const) : (['d', 'h'] as const);
  const rest = Math.floor((minutes % large) / small);
  const whole = `${Math.floor(minutes / large)} ${units[0]}`;
  return rest === 0 ? whole : `${whole} ${rest} ${units[1]}`;
}

export const CHANNELS = '/console/channels';
export const RENEW = '/console/channels/renew';

/** A channel as the webhook Worker shows it. */
type ChannelView = Awaited<ReturnType<ConsoleDeskPort['channels']>>['items'][number];
export type ChannelWord = ChannelView['state'];

/** States of a channel at the vendor, and how much they ask for attention. */
export const CHANNEL_WORDS: Readonly<Record<ChannelWord, StateWord>> = {
  pending: { text: 'Asked for', mood: 'warn' },
  active: { text: 'Active', mood: 'good' },
  renewing: { text: 'Successor asked for', mood: 'good' },
  superseded: { text: 'Followed by another', mood: 'idle' },
  stopping: { text: 'To be stopped', mood: 'idle' },
  stopped: { text: 'Stopped', mood: 'idle' },
  expired: { text: 'Expired', mood: 'bad' },
  failed: { text: 'Refused', mood: 'bad' },
};

/** Of an ended channel there is nothing to renew; whether its watch is over is judged when that is asked for. */
const RENEWABLE: ReadonlySet<ChannelWord> = new Set(['pending', 'active', 'renewing', 'expired', 'failed']);

/** A channel with its times in Unix milliseconds. */
export type ChannelLine = Pick<ChannelView, 'id' | 'watch' | 'customer' | 'domain' | 'state' | 'tries'> & {
  event: string | null;
  /** Of its life, while that lasts. */
  life: { fromMs: number; untilMs: number } | undefined;
  expiresAtMs: number | undefined;
  renewAtMs: number | undefined;
  /** When the next channel of its watch is tried again, after a failure. */
  nextTryAtMs: number | undefined;
  lastError: ChannelView['last_error'];
};

export type ChannelFilter = { state?: ChannelWord; customer?: string };

export type ChannelsSeen = {
  filter: ChannelFilter;
  /** Of each state; `mostCounted` means so many or more. */
  counts: Readonly<Record<ChannelWord, number>>;
  mostCounted: number;
  channels: readonly ChannelLine[];
  next: string | undefined;
  nowMs: number;
  forms: Forms;
};

const COLUMNS = ['Watched', 'State', 'Expires', 'Next renewal', 'Last failure', 'Channel', 'Action'];

/** `/console/channels`: what the directory's channels have left, the newest first. */
export const renderChannels = ({ filter, counts, mostCounted, channels, next, nowMs, forms }: ChannelsSeen): Html => (
  <>
    <ul class="links">
      {STATES.map((state) => (
        <li>
          <a href={formatChannelsHref({ ...filter, state })} aria-current={state === filter.state ? 'page' : undefined}>
            {CHANNEL_WORDS[state].text}: {countText(counts[state], mostCounted)}
          </a>
        </li>
      ))}
    </ul>
    <Filter filter={filter} />
    {channels.length === 0 ? (
      <p>There is no such channel.</p>
    ) : (
      <WideTable
        caption="Channels, the newest first"
        columns={COLUMNS}
        file={formatChannelsHref(filter, undefined, `${CHANNELS}.csv`)}
      >
        {channels.map((channel) => (
          <Row channel={channel} nowMs={nowMs} forms={forms} />
        ))}
      </WideTable>
    )}
    {next === undefined ? null : (
      <p>
        <a href={formatChannelsHref(filter, next)}>Older channels</a>
      </p>
    )}
  </>
);

const STATES = Object.keys(CHANNEL_WORDS) as ChannelWord[]; // Its own keys.

export const countText = (count: number, most: number): string => (count >= most ? `${most} or more` : String(count));

function formatChannelsHref({ state, customer }: ChannelFilter, cursor?: string, path: string = CHANNELS): string {
  const query = new URLSearchParams({
    ...(state === undefined ? {} : { state }),
    ...(customer === undefined ? {} : { customer }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

const Filter = ({ filter }: { filter: ChannelFilter }) => (
  <form method="get" action={CHANNELS} class="fields">
    <div>
      <label for="state">State</label>
      <select id="state" name="state">
        <option value="">All</option>
        {STATES.map((state) => (
          <option value={state} selected={state === filter.state}>
            {CHANNEL_WORDS[state].text}
          </option>
        ))}
      </select>
    </div>
    <div>
      <label for="customer">Customer</label>
      <input id="customer" name="customer" maxlength={64} value={filter.customer ?? ''} autocomplete="off" />
    </div>
    <button class="small">Show</button>
  </form>
);

const Row = ({ channel, nowMs, forms }: { channel: ChannelLine; nowMs: number; forms: Forms }) => {
  const { id, watch, customer, domain, event, state, tries, lastError } = channel;
  return (
    <tr>
      <th scope="row">
        {customer}
        {domain === null ? null : <div class="small">{domain}</div>}
        <div class="small">{event === null ? 'every event' : `only ${event}`}</div>
        <code>{watch}</code>
      </th>
      <td>
        <State {...CHANNEL_WORDS[state]} />
      </td>
      <td class="use">
        <Expiry channel={channel} nowMs={nowMs} />
      </td>
      <td>
        <NextStep channel={channel} nowMs={nowMs} />
      </td>
      <td>
        {lastError ?? 'none'}
        {tries === 0 ? null : <div class="small">{tries} failed in a row</div>}
      </td>
      <td>
        <LongId id={id} />
      </td>
      <td>
        {RENEWABLE.has(state) ? (
          <ActionForm
            forms={forms}
            action={RENEW}
            fields={{ channel: id }}
            label="Renew now"
            ariaLabel={`Renew now: channel ${id}`}
            quiet
          />
        ) : null}
      </td>
    </tr>
  );
};

type Timed = { channel: ChannelLine; nowMs: number };

const Expiry = ({ channel: { life, expiresAtMs }, nowMs }: Timed) => {
  if (expiresAtMs === undefined) return <>not granted</>;
  return (
    <>
      {life === undefined ? null : <Bar value={(life.untilMs - nowMs) / Math.max(1, life.untilMs - life.fromMs)} />}
      {formatTimeLeft(expiresAtMs - nowMs)}
      <div class="small">
        <Time ms={expiresAtMs} />
      </div>
    </>
  );
};

const NextStep = ({ channel: { renewAtMs, nextTryAtMs }, nowMs }: Timed) => {
  const dueMs = nextTryAtMs ?? renewAtMs;
  if (dueMs === undefined) return <>none</>;
  return (
    <>
      {formatTimeLeft(dueMs - nowMs)}
      <div class="small">
        {nextTryAtMs === undefined ? '' : 'next try '}
        <Time ms={dueMs} />
      </div>
    </>
  );
};

/** Channels as CSV (rule X8). */
export const formatChannelsCsv = (channels: readonly ChannelLine[]): string =>
  formatCsv([
    ['channel', 'watch', 'customer', 'domain', 'event', 'state', 'expires', 'next_renewal', 'tries', 'last_failure'],
    ...channels.map((channel) => [
      channel.id,
      channel.watch,
      channel.customer,
      channel.domain ?? '',
      channel.event ?? '',
      channel.state,
      formatCsvTime(channel.expiresAtMs),
      formatCsvTime(channel.nextTryAtMs ?? channel.renewAtMs),
      channel.tries,
      channel.lastError ?? '',
    ]),
  ]);
