import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, START_MS, type TestInbox, active, testInbox } from '../../support/management/inbox.ts';

let inbox: TestInbox;
beforeEach(() => {
  inbox = testInbox();
});

/** A message that is dead because its user could not be read. */
function deadByReading(userId: string, channel = 'c1'): void {
  inbox.keep(inbox.message(userId, { channel }));
  inbox.starve();
}

/** A message that is dead because a sink refused what was to be told. */
function deadBySink(userId: string, channel = 'c1'): void {
  inbox.keep(inbox.message(userId, { channel }));
  inbox.found(inbox.claim(), active(userId), ['trail', 'hook']);
  inbox.refuse('hook');
  inbox.later(60_000);
  inbox.tellAll();
}

describe('replay', () => {
  test('has a user read again that never was', () => {
    deadByReading('u1');
    expect(inbox.state.replay({ seq: 1 })).toEqual({ replayed: 1, more: false });
    expect(inbox.state.replay({ seq: 1 })).toEqual({ replayed: 0, more: false });
    const unit = inbox.claim();
    expect(unit).toMatchObject({ userId: 'u1', tries: 0, causes: ['replay'] });
    inbox.found(unit, active('u1'), []);
    expect(inbox.states()).toEqual([[1, 'worked']]);
  });

  test('tells the sink that died again, and it only, with the same id', () => {
    deadBySink('u1');
    const before = inbox.state.messages({ limit: 1 }).items[0];
    expect(before).toMatchObject({ state: 'dead', last_error: 'hook: answers 400' });
    expect(inbox.state.replay({})).toEqual({ replayed: 1, more: false });
    expect(inbox.states()).toEqual([[1, 'delivering']]);
    expect(inbox.state.replay({})).toEqual({ replayed: 0, more: false });
    expect(inbox.tellAll()).toEqual(['hook C01/u1/1']);
    expect(inbox.states()).toEqual([[1, 'worked']]);
    expect(inbox.state.replay({})).toEqual({ replayed: 0, more: false });
    expect(inbox.tellAll()).toEqual([]);
  });

  test('a message that dies a second time is replayed a second time', () => {
    deadBySink('u1');
    inbox.state.replay({});
    inbox.refuse('hook');
    expect(inbox.states()).toEqual([[1, 'dead']]);
    expect(inbox.state.replay({}).replayed).toBe(1);
    expect(inbox.tellAll()).toEqual(['hook C01/u1/1']);
  });

  test('leaves alone the sinks that are being told meanwhile', () => {
    inbox.read('u1', active('u1'), ['trail', 'hook']);
    inbox.refuse('hook');
    inbox.state.replay({});
    expect(inbox.tellAll()).toEqual(['hook C01/u1/1']);
    expect(inbox.states()).toEqual([[1, 'delivering']]);
    inbox.later(60_000);
    expect(inbox.tellAll()).toEqual(['trail C01/u1/1']);
    expect(inbox.states()).toEqual([[1, 'worked']]);
  });

  test('messages of one effect go together, whichever is named', () => {
    inbox.keep(inbox.message('u1'), inbox.message('u1'));
    inbox.found(inbox.claim(), active('u1'));
    inbox.refuse('trail');
    inbox.state.replay({ seq: 2 });
    expect(inbox.states()).toEqual([
      [1, 'delivering'],
      [2, 'delivering'],
    ]);
    inbox.tellAll();
    expect(inbox.state.status()).toMatchObject({ delivering: 0, dead: 0 });
  });

  test.each([
    { by: 'all', range: {}, replayed: 4 },
    { by: 'one', range: { seq: 3 }, replayed: 1 },
    { by: 'one that there is not', range: { seq: 99 }, replayed: 0 },
    { by: 'a channel', range: { channel: 'c2' }, replayed: 2 },
    { by: 'one of another channel', range: { seq: 1, channel: 'c2' }, replayed: 0 },
    { by: 'a time, from inclusive', range: { fromMs: START_MS + 2 * DAY_MS }, replayed: 2 },
    { by: 'a time, to exclusive', range: { toMs: START_MS + DAY_MS }, replayed: 1 },
    { by: 'a channel and a time', range: { channel: 'c2', fromMs: START_MS + 2 * DAY_MS }, replayed: 1 },
    { by: 'one outside the time', range: { seq: 1, fromMs: START_MS + 1 }, replayed: 0 },
  ])('takes $by', ({ range, replayed }) => {
    for (const at of [0, 1, 2, 3]) {
      inbox.later(START_MS + at * DAY_MS - inbox.now());
      const channel = at % 2 === 0 ? 'c1' : 'c2';
      if (at < 2) deadByReading(`u${at}`, channel);
      else deadBySink(`u${at}`, channel);
    }
    expect(inbox.state.status().dead).toBe(4);
    expect(inbox.state.replay(range)).toEqual({ replayed, more: false });
    expect(inbox.state.replay(range)).toEqual({ replayed: 0, more: false });
    expect(inbox.state.status().dead).toBe(4 - replayed);
    expect(inbox.countsAreRight()).toBe(true);
  });

  test('leaves alone what waits and what is worked', () => {
    inbox.read('u1', active('u1'), []);
    inbox.keep(inbox.message('u2'));
    expect([1, 2].map((seq) => inbox.state.replay({ seq }).replayed)).toEqual([0, 0]);
    expect(inbox.states()).toEqual([
      [1, 'worked'],
      [2, 'waiting'],
    ]);
  });

  test('W7: takes a bounded number of rows a call, and says that there are more', () => {
    inbox = testInbox({ replayRows: 2 });
    inbox.keep(...['a', 'b', 'c', 'd', 'e'].map((user) => inbox.message(user)));
    for (let at = 0; at < 5; at += 1) {
      for (const unit of inbox.state.claimUnits(10)) inbox.state.failed(unit, { detail: 'answers 503' });
      inbox.later(480_000);
    }
    const reports = [1, 2, 3, 4].map(() => inbox.state.replay({}));
    expect(reports).toEqual([
      { replayed: 2, more: true },
      { replayed: 2, more: true },
      { replayed: 1, more: false },
      { replayed: 0, more: false },
    ]);
  });
});

describe('prune', () => {
  const pruneAll = (): void => {
    while (inbox.state.prune());
  };

  test('dead messages are kept fourteen days, with what can be replayed of them', () => {
    deadBySink('u1');
    deadByReading('u2');
    const deadAtMs = inbox.now();
    inbox.later(14 * DAY_MS - 7_200_000);
    pruneAll();
    expect(inbox.state.status().dead).toBe(2);
    inbox.later(deadAtMs + 14 * DAY_MS - inbox.now());
    pruneAll();
    expect(inbox.states()).toEqual([]);
    expect(inbox.state.status().dead).toBe(0);
    expect(inbox.sql.exec('SELECT n FROM delivery').toArray()).toEqual([]);
    expect(inbox.state.replay({})).toEqual({ replayed: 0, more: false });
  });

  test('worked messages are kept eight days', () => {
    inbox.read('u1', active('u1'), []);
    inbox.later(8 * DAY_MS - 1);
    pruneAll();
    expect(inbox.states()).toEqual([[1, 'worked']]);
    inbox.later(1);
    pruneAll();
    expect(inbox.states()).toEqual([]);
  });

  test('what waits or is being delivered is never deleted', () => {
    inbox.keep(inbox.message('u1'));
    inbox.found(inbox.claim(), active('u1'));
    inbox.keep(inbox.message('u2'));
    inbox.later(400 * DAY_MS);
    pruneAll();
    expect(inbox.states()).toEqual([
      [1, 'delivering'],
      [2, 'waiting'],
    ]);
  });

  test('a dead message that is replayed is kept until it is worked, and eight days on', () => {
    deadBySink('u1');
    inbox.state.replay({});
    inbox.later(20 * DAY_MS);
    pruneAll();
    expect(inbox.tellAll()).toEqual(['hook C01/u1/1']);
    inbox.later(8 * DAY_MS - 1);
    pruneAll();
    expect(inbox.states()).toEqual([[1, 'worked']]);
  });

  test('a user that is gone is known for forty days; one that is there, for ever', () => {
    inbox.read('u1', { state: 'gone' }, []);
    inbox.read('u2', active('u2'), []);
    inbox.later(40 * DAY_MS - 1);
    pruneAll();
    expect(inbox.read('u1', { state: 'gone' }, [])).toBe('unchanged');
    inbox.later(40 * DAY_MS);
    pruneAll();
    expect(inbox.read('u1', { state: 'gone' }, [])).toBe('told');
    expect(inbox.read('u2', active('u2'), [])).toBe('unchanged');
  });

  test('an alert that nobody ends may be raised again after forty days', () => {
    const raise = () => inbox.state.raise('C01', inbox.alert(), () => []);
    raise();
    inbox.later(40 * DAY_MS - 1);
    pruneAll();
    expect(raise()).toBe(false);
    inbox.later(1);
    pruneAll();
    expect(raise()).toBe(true);
  });

  test('deletes a bounded number of rows a call, and says that there are more', () => {
    inbox = testInbox({ pruneRows: 2 });
    for (const user of ['a', 'b', 'c']) inbox.read(user, active(user), []);
    inbox.later(8 * DAY_MS);
    expect(inbox.state.prune()).toBe(true);
    expect(inbox.states()).toHaveLength(1);
    expect(inbox.state.prune()).toBe(false);
    expect(inbox.states()).toHaveLength(0);
  });
});
