import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Delivery, ResyncStep, Unit } from '../../../src/notifications/inbox/inbox-state.ts';
import type { NewMessage } from '../../../src/notifications/inbox/message.ts';
import type { Effect, UserState, UserEffect } from '../../../src/notifications/sinks/sink.ts';
import { CUSTOMER, GONE, testInbox, userOf } from '../../support/management/inbox.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const USERS = ['u0', 'u1', 'u2', 'u3'] as const;
const SINKS = ['trail', 'hook'] as const;
const PAGE = 2;
/** Rounds in which everything must be done; far more than the longest chain of waits. */
const MAX_ROUNDS = 500;

const index = fc.nat({ max: 9 });
/** What may happen, in any order. Reports come from workers that may have lost their lease long ago. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('change'), user: fc.nat({ max: 3 }), to: fc.nat({ max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat'), at: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('riddle') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('digest') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claim') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('report'), at: index, ok: fc.boolean(), fresh: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('hurry'), user: fc.nat({ max: 1 }), to: fc.nat({ max: 4 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('fetch') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tell'), at: index, as: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resync') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('list'), at: index, ok: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('starve') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('later'), seconds: fc.constantFrom(1, 31, 61, 241, 481) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replay') }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** An inbox, a directory with what is true, workers, and sinks that write down what they are told. */
function world(unworkedPerChannel: number) {
  const inbox = testInbox({ unworkedPerChannel, replayRows: 2, digestMessages: 2 });
  const directory = new Map<string, number>();
  const sent: NewMessage[] = [];
  const journal: NewMessage[] = [];
  const keys = new Set<string>();
  const units: { unit: Unit; seen: UserState; readAtMs: number }[] = [];
  const deliveries: Delivery[] = [];
  /** What was to be told of each user, in the order of the stamps; a sink need not hear all of it. */
  const made = new Map<string, UserEffect[]>();
  /** By sink and user: the newest stamp that it heard. */
  const heard = new Map<string, number>();
  const steps: { step: ResyncStep; users: ReturnType<typeof listing> }[] = [];
  const log = new Map<string, string>();
  let version = 0;

  const read = (id: string): UserState => {
    const at = directory.get(id);
    return at === undefined ? GONE : { state: at % 3 === 0 ? 'suspended' : 'active', user: asUser(id, at) };
  };
  const asUser = (id: string, at: number) => userOf(id, { etag: `"${at}"`, fingerprint: `${id}-${at}` });
  /** Users in a stable order; a page begins after the user that its token names. */
  const listing = (token: string | undefined) => {
    const rest = USERS.filter((id) => directory.has(id) && id > (token ?? ''));
    return {
      users: rest.slice(0, PAGE).map((id) => asUser(id, directory.get(id) ?? 0)),
      next: rest.length > PAGE ? rest[PAGE - 1] : undefined,
    };
  };
  const keep = (message: NewMessage): void => {
    const [outcome] = inbox.journal(message);
    if (outcome === 'kept') journal.push(message);
    sent.push(message);
  };
  /** Which messages leave the journal is known from their number; which of them were taken in, from the rows. */
  const digest = (): boolean => {
    const { digested, collapsed, more } = inbox.state.digest();
    const gone = journal.splice(0, digested);
    expect(more).toBe(journal.length > 0);
    expect(gone.map(({ channel }) => channel)).toEqual(expect.arrayContaining([...collapsed]));
    for (const { channel, key } of gone) if (!collapsed.includes(channel)) keys.add(`${channel} ${key}`);
    const rows = inbox.state.messages({ limit: 1_000 }).items.map((row) => `${row.channel} n:${row.number}`);
    for (const { channel, key } of gone) if (rows.includes(`${channel} ${key}`)) keys.add(`${channel} ${key}`);
    return more;
  };
  const told = ({ sink, effect }: Delivery): void => {
    const [key, text] = [`${sink} ${effect.id}`, JSON.stringify(effect)];
    expect(log.get(key) ?? text).toBe(text);
    log.set(key, text);
  };
  /** Who tells ends before its lease does. */
  const hear = ({ sink, effect, leasedUntilMs }: Delivery): void => {
    if (effect.type !== 'user' || inbox.now() >= leasedUntilMs) return;
    const key = `${sink} ${effect.userId}`;
    expect(effect.stamp).toBeGreaterThanOrEqual(heard.get(key) ?? 0);
    heard.set(key, effect.stamp);
  };
  const sinksFor = (effect: Effect): readonly string[] => {
    if (effect.type === 'user') made.set(effect.userId, [...(made.get(effect.userId) ?? []), effect]);
    return SINKS;
  };
  const fetchUnits = (): void => {
    for (const unit of inbox.state.claimUnits(2)) units.push({ unit, seen: read(unit.userId), readAtMs: inbox.now() });
  };
  const fetchStep = (): void => {
    const claimed = inbox.state.claimResync();
    if (claimed !== undefined) steps.push({ step: claimed, users: listing(claimed.pageToken) });
  };
  const report = ({ at, ok, fresh }: { at: number; ok: boolean; fresh: boolean }): void => {
    const [worker] = units.splice(at % Math.max(units.length, 1), 1);
    if (worker === undefined) return;
    const { unit } = worker;
    const [seen, readAtMs] = fresh ? [read(unit.userId), inbox.now()] : [worker.seen, worker.readAtMs];
    if (ok) inbox.state.found({ unit, seen, readAtMs, sinksFor });
    else inbox.state.failed(unit, { detail: 'answers 503' });
  };
  /** Nothing can be read for so long that units die. */
  const starve = (): void => {
    for (let at = 0; at < 5; at += 1) {
      for (const unit of inbox.state.claimUnits(2)) inbox.state.failed(unit, { detail: 'answers 503' });
      inbox.later(241_000);
    }
  };
  const tell = ({ at, as }: { at: number; as: number }): void => {
    const [delivery] = deliveries.splice(at % Math.max(deliveries.length, 1), 1);
    if (delivery === undefined) return;
    if (as !== 1) hear(delivery);
    if (as !== 1) told(delivery); // 1: it never arrived; 2: it did and we never heard; 3: it did, and was refused.
    if (as === 0) inbox.state.delivered(delivery);
    else if (as !== 2) inbox.state.undelivered(delivery, { detail: 'no', refused: as === 3 });
  };
  const list = ({ at, ok }: { at: number; ok: boolean }): void => {
    fetchStep();
    const [claimed] = steps.splice(at % Math.max(steps.length, 1), 1);
    if (claimed === undefined) return;
    if (ok) inbox.state.listed(claimed.step, claimed.users.users, claimed.users.next);
    else inbox.state.resyncFailed(claimed.step, { detail: 'answers 503' });
  };
  const change = ({ user, to }: { user: number; to: number }): void => {
    const id = USERS[user] ?? 'u0';
    version += 1;
    if (to === 0) directory.delete(id);
    else directory.set(id, version);
    keep(inbox.message(id, { channel: `c${to % 2}` }));
  };
  /** A change is read as soon as it came, while sinks may still be told of the one before. */
  const hurry = (what: { user: number; to: number }): void => {
    change(what);
    digest();
    fetchUnits();
    while (units.length > 0) report({ at: 0, ok: true, fresh: true });
  };
  const play = (what: Step): void => {
    if (what.do === 'change') change(what);
    else if (what.do === 'hurry') hurry(what);
    else if (what.do === 'repeat') keep(sent[what.at % Math.max(sent.length, 1)] ?? inbox.message('u0'));
    else if (what.do === 'riddle') keep(inbox.message(null));
    else if (what.do === 'digest') digest();
    else if (what.do === 'claim') fetchUnits();
    else if (what.do === 'report') report(what);
    else if (what.do === 'fetch') deliveries.push(...inbox.state.claimDeliveries(2));
    else if (what.do === 'tell') tell(what);
    else if (what.do === 'resync') inbox.state.resync(CUSTOMER, { reason: 'daily' });
    else if (what.do === 'list') list(what);
    else if (what.do === 'starve') starve();
    else if (what.do === 'crash') inbox.reopen();
    else if (what.do === 'later') inbox.later(what.seconds * 1_000);
    else if (what.do === 'replay') inbox.state.replay({});
  };
  /** From now on all goes well: whatever is due is done, and whatever is dead is replayed. */
  const settle = (): void => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const dueMs = inbox.state.nextDueMs();
      if (dueMs === undefined && inbox.state.replay({}).replayed === 0) return;
      inbox.later(Math.max((inbox.state.nextDueMs() ?? 0) - inbox.now(), 0));
      while (digest());
      fetchUnits();
      while (units.length > 0) report({ at: 0, ok: true, fresh: true });
      deliveries.push(...inbox.state.claimDeliveries(10));
      while (deliveries.length > 0) tell({ at: 0, as: 0 });
      list({ at: steps.length, ok: true });
    }
    throw new Error('there is no end to it');
  };
  return { inbox, keys, log, made, play, settle, read };
}

/** What a sink was told of a user, in the order of the stamps. */
const toldOf = (log: ReadonlyMap<string, string>, sink: string, user: string): readonly UserEffect[] =>
  [...log]
    .filter(([key]) => key.startsWith(`${sink} ${CUSTOMER}/${user}/`))
    .map(([, text]) => JSON.parse(text) as UserEffect)
    .toSorted((left, right) => left.stamp - right.stamp);

const essence = (seen: UserState): string => (seen.state === 'gone' ? 'gone' : `${seen.state} ${seen.user.etag}`);

test.each([
  { name: 'with room for all messages', room: 1_000 },
  { name: 'W3: with room for three of a channel', room: 3 },
])(
  'nothing is forgotten, told twice, or told after something newer, whatever happens in between: $name',
  ({ room }) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
        const { inbox, keys, log, made, play, settle, read } = world(room);
        // Nobody was there at the first listing: whoever is listed later is news.
        inbox.state.resync(CUSTOMER, { reason: 'first' });
        const first = inbox.state.claimResync();
        if (first === undefined) throw new Error('no resync');
        inbox.state.listed(first, [], undefined);
        inbox.later(1);
        for (const each of steps) {
          play(each);
          expect(inbox.countsAreRight()).toBe(true);
        }
        settle();
        const { items } = inbox.state.messages({ limit: 1_000 });
        expect(items.filter(({ state }) => state !== 'worked')).toEqual([]);
        const kept = new Set(
          items.filter(({ watch }) => watch === 'w1').map((row) => `${row.channel} n:${row.number}`),
        );
        expect(kept).toEqual(keys);
        expect(inbox.state.status()).toMatchObject({ waiting: 0, delivering: 0, dead: 0, resync: null });
        for (const user of USERS) {
          const all = (made.get(user) ?? []).map(({ seen }) => essence(seen));
          expect(all.filter((each, at) => each === all[at - 1])).toEqual([]);
          for (const sink of SINKS) {
            const told = toldOf(log, sink, user).map(({ seen }) => essence(seen));
            expect(told.at(-1) ?? 'gone').toBe(essence(read(user)));
            if (items.some(({ user_id: id }) => id === user)) expect(told).not.toEqual([]);
          }
        }
      }),
      { numRuns: budgetFor(20, 60) },
    );
  },
  60_000,
);
