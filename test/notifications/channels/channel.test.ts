import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  channelEvents,
  channelStates,
  computeAcceptsUntil,
  type ChannelEvent,
  isEnded,
  computeNextState,
  CHANNEL_STATES,
  type ChannelState,
} from '../../../src/notifications/channels/channel.ts';

const EVENTS = Object.keys(channelEvents) as ChannelEvent[];
const events = fc.array(fc.constantFrom(...EVENTS), { maxLength: 30 });

/** The states that a channel passes through; events that move nothing are passed over. */
function livesThrough(happened: readonly ChannelEvent[]): readonly ChannelState[] {
  const lived: ChannelState[] = ['pending'];
  for (const event of happened) {
    const state = computeNextState(lived.at(-1) ?? 'pending', event);
    if (state !== undefined) lived.push(state);
  }
  return lived;
}

describe('the life of a channel', () => {
  test.each<[string, readonly ChannelEvent[], readonly ChannelState[]]>([
    [
      'is renewed, replaced and stopped',
      ['granted', 'renewal', 'replaced', 'unneeded', 'stop_taken'],
      ['pending', 'active', 'renewing', 'superseded', 'stopping', 'stopped'],
    ],
    ['is refused', ['refused', 'granted'], ['pending', 'failed']],
    ['ends although it covers its watch', ['granted', 'life_over', 'renewal'], ['pending', 'active', 'expired']],
    [
      'ends while a successor is asked for',
      ['granted', 'renewal', 'life_over'],
      ['pending', 'active', 'renewing', 'expired'],
    ],
    ['is an orphan that its sync told of', ['unneeded', 'stop_taken'], ['pending', 'stopping', 'stopped']],
    ['is an orphan that nobody heard of', ['life_over'], ['pending', 'failed']],
    [
      'cannot be stopped until its life is over',
      ['granted', 'unneeded', 'life_over'],
      ['pending', 'active', 'stopping', 'expired'],
    ],
    ['is granted after it was given up', ['unneeded', 'granted', 'stop_taken'], ['pending', 'stopping', 'stopped']],
  ])('one that %s', (_what, happened, lived) => {
    expect(livesThrough(happened)).toEqual(lived);
  });

  test('never comes back to a state that it left, and ends after at most five moves', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const lived = livesThrough(happened);
        expect(new Set(lived).size).toBe(lived.length);
        expect(lived.length).toBeLessThanOrEqual(6);
      }),
    );
  });

  test('whatever happened, its life passing ends it', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const last = livesThrough([...happened, 'life_over']).at(-1);
        expect(['stopped', 'expired', 'failed']).toContain(last);
      }),
    );
  });

  test('is active only by a grant, and stopped only if it was to be', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const lived = livesThrough(happened);
        if (lived.includes('active')) expect(happened).toContain('granted');
        if (lived.includes('stopped')) expect(lived.at(-2)).toBe('stopping');
      }),
    );
  });
});

describe('the table of states', () => {
  test('has each state once, and moves only to states and by events that there are', () => {
    expect(channelStates.map(({ state }) => state)).toEqual([...CHANNEL_STATES]);
    for (const { on } of channelStates)
      for (const [event, state] of Object.entries(on)) {
        expect(EVENTS).toContain(event);
        expect(CHANNEL_STATES).toContain(state);
      }
  });

  test('ends in three states', () => {
    expect(CHANNEL_STATES.filter(isEnded)).toEqual(['stopped', 'expired', 'failed']);
  });
});

describe('W4: a token dies with its channel', () => {
  const END_MS = 1_000_000;
  test.each<[string, ChannelState, number | null, number]>([
    ['five minutes after its life', 'active', null, 1_300_000],
    ['five minutes after its life, also when it expired', 'expired', END_MS, 1_300_000],
    ['five minutes after its life, while the vendor will not stop it', 'stopping', null, 1_300_000],
    ['five minutes after its stop', 'stopped', 400_000, 700_000],
    ['five minutes after its life, when it was stopped later', 'stopped', 1_100_000, 1_300_000],
    ['at once, when the vendor refused it', 'failed', 400_000, 0],
    ['five minutes after the life that was asked for, when the answer was lost', 'failed', END_MS, 1_300_000],
    ['five minutes after the life that was asked for, while the answer is awaited', 'pending', null, 1_300_000],
  ])('%s', (_when, state, endedAtMs, diesAtMs) => {
    expect(computeAcceptsUntil({ state, endedAtMs, expiresAtMs: END_MS })).toBe(diesAtMs);
  });
});
