import { describe, expect, test } from 'vitest';
import type { Effect, UserEffect } from '../../../src/notifications/sinks/sink.ts';
import { messageOf } from '../inbox/messages.ts';
import { CUSTOMER, failure, sinkOf, userOf, world } from './world.ts';

const userEffects = (delivered: readonly Effect[]): UserEffect[] =>
  delivered.filter((effect) => effect.type === 'user');
const alertsIn = (delivered: readonly Effect[]): string[] =>
  delivered.flatMap((effect) => (effect.type === 'alert' ? [effect.alert.kind] : []));
const openAlerts = ({ state }: ReturnType<typeof world>): string[] =>
  state()
    .status()
    .alerts.map(({ kind, subject }) => `${kind} ${subject}`);
const counts = ({ state }: ReturnType<typeof world>) => {
  const { waiting, delivering, dead } = state().status();
  return { waiting, delivering, dead };
};

describe('reading', () => {
  test('a message leads to one reading of its user, and each sink is told what was read', async () => {
    const [audit, webhook] = [sinkOf('audit'), sinkOf('webhook')];
    const here = world({ sinks: [audit.sink, webhook.sink] });
    here.users.set('ann', userOf('ann', { orgUnitPath: '/Sales' }));
    here.keep(messageOf('ann', 7));
    expect(await here.work()).toEqual({ read: 1, delivered: 2, failed: 0, more: false });
    expect(here.asked).toEqual(['ann']);
    const [effect] = userEffects(audit.delivered);
    expect(effect).toMatchObject({ id: `${CUSTOMER}/ann/1`, userId: 'ann', causes: ['update'] });
    expect(effect?.seen).toMatchObject({ state: 'active', user: { orgUnitPath: '/Sales' } });
    expect(webhook.delivered).toEqual(audit.delivered);
    expect(counts(here)).toEqual({ waiting: 0, delivering: 0, dead: 0 });
  });

  test('many messages of one user are one reading and one effect', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    here.users.set('ann', userOf('ann'));
    here.keep(messageOf('ann', 1), messageOf('ann', 2, { state: 'makeAdmin' }), messageOf('ann', 3));
    expect(await here.work()).toMatchObject({ read: 1, delivered: 1 });
    expect(userEffects(audit.delivered)[0]?.causes.toSorted()).toEqual(['makeAdmin', 'update']);
  });

  test.each([
    ['is not there any more', undefined, 'gone'],
    ['is suspended', userOf('ann', { suspended: true }), 'suspended'],
    ['is archived', userOf('ann', { archived: true }), 'suspended'],
    ['is active', userOf('ann'), 'active'],
  ])('a user that %s', async (_what, user, seen) => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    if (user !== undefined) here.users.set('ann', user);
    here.keep(messageOf('ann', 1));
    await here.work();
    expect(userEffects(audit.delivered).map((effect) => effect.seen.state)).toEqual([seen]);
  });

  test.each(['credentials_refused', 'not_found', 'refused', 'unavailable', 'rate_limited', 'id_not_unique'] as const)(
    'a directory that answers %s has not said that the user is gone: it is asked again later',
    async (reason) => {
      const audit = sinkOf('audit');
      const here = world({ sinks: [audit.sink] });
      const { readUser } = here.vendor;
      here.vendor.readUser = async () => failure(reason);
      here.keep(messageOf('ann', 1));
      expect(await here.work()).toMatchObject({ read: 0, failed: 1, more: false });
      expect([userEffects(audit.delivered), counts(here)]).toEqual([[], { waiting: 1, delivering: 0, dead: 0 }]);
      here.vendor.readUser = readUser;
      here.users.set('ann', userOf('ann'));
      here.clock.nowMs += 30_000;
      await here.work();
      expect(userEffects(audit.delivered).map((effect) => effect.seen.state)).toEqual(['active']);
    },
  );

  test.each([
    ['throws', () => Promise.reject(new TypeError('Bearer secret-token')), 'unavailable: TypeError'],
    ['never answers', () => new Promise<never>(() => undefined), 'unavailable: Late'],
  ])('a directory that %s is as good as away, and nothing of its words is kept', async (_how, readUser, detail) => {
    const here = world({ limits: { callMs: 20 } });
    here.vendor.readUser = readUser;
    here.keep(messageOf('ann', 1));
    expect(await here.work()).toMatchObject({ failed: 1 });
    expect(here.state().messages({ limit: 1 }).items[0]?.last_error).toBe(detail);
    expect(JSON.stringify(here.lines)).not.toContain('secret-token');
  });

  test('a message that comes while its user is read leads to another reading', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    here.users.set('ann', userOf('ann'));
    const { readUser } = here.vendor;
    let isFirst = true;
    here.vendor.readUser = async (asked) => {
      const answer = await readUser(asked);
      if (isFirst) {
        here.users.set('ann', userOf('ann', { suspended: true }));
        here.keep(messageOf('ann', 2));
      }
      isFirst = false;
      return answer;
    };
    here.keep(messageOf('ann', 1));
    expect(await here.work()).toMatchObject({ read: 2, delivered: 2, more: false });
    expect(userEffects(audit.delivered).map((effect) => effect.seen.state)).toEqual(['active', 'suspended']);
  });

  test('six users are read at once, and no more', async () => {
    const here = world();
    let [now, most] = [0, 0];
    here.vendor.readUser = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return { ok: true, user: null };
    };
    here.keep(...Array.from({ length: 40 }, (_, n) => messageOf(`user${n}`, n)));
    expect(await here.work()).toMatchObject({ read: 40 });
    expect(most).toBe(6);
  });

  test('whom the service account acts for comes from the watch of the message', async () => {
    const here = world();
    here.keep(messageOf('ann', 1, { subject: 'admin-of-watch' }));
    await here.work();
    expect(here.asked).toEqual(['ann for admin-of-watch']);
  });
});

describe('an outage of the directory', () => {
  const messages = Array.from({ length: 100 }, (_, n) => messageOf(`user${n}`, n));

  test('after a few failures in a row it is left alone: what waits does not die of it', async () => {
    const here = world();
    const { readUser } = here.vendor;
    let tries = 0;
    here.vendor.readUser = async () => {
      tries += 1;
      return failure('unavailable');
    };
    here.keep(...messages);
    await here.work();
    expect(tries).toBeLessThanOrEqual(11); // Six failures, with five more under way.
    const before = tries;
    expect(await here.work()).toEqual({ read: 0, delivered: 0, failed: 0, more: true });
    expect(tries).toBe(before);
    here.vendor.readUser = readUser;
    here.clock.nowMs += 30_000;
    expect(await here.work()).toMatchObject({ read: 100, more: false });
    expect(counts(here)).toEqual({ waiting: 0, delivering: 0, dead: 0 });
  });

  test('Retry-After is honoured at once', async () => {
    const here = world({ limits: { readsAtOnce: 1 } });
    here.vendor.readUser = async () => failure('rate_limited', { retryAfterMs: 20_000 });
    here.keep(...messages);
    expect(await here.work()).toMatchObject({ failed: 1 });
    here.clock.nowMs += 19_999;
    expect(await here.work()).toMatchObject({ failed: 0 });
    here.clock.nowMs += 1;
    expect(await here.work()).toMatchObject({ failed: 1 });
  });

  test('a refusal that is about one user leaves the others to be read', async () => {
    const here = world();
    const { readUser } = here.vendor;
    here.vendor.readUser = async (asked) => (Number(asked.userId.slice(4)) < 50 ? failure('refused') : readUser(asked));
    here.keep(...messages);
    expect(await here.work()).toMatchObject({ read: 50, failed: 50 });
  });

  test('one that says it may be asked at once is left alone after a few failures all the same', async () => {
    const here = world();
    here.vendor.readUser = async () => failure('unavailable', { retryAfterMs: 0 });
    here.keep(...messages);
    expect((await here.work()).failed).toBeLessThanOrEqual(11);
  });

  test('a subject that is refused is left alone, and users of another one are read', async () => {
    const here = world();
    const { readUser } = here.vendor;
    here.vendor.readUser = async (asked) =>
      asked.subject === 'refused' ? failure('credentials_refused') : readUser(asked);
    const refused = messages.map((message) => ({ ...message, subject: 'refused' }));
    const good = Array.from({ length: 100 }, (_, n) => messageOf(`other${n}`, 1_000 + n, { subject: 'good' }));
    here.keep(...refused, ...good);
    const report = await here.work();
    expect(report).toMatchObject({ read: 100, more: false });
    expect(report.failed).toBeLessThanOrEqual(11); // Six failures, with five more under way.
    here.vendor.readUser = readUser;
    here.clock.nowMs += 60_000;
    expect(await here.work()).toMatchObject({ read: 100, more: false }); // None of them died of it.
    expect(counts(here)).toEqual({ waiting: 0, delivering: 0, dead: 0 });
  });

  test('a listing for a subject that is refused waits, with its tries', async () => {
    const here = world();
    here.vendor.readUser = async () => failure('credentials_refused');
    here.keep(...messages.slice(0, 6).map((message) => ({ ...message, subject: 'refused' })));
    await here.work();
    here.state().resync(CUSTOMER, { reason: 'daily', subject: 'refused' });
    await here.work();
    expect([here.asked, here.state().status().resync?.tries]).toEqual([[], 0]);
    here.clock.nowMs += 60_000;
    await here.work();
    expect(here.asked).toEqual([`list ${CUSTOMER} first`]);
  });

  test('no other resync is ordered where one is under way when it answers again', async () => {
    const here = world();
    const { readUser, listUsers } = here.vendor;
    here.vendor.readUser = async () => failure('unavailable');
    here.vendor.listUsers = async () => failure('refused');
    here.keep(...Array.from({ length: 6 }, (_, n) => messageOf(`user${n}`, n)));
    for (let n = 0; n < 5; n += 1) {
      here.clock.nowMs += 600_000;
      await here.work();
    }
    here.state().resync(CUSTOMER, { reason: 'daily' });
    here.vendor.readUser = readUser;
    here.keep(messageOf('ann', 100));
    here.clock.nowMs += 600_000;
    await here.work(); // It is back, and the listing fails: it stays under way.
    here.vendor.listUsers = listUsers;
    here.clock.nowMs += 600_000;
    await here.work();
    expect(here.asked).toEqual(['ann', `list ${CUSTOMER} first`]);
    expect(here.state().status().resync).toBeNull();
  });

  test('messages that died of it are made up for by a resync once it answers again', async () => {
    const here = world();
    const { readUser } = here.vendor;
    here.users.set('ann', userOf('ann'));
    here.vendor.readUser = async () => failure('unavailable');
    here.keep(...Array.from({ length: 6 }, (_, n) => messageOf(`user${n}`, n)));
    for (let n = 0; n < 5; n += 1) {
      here.clock.nowMs += 600_000;
      await here.work();
    }
    expect(counts(here)).toEqual({ waiting: 0, delivering: 0, dead: 6 });
    here.vendor.readUser = readUser;
    here.keep(messageOf('ann', 100));
    here.clock.nowMs += 600_000;
    await here.work();
    expect(here.asked).toEqual(['ann', `list ${CUSTOMER} first`]);
  });
});

describe('sinks', () => {
  test('one that does not take an effect now is told again, with the same id', async () => {
    let isUp = false;
    const audit = sinkOf('audit', () => (isUp ? { ok: true } : { ok: false, outcome: 'again', detail: '503' }));
    const here = world({ sinks: [audit.sink] });
    here.keep(messageOf('ann', 1));
    expect(await here.work()).toEqual({ read: 1, delivered: 0, failed: 1, more: false });
    isUp = true;
    here.clock.nowMs += 30_000;
    expect(await here.work()).toMatchObject({ read: 0, delivered: 1 });
    expect(audit.delivered.map(({ id }) => id)).toEqual([`${CUSTOMER}/ann/1`, `${CUSTOMER}/ann/1`]);
  });

  test.each([
    ['throws', () => Promise.reject(new RangeError('whsec_secret')), 'RangeError'],
    ['never answers', () => new Promise<never>(() => undefined), 'Late'],
  ])('of one that %s only the name of the failure is kept, and it is told again', async (_how, answer, name) => {
    const audit = sinkOf('audit', answer);
    const here = world({ sinks: [audit.sink], limits: { callMs: 20 } });
    here.keep(messageOf('ann', 1));
    expect(await here.work()).toMatchObject({ failed: 1 });
    expect(here.state().messages({ limit: 1 }).items[0]).toMatchObject({
      state: 'delivering',
      last_error: `again: audit: ${name}`,
    });
    expect(JSON.stringify(here.lines)).not.toContain('whsec');
  });

  test('one that refuses makes the message dead at once', async () => {
    const audit = sinkOf('audit', () => ({ ok: false, outcome: 'refused', detail: '410' }));
    const here = world({ sinks: [audit.sink] });
    here.keep(messageOf('ann', 1));
    await here.work();
    expect(counts(here).dead).toBeGreaterThanOrEqual(1);
    expect(here.state().messages({ limit: 9, state: 'dead', channel: 'channel-1' }).items).toHaveLength(1);
  });

  test('one that fails holds up no other, and is left alone after a few failures', async () => {
    const bad = sinkOf('bad', () => ({ ok: false, outcome: 'again', detail: '503' }));
    const good = sinkOf('good');
    const here = world({ sinks: [bad.sink, good.sink] });
    here.keep(...Array.from({ length: 100 }, (_, n) => messageOf(`user${n}`, n)));
    await here.work();
    expect(good.delivered).toHaveLength(100);
    expect(bad.delivered.length).toBeLessThanOrEqual(9); // Six failures, with three more under way.
  });

  test('each is told of so many at once, and no more', async () => {
    let [now, most] = [0, 0];
    const slow = sinkOf('slow', async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return { ok: true };
    });
    const here = world({ sinks: [slow.sink] });
    here.keep(...Array.from({ length: 40 }, (_, n) => messageOf(`user${n}`, n)));
    await here.work();
    expect([slow.delivered.length, most]).toEqual([40, 4]);
  });

  test('what is for one that is configured no longer is dead, and goes on when it is back', async () => {
    const audit = sinkOf('audit', () => ({ ok: false, outcome: 'again', detail: '503' }));
    const sinks = [audit.sink];
    const here = world({ sinks });
    here.keep(messageOf('ann', 1));
    await here.work();
    sinks.length = 0;
    here.clock.nowMs += 30_000;
    await here.work();
    expect(here.state().messages({ limit: 9, channel: 'channel-1' }).items[0]).toMatchObject({
      state: 'dead',
      last_error: 'audit: refused: audit: no such sink is configured',
    });
    const back = sinkOf('audit');
    sinks.push(back.sink);
    here.state().replay({ channel: 'channel-1' });
    await here.work();
    expect(userEffects(back.delivered).map(({ id }) => id)).toEqual([`${CUSTOMER}/ann/1`]);
  });

  test('one that does not want an effect is not told of it', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [{ ...audit.sink, wants: ({ type }) => type === 'alert' }] });
    here.keep(messageOf('ann', 1));
    expect(await here.work()).toMatchObject({ read: 1, delivered: 0 });
    expect(counts(here)).toEqual({ waiting: 0, delivering: 0, dead: 0 });
  });
});

describe('alerts', () => {
  const failing = () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    const { readUser } = here.vendor;
    here.vendor.readUser = async () => failure('refused');
    here.keep(messageOf('ann', 1));
    return { audit, here, mend: () => void (here.vendor.readUser = readUser) };
  };

  test('the first dead message raises one, once, and it is over when none is dead', async () => {
    const { audit, here, mend } = failing();
    for (let n = 0; n < 4; n += 1) {
      await here.work();
      here.passToDue();
    }
    expect(alertsIn(audit.delivered)).toEqual([]);
    await here.work();
    expect([alertsIn(audit.delivered), openAlerts(here)]).toEqual([['dead_letter'], [`dead_letter ${CUSTOMER}`]]);
    await here.work();
    here.restart();
    await here.work();
    expect(alertsIn(audit.delivered)).toEqual(['dead_letter']);
    mend();
    here.state().replay({});
    await here.work();
    expect([counts(here), openAlerts(here)]).toEqual([{ waiting: 0, delivering: 0, dead: 0 }, []]);
  });

  test('one that a crash kept from being raised is raised by the next run', async () => {
    const { audit, here } = failing();
    const crash = () => {
      throw new Error('crash');
    };
    for (let n = 0; n < 4; n += 1) {
      await here.work();
      here.passToDue();
    }
    await expect(here.work((state) => ({ ...state, raise: crash }))).rejects.toThrow('crash');
    here.restart();
    await here.work();
    expect(alertsIn(audit.delivered)).toEqual(['dead_letter']);
  });

  test('refused credentials raise one, and it is over once a user is read', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    const { readUser } = here.vendor;
    here.vendor.readUser = async () => failure('credentials_refused');
    here.keep(messageOf('ann', 1));
    await here.work();
    expect([alertsIn(audit.delivered), openAlerts(here)]).toEqual([
      ['credentials_refused'],
      ['credentials_refused users'],
    ]);
    here.vendor.readUser = readUser;
    here.passToDue();
    await here.work();
    expect(openAlerts(here)).toEqual([]);
  });

  test('refused credentials of one subject keep theirs open while users of another are read', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    const { readUser } = here.vendor;
    here.vendor.readUser = async (asked) =>
      asked.subject === 'refused' ? failure('credentials_refused') : readUser(asked);
    here.keep(messageOf('ann', 1, { subject: 'refused' }));
    for (let number = 2; number < 6; number += 1) {
      here.keep(messageOf('bob', number, { subject: 'good' }));
      await here.work();
      here.passToDue();
    }
    expect([alertsIn(audit.delivered), openAlerts(here)]).toEqual([
      ['credentials_refused'],
      ['credentials_refused users'],
    ]);
    here.vendor.readUser = readUser;
    here.clock.nowMs += 600_000;
    await here.work();
    expect(openAlerts(here)).toEqual([]);
  });

  test('nobody is refused for ever whom nobody asks for: it is over an hour later, once others are read', async () => {
    const here = world();
    here.vendor.readUser = async (asked) =>
      asked.subject === 'refused' ? failure('credentials_refused') : { ok: true, user: null };
    here.keep(messageOf('ann', 1, { subject: 'refused' }));
    for (let n = 0; n < 5; n += 1) {
      await here.work();
      here.passToDue();
    }
    expect(openAlerts(here)).toContain('credentials_refused users');
    here.clock.nowMs += 3_600_001;
    here.keep(messageOf('bob', 2, { subject: 'good' }));
    await here.work();
    expect(openAlerts(here)).not.toContain('credentials_refused users');
  });

  test('a resync that failed five times raises one, and it is over once it gets through', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    const { listUsers } = here.vendor;
    here.vendor.listUsers = async () => failure('refused');
    here.state().resync(CUSTOMER, { reason: 'daily' });
    for (let n = 0; n < 4; n += 1) {
      await here.work();
      here.passToDue();
    }
    expect(alertsIn(audit.delivered)).toEqual([]);
    await here.work();
    expect([alertsIn(audit.delivered), openAlerts(here)]).toEqual([['resync_failing'], [`resync_failing ${CUSTOMER}`]]);
    here.vendor.listUsers = listUsers;
    here.passToDue();
    await here.work();
    expect([openAlerts(here), here.state().status().resync]).toEqual([[], null]);
  });

  test('W3: collapsed messages have theirs until the resync that stands in for them is through', async () => {
    const here = world();
    const raisedAtMs = here.clock.nowMs;
    const alert = { kind: 'messages_collapsed', subject: 'channel-1', raisedAtMs, detail: '' } as const;
    const { listUsers } = here.vendor;
    here.vendor.listUsers = async () => failure('refused');
    here.state().resync(CUSTOMER, { reason: 'messages_collapsed' });
    here.state().raise(CUSTOMER, alert, () => []);
    await here.work();
    expect(openAlerts(here)).toEqual(['messages_collapsed channel-1']);
    here.vendor.listUsers = listUsers;
    here.passToDue();
    await here.work();
    expect(openAlerts(here)).toEqual([]);
  });

  test('W6: the last operator who keeps its access raises one, and it is over when its user is active again', async () => {
    const revocation = sinkOf('revocation', () => ({ ok: true, note: 'last_operator' }));
    const audit = sinkOf('audit');
    const wants = (effect: Effect) => effect.type === 'user' && effect.seen.state !== 'active';
    const here = world({ sinks: [{ ...revocation.sink, wants }, audit.sink] });
    here.users.set('ann', userOf('ann', { suspended: true }));
    here.keep(messageOf('ann', 1));
    await here.work();
    expect([alertsIn(audit.delivered), openAlerts(here)]).toEqual([['last_operator'], ['last_operator ann']]);
    here.users.set('ann', userOf('ann'));
    here.keep(messageOf('ann', 2));
    await here.work();
    expect(openAlerts(here)).toEqual([]);
  });
});

describe('a resync', () => {
  test('users whom the directory lists in an odd way are counted in the log', async () => {
    const here = world();
    here.vendor.listUsers = async () => ({ ok: true, users: [], nextPageToken: undefined, skipped: 2 });
    here.state().resync(CUSTOMER, { reason: 'daily' });
    await here.work();
    expect(here.lines).toContainEqual({ event: 'users_skipped', customer: CUSTOMER, count: 2 });
  });

  test('goes page by page, and reads who differs', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    const pages = new Map([
      ['first', { users: [userOf('ann'), userOf('bob')], nextPageToken: 'two' }],
      ['two', { users: [userOf('cat', { suspended: true })], nextPageToken: undefined }],
    ]);
    here.users.set('cat', userOf('cat', { suspended: true }));
    here.vendor.listUsers = async ({ target, subject, pageToken = 'first' }) => {
      here.asked.push(`list ${target.customer} ${String(target.domain)} ${String(subject)} ${pageToken}`);
      return { ok: true, ...(pages.get(pageToken) ?? { users: [], nextPageToken: undefined }) };
    };
    here.state().resync(CUSTOMER, { reason: 'opened', domain: 'example.com', subject: 'admin' });
    expect(await here.work()).toMatchObject({ read: 1, delivered: 1, more: false });
    expect(here.asked).toEqual([
      `list ${CUSTOMER} example.com admin first`,
      `list ${CUSTOMER} example.com admin two`,
      'cat for admin',
    ]);
    expect(userEffects(audit.delivered).map(({ userId, causes }) => [userId, causes])).toEqual([['cat', ['resync']]]);
  });

  test('a message that names no user is worked once everybody was listed', async () => {
    const here = world();
    here.keep(messageOf(null, 1, { body: 'undecodable', raw: '{' }));
    await here.work();
    expect(here.asked).toEqual([`list ${CUSTOMER} first`]);
    expect(counts(here)).toEqual({ waiting: 0, delivering: 0, dead: 0 });
  });
});

describe('a run', () => {
  test('of an inbox that nobody wrote to does nothing', async () => {
    const here = world();
    expect(await here.work()).toEqual({ read: 0, delivered: 0, failed: 0, more: false });
    expect(here.lines).toEqual([]);
  });

  test('ends when its time is over, and says that there is more', async () => {
    const here = world({ limits: { readsAtOnce: 1 } });
    here.vendor.readUser = async () => {
      here.clock.nowMs += 1_000;
      return { ok: true, user: null };
    };
    here.keep(...Array.from({ length: 100 }, (_, n) => messageOf(`user${n}`, n)));
    expect(await here.work()).toEqual({ read: 25, delivered: 0, failed: 0, more: true });
    expect(await here.work()).toMatchObject({ read: 25, more: true });
  });

  test('users are read beside a sink that takes its time', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const slow = sinkOf('slow', async () => {
      await answered;
      return { ok: true };
    });
    const here = world({ sinks: [slow.sink], limits: { perRound: 5 } });
    here.keep(...Array.from({ length: 10 }, (_, n) => messageOf(`user${n}`, n)));
    const done = here.work();
    await expect.poll(() => here.asked.length).toBe(10);
    answer();
    expect(await done).toEqual({ read: 10, delivered: 10, failed: 0, more: false });
  });

  test('has an end where the clock stands still, and the next one goes on', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink], limits: { perRound: 3, rounds: 1 } });
    here.keep(...Array.from({ length: 7 }, (_, n) => messageOf(`user${n}`, n)));
    const first = await here.work();
    expect(first).toMatchObject({ failed: 0, more: true });
    expect([first.read < 7, first.delivered <= 3]).toEqual([true, true]);
    for (let n = 0; n < 5; n += 1) await here.work();
    expect(userEffects(audit.delivered)).toHaveLength(7);
  });

  test('tells each sink at its own pace: what a slow one is told holds up no reading and no other sink', async () => {
    const answers: (() => void)[] = [];
    const slow = sinkOf('slow', async () => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return { ok: true };
    });
    const fast = sinkOf('fast');
    const here = world({ sinks: [slow.sink, fast.sink], limits: { lookMs: 5 } });
    here.keep(messageOf('ann', 1));
    const done = here.work();
    await expect.poll(() => answers.length).toBe(1);
    // All this comes while the slow one is being told of the first.
    for (let number = 2; number <= 6; number += 1) {
      here.keep(messageOf(`user${number}`, number));
      await expect.poll(() => userEffects(fast.delivered).length).toBe(number);
    }
    expect(here.asked).toHaveLength(6);
    const free = setInterval(() => answers.splice(0).forEach((answer) => answer()), 1);
    expect(await done).toEqual({ read: 6, delivered: 12, failed: 0, more: false });
    clearInterval(free);
    expect(userEffects(slow.delivered)).toHaveLength(6);
  });

  test('raises its alerts also when a sink takes all of its time', async () => {
    const slow = sinkOf('slow', () => {
      here.clock.nowMs += 10_000;
      return { ok: true };
    });
    const here = world({ sinks: [slow.sink] });
    here.vendor.readUser = async ({ userId }) =>
      userId === 'ann' ? failure('credentials_refused') : { ok: true, user: null };
    here.keep(
      ...Array.from({ length: 40 }, (_, n) => messageOf(`user${n}`, n)),
      messageOf('ann', 99, { subject: 'a' }),
    );
    expect(await here.work()).toMatchObject({ more: true });
    expect(openAlerts(here)).toEqual(['credentials_refused users']);
  });

  test('that storage fails rejects, and nothing of it is lost', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    here.keep(messageOf('ann', 1));
    const broken = () => {
      throw new Error('disk');
    };
    await expect(here.work((state) => ({ ...state, found: broken }))).rejects.toThrow('disk');
    here.restart();
    here.clock.nowMs += 60_000; // The lease of the reader that died.
    expect(await here.work()).toMatchObject({ read: 1, delivered: 1 });
  });

  test('rule 11: is logged with counts and reasons, and without e-mail address or token', async () => {
    const audit = sinkOf('audit');
    const here = world({ sinks: [audit.sink] });
    here.users.set('ann', userOf('ann'));
    here.keep(messageOf('ann', 1));
    await here.work();
    expect(here.lines).toEqual([
      { event: 'work', customer: CUSTOMER, read: 1, delivered: 1, failed: 0, dead: 0, reasons: {}, more: false },
    ]);
    expect(JSON.stringify(here.lines)).not.toContain('@');
  });
});
