import * as z from 'zod';
import {
  DEAD_LETTERS,
  type DeadFilter,
  type DeadLetter,
  renderDeadLetters,
  type InboxLine,
} from '../../../src/web/console/dead-letters.tsx';
import type { ConsoleDeskPort, InboxCount, InboxCounts } from '../../../src/console-api/channel-orders.ts';
import type { ConsoleContext, ConsolePage, Tile } from './console-request.ts';
import {
  refusePageFilter,
  CURSOR,
  getConsoleDesk,
  selectGivenFields,
  ID,
  NO_DESK,
  buildNoRegistryTile,
  defineOptionalField,
} from './channel-registry.ts';

const PAGE = 50;
/** Pages of customers that the tile counts: it has little time. */
const TILE_PAGES = 5;
const TITLE = 'Dead letters';
/** The webhook Worker replays so many with one call. */
export const MOST_REPLAYED = 1_000;

/** A field of date and time, in UTC; undefined while it is empty. */
const minute = defineOptionalField(
  z.iso
    .datetime({ local: true })
    .max(32)
    .refine((text) => parseUtcMs(text) >= 0),
);
export const filterSchema = z.object({
  customer: defineOptionalField(ID),
  channel: defineOptionalField(ID),
  from: minute,
  to: minute,
});
export const BAD_FILTER =
  'Customers and channels have letters, digits, `-` and `_`; times are like `2026-11-22T10:30`, none before 1970.';

const pageSchema = filterSchema.extend({ cursor: defineOptionalField(CURSOR), after: defineOptionalField(ID) });

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
    const lines = inboxes.map((inbox): InboxLine => (inbox.read ? inbox : { customer: inbox.customer, read: false }));
    return renderDeadLetters({ filter, inboxes: lines, after, next, letters, mostReplayed: MOST_REPLAYED, forms });
  },
  tile: buildDeadLettersTile,
};

async function listDeadLetters(
  registry: ConsoleDeskPort,
  filter: DeadFilter & { customer: string },
  cursor: string | undefined,
) {
  const page = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
  const { items, next } = await registry.messages({ ...buildMessageRange(filter), ...page });
  return { items: items.map(toDeadLetter), next };
}

/** A filter as the webhook Worker takes it. */
export const buildMessageRange = ({ customer, channel, from, to }: DeadFilter & { customer: string }) => ({
  customer,
  ...(channel === undefined ? {} : { channel }),
  ...(from === undefined ? {} : { fromMs: parseUtcMs(from) }),
  ...(to === undefined ? {} : { toMs: parseUtcMs(to) }),
});

/** A field of date and time has no zone, unless the address was written by hand. */
const parseUtcMs = (minuteText: string): number => Date.parse(minuteText.endsWith('Z') ? minuteText : `${minuteText}Z`);

type DeadMessage = Awaited<ReturnType<ConsoleDeskPort['messages']>>['items'][number];

const toDeadLetter = ({ seq, channel, event, received_at, user_id, tries, last_error }: DeadMessage): DeadLetter => ({
  seq,
  channel,
  event,
  receivedAtMs: Date.parse(received_at),
  userId: user_id,
  tries,
  lastError: last_error,
});

/** How many are dead. None where an inbox did not answer is not none. */
async function buildDeadLettersTile({ env }: ConsoleContext): Promise<Tile> {
  const registry = getConsoleDesk(env);
  if (registry === undefined) return buildNoRegistryTile(TITLE);
  const { inboxes, next } = await countFirstInboxes(registry);
  const unread = inboxes.filter(({ read }) => !read).length;
  const dead = inboxes.reduce((sum, inbox) => sum + (inbox.read ? inbox.dead : 0), 0);
  const isAll = unread === 0 && next === undefined;
  if (dead === 0 && !isAll) throw new Error('Not every inbox could be read');
  const notes = [
    ...(unread === 0 ? [] : [`Could not look at ${unread} of ${inboxes.length} inboxes.`]),
    ...(next === undefined ? [] : [`Of the first ${inboxes.length} customers.`]),
  ];
  const value = isAll ? String(dead) : `At least ${dead}`;
  return { title: TITLE, value, ...(notes.length === 0 ? {} : { note: notes.join(' ') }) };
}

/** The inboxes of the first pages of customers. `next`: there are customers beyond. */
async function countFirstInboxes(registry: ConsoleDeskPort): Promise<InboxCounts> {
  const inboxes: InboxCount[] = [];
  let after: string | undefined;
  for (let page = 0; page < TILE_PAGES; page += 1) {
    const counted = await registry.inboxes(selectGivenFields({ after }));
    inboxes.push(...counted.inboxes);
    after = counted.next;
    if (after === undefined) return { inboxes };
  }
  return { inboxes, ...selectGivenFields({ next: after }) };
}
