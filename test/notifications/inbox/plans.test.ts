import { expect, test } from 'vitest';
import { CUSTOMER, DAY_MS, GONE, START_MS, active, testInbox, userOf } from '../../support/management/inbox.ts';

/** What calls of every kind ask SQLite, with the plan of each statement. */
function plansOfManyCalls(): readonly { query: string; details: readonly string[] }[] {
  const queries = new Set<string>();
  const inbox = testInbox({}, (query) => queries.add(query));
  const { state } = inbox;
  const resync = (domain: string | undefined, ids: readonly string[]): void => {
    inbox.later(1);
    for (const reason of ['one', 'two']) state.resync(CUSTOMER, { reason, domain, subject: 'admin@example.com' });
    const users = ids.map((id) => userOf(id));
    const first = state.claimResync();
    if (first === undefined) throw new Error('no resync');
    state.resync(CUSTOMER, { reason: 'three', domain });
    state.resyncFailed(first, { detail: 'answers 503' });
    for (let step = state.claimResync(); inbox.state.status().resync !== null; step = state.claimResync()) {
      if (step === undefined) inbox.later(60_000);
      else state.listed(step, users, step.pageToken === undefined ? 'page-2' : undefined);
    }
  };
  queries.clear();
  inbox.keep(inbox.message('u1'), inbox.message('u1'), inbox.message(null));
  inbox.found(inbox.claim(), active('u1'), ['trail', 'hook']);
  inbox.refuse('hook');
  for (const delivery of state.claimDeliveries(10)) state.undelivered(delivery, { detail: 'x', refused: false });
  resync(undefined, ['u1', 'u2']);
  resync('example.com', ['u1', 'u3']);
  for (const unit of state.claimUnits(10)) inbox.found(unit, GONE);
  inbox.tellAll();
  resync(undefined, ['u1', 'u2']);
  inbox.starve();
  inbox.keep(inbox.message('u4'));
  inbox.starve();
  state.raise(CUSTOMER, inbox.alert(), () => ['hook']);
  inbox.refuse('hook');
  state.over('dead_letter', 'c1');
  const time = { fromMs: START_MS, toMs: inbox.now() + 1 };
  for (const narrowed of [{}, { state: 'dead' as const }, { channel: 'c1' }, { state: 'dead' as const, channel: 'c1' }])
    state.messages({ limit: 10, ...time, ...narrowed });
  for (const range of [{ seq: 1 }, { channel: 'c1' }, time]) state.replay(range);
  inbox.tellAll();
  inbox.read('u5', active('u5'));
  const [telling] = state.claimDeliveries(1);
  inbox.read('u5', active('u5', '2'));
  if (telling !== undefined) state.delivered(telling);
  inbox.refuse('trail');
  state.resync(CUSTOMER, { reason: 'four' });
  const times = { acceptsUntilMs: inbox.now() + DAY_MS, holdsUntilMs: inbox.now() + DAY_MS };
  const word = { id: 'c1', watch: 'w1', customer: CUSTOMER, resourceId: 'r1', drops: false, ...times };
  state.learn(CUSTOMER, word);
  state.admit(JSON.stringify(inbox.message('u1')), 'r1');
  inbox.later(50 * DAY_MS);
  state.prune();
  state.nextDueMs();
  const calls = [...queries];
  return calls.map((query) => ({
    query,
    details: inbox.sql
      .exec(`EXPLAIN QUERY PLAN ${query}`, ...(query.match(/\?/g) ?? []).map(() => ''))
      .toArray()
      .map((row) => String(row['detail'])),
  }));
}

/** A part of a table that is read in the order of an index, up to a limit. */
const isBounded = (query: string, detail: string): boolean => detail.includes('USING INDEX') && query.includes('LIMIT');

test('no statement reads a whole table or sorts one: each row is found by an index', () => {
  const plans = plansOfManyCalls();
  const worked = ['delivery', 'inbox', 'journal', 'known', 'message', 'resync', 'tally', 'unit'];
  const tables = ['alert', 'baseline', 'channel', ...worked];
  const asked = plans.map(({ query }) => query).join('\n');
  const isAsked = (table: string): boolean =>
    ['FROM', 'INTO', 'UPDATE'].some((verb) => asked.includes(`${verb} ${table} `));
  expect(tables.filter((table) => !isAsked(table))).toEqual([]);
  const ofWords = ['INSERT INTO channel ', 'FROM channel WHERE id = ?', 'DELETE FROM channel '];
  expect(ofWords.filter((text) => !asked.includes(text))).toEqual([]);
  expect(plans.length).toBeGreaterThan(50);
  const slow = plans.filter(({ query, details }) =>
    details.some(
      (detail) => detail.includes('TEMP B-TREE') || (detail.startsWith('SCAN ') && !isBounded(query, detail)),
    ),
  );
  expect(slow).toEqual([]);
});

test('messages are found by what narrows them down, not by a part of it', () => {
  const plans = plansOfManyCalls().flatMap(({ details }) => details);
  const ofMessages = new Set(plans.filter((detail) => /\bmessage_|\bmessage\b| m /.test(detail)));
  expect([...ofMessages].filter((detail) => /\((?:channel|state)=\?\)$/.test(detail))).toEqual([]);
});
