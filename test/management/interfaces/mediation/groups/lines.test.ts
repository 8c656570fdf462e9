import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { buildLinePlace, buildNewLine } from '../../../../../src/management/interfaces/mediation/groups/lines.ts';
import { testTenant } from '../../../../support/management/management.ts';
import { FOREIGN_UNIT, grouped, LINE, lineOf, OTHER_UNIT, PUBLISHER, UNIT, UNITY } from './grouped.ts';

/** Vungle's successor, a source that is not that of the lines here. */
const LIFTOFF = '1953547073528090325';
const FOREIGN = 'accounts/pub-1111111111111111';

const one = (line: JsonObject) => ({ mediationGroupLines: { '-1': line } });

describe('a line', () => {
  test('has its source for a name, mode LIVE and is enabled where only the source is sent', () => {
    expect(lineOf(grouped().create(one({ adSourceId: UNITY })))).toMatchObject({
      displayName: 'Unity Ads',
      cpmMode: 'LIVE',
      cpmMicros: '10000',
      state: 'ENABLED',
    });
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['the least price', { cpmMicros: '10000' }, { cpmMicros: '10000' }],
    ['a price with zeros before it', { cpmMicros: '00010000' }, { cpmMicros: '10000' }],
    ['no price that counts in mode LIVE', { cpmMode: 'LIVE', cpmMicros: '1' }, { cpmMicros: '10000' }],
    ['the highest price', { cpmMicros: '9223372036854775807' }, { cpmMicros: '9223372036854775807' }],
    ['a state', { state: 'DISABLED' }, { state: 'DISABLED' }],
    ['no state', { state: 'STATE_UNSPECIFIED' }, { state: 'ENABLED' }],
    ['a name of 255 characters', { displayName: '\u{1F600}'.repeat(255) }, { displayName: '\u{1F600}'.repeat(255) }],
  ])('takes %s', (_what, more, shown) => {
    expect(lineOf(grouped().create(one({ ...LINE, ...more })))).toMatchObject(shown);
  });

  test.each<[string, JsonObject, string]>([
    ['no ad source', { adSourceId: '' }, '400 required: Missing required field: mediationGroupLines["-1"].adSourceId'],
    ['an ad source that there is not', { adSourceId: '1' }, 'there is no ad source "1"'],
    ['a name of 256 characters', { displayName: 'x'.repeat(256) }, 'it has more than 255 characters'],
    ['a price and no mode', { cpmMode: 'CPM_MODE_UNSPECIFIED' }, 'cpmMode: it must be LIVE or MANUAL'],
    ['the mode ANO', { cpmMode: 'ANO' }, 'cpmMode: it must be LIVE or MANUAL'],
    ['no price in mode MANUAL', { cpmMicros: null }, 'Missing required field: mediationGroupLines["-1"].cpmMicros'],
    ['a price below a cent', { cpmMicros: '9999' }, 'cpmMicros: it must be at least 10000, which is $0.01'],
    ['a price below zero', { cpmMicros: '-20000' }, 'cpmMicros: it must be at least 10000'],
    ['a price above all', { cpmMicros: '9223372036854775808' }, 'it must be at most 9223372036854775807'],
    ['a price that is no number', { cpmMicros: '2e4' }, 'cpmMicros: it must be at least 10000'],
    ['a state that there is not', { state: 'PAUSED' }, 'state: it must be one of ENABLED, DISABLED, REMOVED'],
    ['the state REMOVED', { state: 'REMOVED' }, 'state: a new line cannot be REMOVED'],
  ])('is refused with %s', (_what, more, message) => {
    const { createRefused, list } = grouped();
    const refused = createRefused(one({ ...LINE, ...more }));
    expect(refused).toMatch(/^400 (?:invalid|required): /);
    expect(refused).toContain(message);
    expect(list()).toEqual([]);
  });
});

test('a line gets the next id where the one that was drawn is taken', () => {
  const context = testTenant().context('admob.accounts.mediationGroups.patch');
  const place = buildLinePlace(PUBLISHER, { mediationGroupLines: { 1000000000000000: {}, 1000000000000001: {} } });
  const line = buildNewLine({ adSourceId: UNITY }, 'line', place, { ...context, random: () => '0'.repeat(16) });
  expect(line['id']).toBe('1000000000000002');
  expect(place.takenIds.has('1000000000000002')).toBe(true);
});

describe('the ad unit mappings of a line', () => {
  test('are shown by whole ad unit ids', () => {
    const { create, mapping } = grouped();
    const name = mapping();
    for (const key of [UNIT, '1234567890'])
      expect(lineOf(create(one({ ...LINE, adUnitMappings: { [key]: name } })))['adUnitMappings']).toEqual({
        [UNIT]: name,
      });
  });

  test.each<[string, string, (name: string) => string, string]>([
    ['no ad unit id', 'x', (name) => name, '"x" is no ad unit id of this publisher'],
    [
      'an ad unit that the group does not target',
      OTHER_UNIT,
      (name) => name,
      `the group does not target ${OTHER_UNIT}`,
    ],
    ['no name', UNIT, () => '', '"" is not the name of a mapping of this ad unit'],
    ['the id of a mapping alone', UNIT, (name) => name.slice(-10), 'is not the name of a mapping of this ad unit'],
    ['a mapping that is not there', UNIT, (name) => `${name}0`, 'there is no mapping "'],
    ['what is below a mapping', UNIT, (name) => `${name}/x`, 'there is no mapping "'],
    ['a name of the object prototype', '__proto__', (name) => name, 'is no ad unit id of this publisher'],
  ])('are refused with %s', (_what, key, nameOf, message) => {
    const { createRefused, mapping } = grouped();
    const adUnitMappings = Object.fromEntries([[key, nameOf(mapping())]]);
    const refused = createRefused(one({ ...LINE, adUnitMappings }));
    expect(refused).toMatch(/^400 invalid: /);
    expect(refused).toContain(message);
  });

  test('are refused with one ad unit in two spellings', () => {
    const { createRefused, mapping } = grouped();
    const adUnitMappings = { [UNIT]: mapping(), '1234567890': mapping() };
    expect(createRefused(one({ ...LINE, adUnitMappings }))).toContain('1234567890 is given twice');
  });

  test('are refused with a mapping of another ad unit', () => {
    const { createRefused, mapping } = grouped();
    const adUnitMappings = { [UNIT]: mapping('2345678901') };
    expect(createRefused(one({ ...LINE, adUnitMappings }))).toContain('is not the name of a mapping of this ad unit');
  });

  test('are refused with a mapping to an adapter of another source', () => {
    const { createRefused, mapping } = grouped();
    const adUnitMappings = { [UNIT]: mapping('1234567890', LIFTOFF) };
    expect(createRefused(one({ ...LINE, adUnitMappings }))).toContain("is not of the line's ad source");
  });

  test('K1: are refused with an ad unit or a mapping of another publisher, though it is of the same tenant', () => {
    const { createRefused, mapping } = grouped();
    const foreign = mapping('1234567890', UNITY, FOREIGN);
    expect(createRefused(one({ ...LINE, adUnitMappings: { [FOREIGN_UNIT]: foreign } }))).toContain(
      'is no ad unit id of this publisher',
    );
    const refused = createRefused(one({ ...LINE, adUnitMappings: { [UNIT]: foreign } }));
    const unknown = createRefused(
      one({ ...LINE, adUnitMappings: { [UNIT]: foreign.replace(FOREIGN, 'accounts/pub-2') } }),
    );
    expect(refused).toContain('is not the name of a mapping of this ad unit');
    // The same words for one that is there and one that is not.
    expect(unknown.replace('accounts/pub-2', FOREIGN)).toBe(refused);
    expect(PUBLISHER).not.toBe(FOREIGN);
  });

  test.each<[string, JsonObject, string]>([
    ['platform', { platform: 'IOS', format: 'BANNER' }, "is not for the group's platform, IOS"],
    ['format', { platform: 'ANDROID', format: 'NATIVE' }, "does not support the group's format, NATIVE"],
  ])('are refused with a mapping to an adapter for another %s than the group’s', (_what, targeting, message) => {
    const { createRefused, mapping } = grouped();
    const more = { ...one({ ...LINE, adUnitMappings: { [UNIT]: mapping() } }) };
    expect(createRefused({ ...more, targeting: { ...targeting, adUnitIds: [UNIT] } })).toContain(message);
  });

  test('may be for banners or for interstitials where the group’s ads are either', () => {
    const { create, mapping } = grouped();
    const targeting = { platform: 'ANDROID', format: 'BANNER_INTERSTITIAL', adUnitIds: [UNIT] };
    const adUnitMappings = { [UNIT]: mapping() };
    expect(lineOf(create({ ...one({ ...LINE, adUnitMappings }), targeting }))).toMatchObject({ adUnitMappings });
  });

  test('stay with a whole line whose source cannot change', () => {
    const { create, mapping, patch, patchRefused } = grouped();
    const adUnitMappings = { [UNIT]: mapping() };
    const group = create(one({ ...LINE, adUnitMappings }));
    const { id } = lineOf(group);
    const whole = (line: JsonObject) => ({ mediationGroupLines: { [id]: line } });
    const mask = `mediationGroupLines["${id}"]`;
    expect(patchRefused(group, mask, whole({ ...LINE, adSourceId: LIFTOFF }))).toContain(
      'adSourceId: the ad source of a line cannot be changed',
    );
    expect(lineOf(patch(group, mask, whole({ ...LINE, adUnitMappings })))['adUnitMappings']).toEqual(adUnitMappings);
  });
});
