import { beforeEach, describe, expect, test } from 'vitest';
import { GONE, type TestInbox, active, testInbox, userOf } from '../../support/management/inbox.ts';

let inbox: TestInbox;
beforeEach(() => {
  inbox = testInbox();
});

const pending = () => inbox.state.claimDeliveries(100).map(({ sink, effect }) => `${sink} ${effect.id}`);

describe('a unit', () => {
  test('is handed out once, and comes back when whoever took it is lost', () => {
    inbox.keep(inbox.message('u1', { state: 'add' }));
    expect(inbox.claim().causes).toEqual(['add']);
    inbox.later(59_999);
    expect(inbox.state.claimUnits(10)).toEqual([]);
    inbox.reopen();
    inbox.later(1);
    inbox.keep(inbox.message('u1'));
    expect(inbox.claim()).toEqual({ userId: 'u1', stamp: 2, tries: 0, causes: ['add', 'update'], subject: undefined });
  });

  test('is told with the id of customer, user and stamp to each sink that wants it', () => {
    inbox.keep(inbox.message('u1', { state: 'add' }));
    const unit = inbox.claim();
    expect(inbox.found(unit, active('u1'), ['trail', 'hook'])).toBe('told');
    expect(inbox.state.claimDeliveries(10)).toEqual(
      ['trail', 'hook'].map((sink) => ({
        sink,
        tries: 0,
        leasedUntilMs: 1_788_220_860_000,
        effect: {
          type: 'user',
          id: 'C01/u1/1',
          customer: 'C01',
          userId: 'u1',
          stamp: 1,
          seen: { state: 'active', user: userOf('u1') },
          causes: ['add'],
          readAtMs: 1_788_220_800_000,
        },
      })),
    );
    expect(inbox.states()).toEqual([[1, 'delivering']]);
  });

  test('that is marked while its user is being read stays marked, and is due at once', () => {
    inbox.keep(inbox.message('u1', { state: 'add' }));
    const unit = inbox.claim();
    inbox.keep(inbox.message('u1', { state: 'delete' }));
    inbox.found(unit, active('u1'));
    expect(inbox.states()).toEqual([
      [1, 'delivering'],
      [2, 'waiting'],
    ]);
    expect(inbox.claim()).toMatchObject({ stamp: 2, causes: ['delete'] });
  });

  test('that no sink wants is worked at once', () => {
    expect(inbox.read('u1', active('u1'), [])).toBe('told');
    expect(inbox.states()).toEqual([[1, 'worked']]);
    expect(pending()).toEqual([]);
  });

  test('all messages of the user up to the stamp move together', () => {
    inbox.keep(inbox.message('u1'), inbox.message('u2'), inbox.message('u1', { channel: 'c2' }));
    inbox.found(inbox.claim(), active('u1'), []);
    expect(inbox.states()).toEqual([
      [1, 'worked'],
      [2, 'waiting'],
      [3, 'worked'],
    ]);
  });
});

describe('what was read before', () => {
  test.each([
    { what: 'the same entity tag', now: { etag: '"t"', fingerprint: 'other' }, answer: 'unchanged' },
    { what: 'another entity tag', now: { etag: '"v"', fingerprint: 'f' }, answer: 'told' },
    { what: 'no entity tag and the same fingerprint', now: { etag: '', fingerprint: 'f' }, answer: 'unchanged' },
    { what: 'no entity tag and another fingerprint', now: { etag: '', fingerprint: 'g' }, answer: 'told' },
  ])('$what: $answer', ({ now, answer }) => {
    inbox.read('u1', { state: 'active', user: userOf('u1', { etag: '"t"', fingerprint: 'f' }) });
    inbox.tellAll();
    expect(inbox.read('u1', { state: 'active', user: userOf('u1', now) })).toBe(answer);
    expect(inbox.states()).toEqual([
      [1, 'worked'],
      [2, answer === 'told' ? 'delivering' : 'worked'],
    ]);
  });

  test('a user that is suspended is told of whatever its entity tag says', () => {
    inbox.read('u1', active('u1'));
    expect(inbox.read('u1', { state: 'suspended', user: userOf('u1', { suspended: true }) })).toBe('told');
  });

  test('a user that is gone is told of once, until it comes back', () => {
    expect(inbox.read('u1', GONE)).toBe('told');
    expect(inbox.read('u1', GONE)).toBe('unchanged');
    expect(inbox.tellAll()).toEqual(['trail C01/u1/1']);
    expect(inbox.read('u1', active('u1'))).toBe('told');
    expect(inbox.tellAll()).toEqual(['trail C01/u1/3']);
    expect(inbox.read('u1', GONE)).toBe('told');
    expect(inbox.tellAll()).toEqual(['trail C01/u1/4']);
  });
});

describe('two workers with one unit', () => {
  test('who comes second with the same stamp changes nothing: no id has two contents', () => {
    inbox.keep(inbox.message('u1'));
    const first = inbox.claim();
    inbox.later(60_000);
    const second = inbox.claim();
    expect(second.stamp).toBe(first.stamp);
    expect(inbox.found(second, active('u1'))).toBe('told');
    expect(inbox.found(first, GONE)).toBe('unchanged');
    expect(inbox.read('u1', active('u1'))).toBe('unchanged');
    expect(pending()).toEqual(['trail C01/u1/1']);
  });

  test('a late reading of an earlier stamp does not take the unit from who has it now', () => {
    inbox.keep(inbox.message('u1'));
    const late = inbox.claim();
    inbox.later(60_000);
    inbox.keep(inbox.message('u1', { state: 'delete' }));
    const current = inbox.claim();
    expect(inbox.found(late, active('u1'))).toBe('told');
    expect(inbox.state.claimUnits(10)).toEqual([]);
    expect(pending()).toEqual(['trail C01/u1/1']);
    expect(inbox.found(current, GONE)).toBe('told');
    expect(inbox.state.nextDueMs()).toBe(inbox.now() + 60_000);
  });

  test('a late failure counts for nothing once somebody else has booked', () => {
    inbox.keep(inbox.message('u1'));
    const late = inbox.claim();
    inbox.later(60_000);
    const current = inbox.claim();
    inbox.state.failed(current, { detail: 'answers 503' });
    inbox.later(30_000);
    inbox.state.failed(inbox.claim(), { detail: 'answers 503' });
    inbox.later(59_999);
    inbox.state.failed(late, { detail: 'answers 503' });
    inbox.later(1);
    expect(inbox.claim().tries).toBe(2);
  });

  test('a reading that comes after the unit was given up still counts', () => {
    inbox.keep(inbox.message('u1'));
    const late = inbox.claim();
    inbox.later(60_000);
    inbox.starve();
    expect(inbox.states()).toEqual([[1, 'dead']]);
    expect(inbox.found(late, active('u1'), [])).toBe('told');
    expect(inbox.states()).toEqual([[1, 'worked']]);
  });
});

describe('a unit that cannot be read', () => {
  test('comes back after 30, 60, 120 and 240 seconds and is dead with the fifth try, its messages with it', () => {
    inbox.keep(inbox.message('u1'), inbox.message('u2'));
    const [unit, other] = inbox.state.claimUnits(2);
    if (unit === undefined || other === undefined) throw new Error('two units are due');
    inbox.found(other, active('u2'), []);
    expect(inbox.state.failed(unit, { detail: 'answers 503' })).toBe('again');
    for (const [at, seconds] of [30, 60, 120, 240].entries()) {
      inbox.later(seconds * 1_000 - 1);
      expect(inbox.state.claimUnits(1)).toEqual([]);
      inbox.later(1);
      expect(inbox.state.failed(inbox.claim(), { detail: 'answers 503' })).toBe(at === 3 ? 'dead' : 'again');
    }
    expect(inbox.states()).toEqual([
      [1, 'dead'],
      [2, 'worked'],
    ]);
    expect(inbox.state.messages({ limit: 1, state: 'dead' }).items[0]).toMatchObject({
      tries: 5,
      last_error: 'answers 503',
    });
    expect(inbox.state.nextDueMs()).toBeUndefined();
  });

  test.each([
    { asked: 'longer than our wait', retryAfterMs: 45_000, waits: 45_000 },
    { asked: 'shorter than our wait', retryAfterMs: 1_000, waits: 30_000 },
    { asked: 'a year', retryAfterMs: 365 * 86_400_000, waits: 3_600_000 },
    { asked: 'to come back yesterday', retryAfterMs: -5, waits: 30_000 },
  ])('a vendor that asks to wait $asked', ({ retryAfterMs, waits }) => {
    inbox.keep(inbox.message('u1'));
    inbox.state.failed(inbox.claim(), { detail: 'answers 429', retryAfterMs });
    expect(inbox.state.nextDueMs()).toBe(inbox.now() + waits);
  });

  test('a further message does not shorten the wait', () => {
    inbox.keep(inbox.message('u1'));
    inbox.state.failed(inbox.claim(), { detail: 'answers 503' });
    inbox.keep(inbox.message('u1'));
    expect(inbox.state.nextDueMs()).toBe(inbox.now() + 30_000);
    inbox.later(30_000);
    expect(inbox.claim()).toMatchObject({ stamp: 2, tries: 1 });
  });

  test('a message that came during the last try is not dead with the others', () => {
    inbox.keep(inbox.message('u1'));
    for (let at = 0; at < 4; at += 1) {
      inbox.state.failed(inbox.claim(), { detail: 'answers 503' });
      inbox.later(240_000);
    }
    const last = inbox.claim();
    inbox.keep(inbox.message('u1'));
    expect(inbox.state.failed(last, { detail: 'answers 503' })).toBe('dead');
    expect(inbox.states()).toEqual([
      [1, 'dead'],
      [2, 'waiting'],
    ]);
    expect(inbox.claim()).toMatchObject({ stamp: 2, tries: 0 });
  });

  test('its dead messages are settled by the next reading that succeeds', () => {
    inbox.keep(inbox.message('u1'));
    expect(inbox.starve()).toEqual(['again', 'again', 'again', 'again', 'dead']);
    inbox.read('u1', active('u1'));
    expect(inbox.states()).toEqual([
      [1, 'delivering'],
      [2, 'delivering'],
    ]);
    inbox.tellAll();
    expect(inbox.states()).toEqual([
      [1, 'worked'],
      [2, 'worked'],
    ]);
    expect(inbox.state.status()).toMatchObject({ waiting: 0, delivering: 0, dead: 0 });
  });
});
