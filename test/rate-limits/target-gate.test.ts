import { describe, expect, test } from 'vitest';
import {
  admitAudit as admitEntry,
  type AuditKind,
  DOMAIN_LIMITS,
  type DomainState,
  idleDomain,
  leave,
  TARGET_LIMITS,
  normaliseTargetHost,
  buildAuditTarget,
} from '../../src/rate-limits/target-gate.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

const admit = (state: DomainState, id: string, nowMs: number, kind: AuditKind = 'paid', host = 'example.com') =>
  admitEntry(state, { id, kind, target: buildAuditTarget(host) }, nowMs);

/** Starts and ends `count` audits, a second apart. */
function after(count: number): DomainState {
  let state = idleDomain;
  for (let run = 0; run < count; run += 1)
    state = leave(admit(state, `run-${run}`, NOW + run * 1000).state, `run-${run}`, NOW + run * 1000);
  return state;
}

test('F6: two audits of one host run at once, a third waits until one is done', () => {
  const one = admit(idleDomain, 'a', NOW);
  const two = admit(one.state, 'b', NOW);
  const three = admit(two.state, 'c', NOW);
  expect([one, two, three].map(({ admission }) => admission.admitted)).toEqual([true, true, false]);
  expect(admit(leave(three.state, 'a', NOW), 'c', NOW).admission).toEqual({ admitted: true });
});

test('F6: sixty paid audits of one host may start in an hour; the sixty-first is told when', () => {
  const state = after(TARGET_LIMITS.paidPerHour);
  const refused = admit(state, 'more', NOW + 10 * MINUTE);
  expect(refused.admission).toEqual({ admitted: false, retryAfterS: 50 * 60 });
  expect(admit(state, 'more', NOW + 60 * MINUTE).admission).toEqual({ admitted: true });
});

test('F6: twelve free previews of one host may start in an hour; paid audits have a count of their own', () => {
  let state = idleDomain;
  for (let run = 0; run < TARGET_LIMITS.unpaidPerHour; run += 1) {
    const { admission, state: entered } = admit(state, `run-${run}`, NOW + run * 1000, 'unpaid');
    expect(admission.admitted).toBe(true);
    state = leave(entered, `run-${run}`, NOW + run * 1000);
  }
  const later = NOW + 10 * MINUTE;
  expect(admit(state, 'more', later, 'unpaid').admission).toEqual({ admitted: false, retryAfterS: 50 * 60 });
  expect(admit(state, 'paid', later).admission).toEqual({ admitted: true });
  expect(admit(state, 'more', NOW + 60 * MINUTE, 'unpaid').admission).toEqual({ admitted: true });
});

test('F6: free previews and paid audits of one host take the same two places', () => {
  const free = admit(idleDomain, 'free', NOW, 'unpaid');
  const paid = admit(free.state, 'paid', NOW);
  expect(paid.admission.admitted).toBe(true);
  expect(admit(paid.state, 'third', NOW, 'unpaid').admission).toEqual({ admitted: false, retryAfterS: 10 });
  expect(admit(paid.state, 'third', NOW).admission).toEqual({ admitted: false, retryAfterS: 10 });
});

test('F6: sixty paid audits leave the free previews of the hour as they are', () => {
  const state = after(TARGET_LIMITS.paidPerHour);
  expect(admit(state, 'free', NOW + 10 * MINUTE, 'unpaid').admission).toEqual({ admitted: true });
});

test('an audit that never said it was done does not hold its place for ever', () => {
  const full = admit(admit(idleDomain, 'a', NOW).state, 'b', NOW).state;
  expect(admit(full, 'c', NOW + MINUTE).admission.admitted).toBe(false);
  expect(admit(full, 'c', NOW + 2 * MINUTE).admission.admitted).toBe(true);
});

test('leaving twice, or without having entered, changes nothing', () => {
  const { state } = admit(idleDomain, 'a', NOW);
  expect(leave(leave(state, 'x', NOW), 'x', NOW)).toEqual(state);
});

test.each(['example.com', 'example.com.', 'EXAMPLE.com', 'Example.Com.'])(
  'F6: %s has the gate of example.com',
  (host) => {
    expect(normaliseTargetHost(host)).toBe('example.com');
  },
);

test('F6: the addresses of one IPv6 /64 are one host, an IPv4 address is a host of its own', () => {
  expect(buildAuditTarget('[2606:4700::6810:84e5]')).toEqual(buildAuditTarget('[2606:4700:0:0:1::1]'));
  expect(buildAuditTarget('[2606:4700:0:1::1]')).not.toEqual(buildAuditTarget('[2606:4700::1]'));
  expect(buildAuditTarget(normaliseTargetHost('[2606:4700::1]'))).toEqual(buildAuditTarget('[2606:4700::1]'));
  expect(buildAuditTarget('93.184.216.34')).toEqual({ host: '93.184.216.34', domain: '93.184.216.34' });
});

test.each([
  ['a.victim.example', 'victim.example'],
  ['b.a.victim.example.', 'victim.example'],
  ['shop.example.co.uk', 'example.co.uk'],
  ['alice.github.io', 'alice.github.io'],
])('F6: %s is counted for %s', (host, domain) => {
  expect(buildAuditTarget(host).domain).toBe(domain);
});

describe('B11, F6: the hosts of one registrable domain share its places and counts', () => {
  const at = (n: number): string => `s${n}.victim.example`;

  /** Starts an audit of a host of its own each time and ends it again, until one is refused. @returns how many started */
  function flood(state: DomainState, kind: AuditKind): { started: number; state: DomainState; retryAfterS: number } {
    for (let run = 0; run < 1000; run += 1) {
      const { admission, state: entered } = admit(state, `flood-${run}`, NOW, kind, at(run));
      if (!admission.admitted) return { started: run, state: entered, retryAfterS: admission.retryAfterS };
      state = leave(entered, `flood-${run}`, NOW);
    }
    throw new Error('nothing was refused');
  }

  test.each([
    ['paid', DOMAIN_LIMITS.paidPerHour],
    ['unpaid', DOMAIN_LIMITS.unpaidPerHour],
  ] as const)('invented subdomains have %s audits of the domain, and no more', (kind, limit) => {
    const { started, state, retryAfterS } = flood(idleDomain, kind);
    expect([started, retryAfterS]).toEqual([limit, 3600]);
    expect(state.size).toBe(limit);
    expect(admit(state, 'later', NOW + 60 * MINUTE, kind, at(1)).admission).toEqual({ admitted: true });
  });

  test('the domain itself and its www have their own limits whatever other hosts took', () => {
    for (const host of ['victim.example', 'www.victim.example']) {
      let { state } = flood(idleDomain, 'unpaid');
      for (let run = 0; run < TARGET_LIMITS.unpaidPerHour; run += 1) {
        const { admission, state: entered } = admit(state, `own-${run}`, NOW, 'unpaid', host);
        expect(admission).toEqual({ admitted: true });
        state = leave(entered, `own-${run}`, NOW);
      }
      expect(admit(state, 'more', NOW, 'unpaid', host).admission.admitted).toBe(false);
    }
  });

  test('six audits of the domain run at once, two of one host at most', () => {
    let state: DomainState = idleDomain;
    const enter = (id: string, host: string): boolean => {
      const entered = admit(state, id, NOW, 'paid', host);
      state = entered.state;
      return entered.admission.admitted;
    };
    expect(['a', 'b', 'c'].map((id) => enter(id, at(0)))).toEqual([true, true, false]);
    expect(['d', 'e', 'f', 'g'].map((id, n) => enter(id, at(n + 1)))).toEqual([true, true, true, true]);
    expect(enter('h', at(9))).toBe(false);
    expect(enter('i', 'www.victim.example')).toBe(true);
    state = leave(leave(state, 'd', NOW), 'i', NOW);
    expect(enter('h', at(9))).toBe(true);
  });

  test('one subdomain takes a third of the domain at most: another has room', () => {
    let state: DomainState = idleDomain;
    for (let run = 0; run < 100; run += 1)
      state = leave(admit(state, `${run}`, NOW, 'unpaid', 'loud.victim.example').state, `${run}`, NOW);
    for (let run = 0; run < TARGET_LIMITS.unpaidPerHour; run += 1) {
      const { admission, state: entered } = admit(state, `${run}`, NOW, 'unpaid', 'quiet.victim.example');
      expect(admission).toEqual({ admitted: true });
      state = leave(entered, `${run}`, NOW);
    }
  });
});
