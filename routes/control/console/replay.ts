import * as z from 'zod';
import { DEAD_LETTERS, REPLAY_ALL, REPLAY_CHOSEN } from '../../../src/web/console/dead-letters.tsx';
import type { Replayed } from '../../../src/console-api/channel-orders.ts';
import type { ActionOutcome, ConsoleAction, ConsoleContext, Posted } from './console-request.ts';
import { filterSchema, rangeOf } from './dead-letters.ts';
import { deskIn, given, ID } from './channel-registry.ts';
import { fieldsOf, rangesOf } from './ranges.ts';

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
const chosenIn = (form: Posted) => {
  const only = form.get('only');
  return { customer: form.get('customer'), messages: only === undefined ? form.all('message') : [only] };
};

const FILTER = ['customer', 'channel', 'from', 'to'] as const;
const allSchema = filterSchema.extend({ customer: ID });
const filterIn = (form: Posted) => Object.fromEntries(FILTER.map((name) => [name, form.get(name) ?? '']));

/** Has one dead message worked again, or those that were chosen. */
export const replayChosen: ConsoleAction = {
  path: REPLAY_CHOSEN,
  title: 'Replay dead letters',
  target: (form) => {
    const { customer = '', messages } = chosenIn(form);
    const order = chosenSchema.safeParse({ customer, messages });
    return `${customer} ${order.success ? rangesOf(order.data.messages).join(', ') : messages.join(' ')}`;
  },
  about: (form) => {
    const order = chosenSchema.safeParse(chosenIn(form));
    return order.success ? fieldsOf('messages', rangesOf(order.data.messages)) : {};
  },
  run: async (c, form) => {
    const chosen = chosenIn(form);
    if (chosen.messages.length === 0)
      return refused(c, 'Nothing was chosen: tick the messages first.', 'nothing_chosen');
    const order = chosenSchema.safeParse(chosen);
    const desk = deskIn(c.env);
    if (!order.success || desk === undefined) return refused(c, NO_SUCH, 'not_found');
    return told(c, await desk.replay(order.data));
  },
};

/** Has the dead messages of a filter worked again, the oldest first. */
export const replayAll: ConsoleAction = {
  path: REPLAY_ALL,
  title: 'Replay all dead letters of a filter',
  target: (form) =>
    FILTER.map((name) => form.get(name) ?? '')
      .filter((text) => text !== '')
      .join(' '),
  run: async (c, form) => {
    const filter = allSchema.safeParse(filterIn(form));
    const desk = deskIn(c.env);
    if (!filter.success || desk === undefined) return refused(c, NO_SUCH, 'not_found');
    const { customer, channel, from, to } = filter.data;
    return told(c, await desk.replay(rangeOf({ ...given({ channel, from, to }), customer })));
  },
};

const NO_SUCH = 'There are no such dead messages.';

function told(c: ConsoleContext, { replayed, more }: Replayed): ActionOutcome {
  const entry = { replayed: String(replayed), more: String(more) };
  const count = replayed === 1 ? '1 message is worked again' : `${replayed} messages are worked again`;
  const said = replayed === 0 ? 'None of them is dead any more.' : `${count}, with those that go together with them.`;
  return { to: backTo(c), said: more ? `${said} There are more: replay again.` : said, entry };
}

const refused = (c: ConsoleContext, said: string, reason: string): ActionOutcome => ({
  to: backTo(c),
  said,
  entry: { reason },
  outcome: 'refused',
});

/** The page that the form stood on, from its beginning: rows have gone from it. */
function backTo({ url }: ConsoleContext): string {
  const query = new URLSearchParams(url.searchParams);
  query.delete('cursor');
  return url.pathname === DEAD_LETTERS && query.size > 0 ? `${DEAD_LETTERS}?${query.toString()}` : DEAD_LETTERS;
}
