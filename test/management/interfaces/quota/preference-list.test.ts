import { describe, expect, test } from 'vitest';
import { CPUS, EMAIL, idsOf, quotaWorld, requested, textOf } from './quota-world.ts';

/** Four preferences, a second apart: `d` is made first, and `b` is still pending. */
function four() {
  const world = quotaWorld();
  const { create, tenant } = world;
  create(requested({ service: 'b.example', quotaId: 'Q1' }, 5), { quotaPreferenceId: 'd' });
  tenant.later(1_000);
  create(requested({ service: 'a.example', quotaId: 'Q2' }, 6), { quotaPreferenceId: 'c' });
  tenant.later(1_000);
  create(requested({ service: 'b.example', quotaId: 'Q0' }, 7), { quotaPreferenceId: 'a' });
  tenant.later(1_000);
  create(requested(CPUS, 48, { contactEmail: EMAIL, dimensions: { region: 'us-east1' } }), { quotaPreferenceId: 'b' });
  return world;
}

test('none is an empty answer', () => {
  expect(quotaWorld().list()).toEqual({});
});

test.each([
  [undefined, ['d', 'c', 'a', 'b']],
  ['create_time desc', ['b', 'a', 'c', 'd']],
  ['name', ['a', 'b', 'c', 'd']],
  ['quota_id', ['b', 'a', 'd', 'c']],
  ['service, create_time desc', ['c', 'a', 'd', 'b']],
  ['createTime', ['d', 'c', 'a', 'b']],
])('ordered by %s', (orderBy, ids) => {
  expect(idsOf(four().list(orderBy === undefined ? {} : { orderBy }))).toEqual(ids);
});

test.each(['etag', 'name down', 'name asc x', 'constructor', 'a,b,c,d,e,f', 'x'.repeat(300)])(
  'K9: the order %s is refused',
  (orderBy) => {
    expect(four().listRefused({ orderBy })).toMatch(/^400 invalid: /);
  },
);

test.each([
  ['reconciling=true', ['b']],
  ['reconciling=false', ['d', 'c', 'a']],
  ['service="b.example"', ['d', 'a']],
  ['service="b.example" AND quota_id=Q0', ['a']],
  ['reconciling=true OR create_time<"2026-11-21T00:00:01Z"', ['d', 'b']],
  ['request_type=CLOUD_CONSOLE', []],
  ['request_type=ORIGIN_UNSPECIFIED', ['d', 'c', 'a', 'b']],
  ['dimensions.region="us-east1"', ['b']],
  ['quota_config.preferred_value>6', ['a', 'b']],
  ['NOT service:example', ['b']],
])('filtered by %s', (filter, ids) => {
  expect(idsOf(four().list({ filter }))).toEqual(ids);
});

test.each(['reconciling=', '(service', 'contact_email="ada@example.com"', 'x'.repeat(20_001)])(
  'K9: the filter %s is refused',
  (filter) => {
    expect(four().listRefused({ filter })).toMatch(/^400 invalid: /);
  },
);

describe('pages', () => {
  test('go on where the last one ended, in either direction', () => {
    const { list } = four();
    for (const [orderBy, ids] of [
      ['create_time', ['d', 'c', 'a', 'b']],
      ['service desc', ['b', 'a', 'd', 'c']],
    ] as const) {
      const first = list({ orderBy, pageSize: 3 });
      const second = list({ orderBy, pageSize: 3, pageToken: textOf(first['nextPageToken']) });
      expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
      expect(second).not.toHaveProperty('nextPageToken');
    }
  });

  test('K9: a token of another order or filter is refused, and so is a negative size', () => {
    const { list, listRefused } = four();
    const pageToken = textOf(list({ pageSize: 1 })['nextPageToken']);
    expect(listRefused({ pageSize: 1, pageToken, orderBy: 'name' })).toBe('400 invalid: Invalid Input: pageToken');
    expect(listRefused({ pageSize: 1, pageToken, filter: 'reconciling=true' })).toBe(
      '400 invalid: Invalid Input: pageToken',
    );
    expect(listRefused({ pageSize: -1 })).toMatch(/^400 invalid: /);
  });
});
