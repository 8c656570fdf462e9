import * as z from 'zod';
import {
  DEAD_LETTERS,
  type DeadFilter,
  formatDeadLettersCsv,
  renderDeadLetters,
  REPLAY_ALL,
  REPLAY_CHOSEN,
} from '../../../src/web/console/dead-letters.tsx';
import type { ConsoleDeskPort, InboxCount, InboxCounts, Replayed } from '../../../src/console-api/channel-orders.ts';
import {
  type ActionOutcome,
  type ConsoleAction,
  type ConsoleContext,
  type ConsoleFormInput,
  type ConsolePage,
  CSV_TYPE,
} from './console-request.ts';
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
/** Pages of customers that the overview counts: it has little time. */
/** Rows of the file: as many as the webhook Worker gives with one call. */
const MAX_DOWNLOAD = 100;
const COUNTED_PAGES = 5;
const TITLE = 'Dead letters';
/** The webhook Worker replays so many with one call. */
const MOST_REPLAYED = 1_000;

/** A field of date and time, in UTC; undefined while it is empty. */
const minute = defineOptionalField(
  z.iso
    .datetime({ local: true })
    .max(32)
    .refine((text) => parseUtcMs(text) >= 0),
);
const filterSchema = z.object({
  customer: defineOptionalField(ID),
  channel: defineOptionalField(ID),
  from: minute,
  to: minute,
});
const BAD_FILTER =
  'Customers and channels have letters, digits, `-` and `_`; times are like `2026-11-22T10:30`, none before 1970.';

const pageSchema = filterSchema.extend({ cursor: defineOptionalField(CURSOR), after: defineOptionalField(ID) });

async function listDeadLetters(
  registry: ConsoleDeskPort,
  filter: DeadFilter & { customer: string },
  cursor: string | undefined,
) {
  const page = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
  return registry.messages({ ...buildMessageRange(filter), ...page });
}

/** A filter as the webhook Worker takes it. */
const buildMessageRange = ({ customer, channel, from, to }: DeadFilter & { customer: string }) => ({
  customer,
  ...(channel === undefined ? {} : { channel }),
  ...(from === undefined ? {} : { fromMs: parseUtcMs(from) }),
  ...(to === undefined ? {} : { toMs: parseUtcMs(to) }),
});

/** A field of date and time has no zone, unless the address was written by hand. */
const parseUtcMs = (minuteText: string): number => Date.parse(minuteText.endsWith('Z') ? minuteText : `${minuteText}Z`);

/** The newest dead messages of the customer and filter that the page shows. */
async function readDeadLettersFile({ env, query }: ConsoleContext) {
  const registry = getConsoleDesk(env);
  if (registry === undefined) return NO_DESK;
  const asked = filterSchema.safeParse(Object.fromEntries(query));
  const customer = asked.data?.customer;
  if (!asked.success || customer === undefined) return refusePageFilter(BAD_FILTER);
  const filter = { ...selectGivenFields(asked.data), customer };
  const page = await registry.messages({ ...buildMessageRange(filter), limit: MAX_DOWNLOAD });
  const name = `dead-letters-${page.next === undefined ? '' : 'first-'}${page.items.length}.csv`;
  return { name, type: CSV_TYPE, text: formatDeadLettersCsv(page.items) };
}

/** How many are dead. None where an inbox did not answer is not none. */
async function readDeadLettersSignal({ env }: ConsoleContext): Promise<Signal> {
  const registry = getConsoleDesk(env);
  if (registry === undefined) return NO_REGISTRY_SIGNAL;
  const { inboxes, next } = await countFirstInboxes(registry);
  const unread = inboxes.filter(({ read }) => !read).length;
  const dead = inboxes.reduce((sum, inbox) => sum + (inbox.read ? inbox.dead : 0), 0);
  const isAll = unread === 0 && next === undefined;
  if (dead === 0 && !isAll) throw new Error('Not every inbox could be read');
  const notes = [
    ...(unread === 0 ? [] : [`Could not read ${unread} of ${inboxes.length} inboxes.`]),
    ...(next === undefined ? [] : [`Of the first ${inboxes.length} customers.`]),
  ];
  const figure = isAll ? String(dead) : `At least ${dead}`;
  const note = ['Messages that were given up.', ...notes].join(' ');
  return dead === 0 ? { mood: 'good', text: 'None', figure, note } : { mood: 'bad', text: 'To replay', figure, note };
}

/** The inboxes of the first pages of customers. `next`: there are customers beyond. */
async function countFirstInboxes(registry: ConsoleDeskPort): Promise<InboxCounts> {
  const inboxes: InboxCount[] = [];
  let after: string | undefined;
  for (let page = 0; page < COUNTED_PAGES; page += 1) {
    const counted = await registry.inboxes(selectGivenFields({ after }));
    inboxes.push(...counted.inboxes);
    after = counted.next;
    if (after === undefined) return { inboxes };
  }
  return { inboxes, ...selectGivenFields({ next: after }) };
}

/** Characters that a field of an audit entry keeps. */
const FIELD_CHARS = 256;
const BETWEEN = ', ';

/** Whole numbers as ranges, `3-7` and `9`, the least first, each number once. */
function formatRanges(numbers: readonly number[]): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`));
}

/** Words in as many fields as they need, none of them cut: `messages`, `messages_2` and so on. */
function splitIntoFields(name: string, words: readonly string[]): Record<string, string> {
  const fields: string[] = [];
  for (const word of words) {
    const longer = `${fields.at(-1) ?? ''}${BETWEEN}${word}`;
    if (fields.length === 0 || longer.length > FIELD_CHARS) fields.push(word);
    else fields[fields.length - 1] = longer;
  }
  return Object.fromEntries(fields.map((text, index) => [index === 0 ? name : `${name}_${index + 1}`, text]));
}

/** Boxes of one page. */
const MAX_CHOSEN = 100;

const chosenSchema = z.object({
  customer: ID,
  messages: z
    .array(
      z
        .string()
        .regex(/^[1-9]\d{0,14}$/)
        .transform(Number),
    )
    .min(1)
    .max(MAX_CHOSEN),
});
/** The button of a row means that row alone, whatever boxes are ticked. */
const readChosenRows = (form: ConsoleFormInput) => {
  const only = form.get('only');
  return { customer: form.get('customer'), messages: only === undefined ? form.all('message') : [only] };
};

const FILTER = ['customer', 'channel', 'from', 'to'] as const;
const allSchema = filterSchema.extend({ customer: ID });
const readReplayFilter = (form: ConsoleFormInput) =>
  Object.fromEntries(FILTER.map((name) => [name, form.get(name) ?? '']));

/** Has one dead message worked again, or those that were chosen. */
const replayChosen: ConsoleAction = {
  path: REPLAY_CHOSEN,
  title: 'Replay dead letters',
  target: (form) => {
    const { customer = '', messages } = readChosenRows(form);
    const order = chosenSchema.safeParse({ customer, messages });
    return `${customer} ${order.success ? formatRanges(order.data.messages).join(', ') : messages.join(' ')}`;
  },
  about: (form) => {
    const order = chosenSchema.safeParse(readChosenRows(form));
    return order.success ? splitIntoFields('messages', formatRanges(order.data.messages)) : {};
  },
  run: async (c, form) => {
    const chosen = readChosenRows(form);
    if (chosen.messages.length === 0)
      return refuseReplay(c, 'Nothing was chosen: tick the messages first.', 'nothing_chosen');
    const order = chosenSchema.safeParse(chosen);
    const registry = getConsoleDesk(c.env);
    if (!order.success || registry === undefined) return refuseReplay(c, NO_SUCH, 'not_found');
    return reportReplay(c, await registry.replay(order.data));
  },
};

/** Has the dead messages of a filter worked again, the oldest first. */
const replayAll: ConsoleAction = {
  path: REPLAY_ALL,
  title: 'Replay all dead letters of a filter',
  target: (form) =>
    FILTER.map((name) => form.get(name) ?? '')
      .filter((text) => text !== '')
      .join(' '),
  run: async (c, form) => {
    const filter = allSchema.safeParse(readReplayFilter(form));
    const registry = getConsoleDesk(c.env);
    if (!filter.success || registry === undefined) return refuseReplay(c, NO_SUCH, 'not_found');
    const { customer, channel, from, to } = filter.data;
    return reportReplay(
      c,
      await registry.replay(buildMessageRange({ ...selectGivenFields({ channel, from, to }), customer })),
    );
  },
};

const NO_SUCH = 'There are no such dead messages.';

function reportReplay(c: ConsoleContext, { replayed, more }: Replayed): ActionOutcome {
  const entry = { replayed: String(replayed), more: String(more) };
  const count = replayed === 1 ? '1 message is worked again' : `${replayed} messages are worked again`;
  const said = replayed === 0 ? 'None of them is dead any more.' : `${count}, with those that go together with them.`;
  return { to: buildReturnPath(c), said: more ? `${said} There are more: replay again.` : said, entry };
}

const refuseReplay = (c: ConsoleContext, said: string, reason: string): ActionOutcome => ({
  to: buildReturnPath(c),
  said,
  entry: { reason },
  outcome: 'refused',
});

/** The page that the form stood on, from its beginning: rows have gone from it. */
function buildReturnPath({ url }: ConsoleContext): string {
  const query = new URLSearchParams(url.searchParams);
  query.delete('cursor');
  return url.pathname === DEAD_LETTERS && query.size > 0 ? `${DEAD_LETTERS}?${query.toString()}` : DEAD_LETTERS;
}

/** `/console/dead-letters?customer=...&channel=...&from=...&to=...`: messages that were given up. `after`: of further customers. */
export const deadLettersPage: ConsolePage = {
  path: DEAD_LETTERS,
  title: TITLE,
  show: async ({ env, query, forms }) => {
    const registry = getConsoleDesk(env);
    if (registry === undefined) return NO_DESK;
    const asked = pageSchema.safeParse(Object.fromEntries(query));
    if (!asked.success) return refusePageFilter(BAD_FILTER);
    const { cursor, after, ...fields } = asked.data;
    const { inboxes, next } = await registry.inboxes(selectGivenFields({ after }));
    const customer = fields.customer ?? inboxes.find((inbox) => inbox.read && inbox.dead > 0)?.customer;
    const filter: DeadFilter = selectGivenFields({ ...fields, customer });
    const letters =
      customer === undefined ? undefined : await listDeadLetters(registry, { ...filter, customer }, cursor);
    return renderDeadLetters({ filter, inboxes, after, next, letters, mostReplayed: MOST_REPLAYED, forms });
  },
  signals: [{ question: 'customers', title: TITLE, read: readDeadLettersSignal }],
  downloads: [{ path: `${DEAD_LETTERS}.csv`, read: readDeadLettersFile }],
  actions: [replayChosen, replayAll],
};
