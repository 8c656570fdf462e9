import { describe, expect, test } from 'vitest';
import {
  MAX_GROUP_MAPPINGS,
  MAX_LINES,
  MAX_MEDIATION_GROUPS,
  MAX_REMOVED_LINES,
} from '../../../../../src/management/interfaces/mediation/groups/rows.ts';
import type { Json, JsonObject } from '../../../../../src/lib/json.ts';
import { testTenant } from '../../../../support/management/management.ts';
import {
  ADMOB,
  FOREIGN_UNIT,
  grouped,
  type Grouped,
  LINE,
  lineOf,
  linesOf,
  object,
  OTHER_UNIT,
  PUBLISHER,
  text,
  UNIT,
  UNITY,
} from './grouped.ts';

describe('a new mediation group', () => {
  test('is answered with its name, id, state and lines, that of the AdMob Network among them', () => {
    const { create, list } = grouped();
    const group = create({ mediationGroupLines: { '-1': { ...LINE, id: '-1' } } });
    const id = text(group['mediationGroupId']);
    const [line, network] = Object.values(object(group['mediationGroupLines'])).map(object);
    expect(id).toMatch(/^[1-9]\d{9}$/);
    expect(group).toEqual({
      name: `${PUBLISHER}/mediationGroups/${id}`,
      mediationGroupId: id,
      displayName: 'Group',
      state: 'ENABLED',
      targeting: { platform: 'ANDROID', format: 'INTERSTITIAL', adUnitIds: [UNIT] },
      mediationAbExperimentState: 'NOT_RUNNING',
      mediationGroupLines: {
        [text(line?.['id'])]: { ...LINE, id: line?.['id'], experimentVariant: 'ORIGINAL' },
        [text(network?.['id'])]: {
          id: network?.['id'],
          displayName: 'AdMob Network',
          adSourceId: ADMOB,
          cpmMode: 'LIVE',
          cpmMicros: '10000',
          state: 'ENABLED',
          experimentVariant: 'ORIGINAL',
        },
      },
    });
    for (const each of [line, network]) expect(each?.['id']).toMatch(/^[1-9]\d{15}$/);
    expect(list()).toEqual([{ ...group, targeting: { ...object(group['targeting']), adUnits: ['1234567890'] } }]);
  });

  test('gets no second line of the AdMob Network where one was sent', () => {
    const group = grouped().create({
      mediationGroupLines: { '-1': { ...LINE, adSourceId: ADMOB, displayName: 'Ours', adUnitMappings: { x: 'y' } } },
    });
    const lines = Object.values(object(group['mediationGroupLines'])).map(object);
    expect(lines.map(({ displayName }) => displayName)).toEqual(['Ours']);
    expect(lines[0]).not.toHaveProperty('adUnitMappings');
  });

  test('takes several new lines, each with an id of its own', () => {
    const sent = Object.fromEntries(
      ['-1', '-2', '-9223372036854775807', '-9223372036854775808'].map((key) => [key, { ...LINE, displayName: key }]),
    );
    const lines = linesOf(grouped().create({ mediationGroupLines: sent }));
    expect(lines.map(({ displayName }) => displayName)).toEqual(Object.keys(sent));
    expect(new Set(lines.map(({ id }) => id)).size).toBe(4);
  });

  test.each<[string, JsonObject, string]>([
    ['as it is asked for', { state: 'DISABLED' }, 'DISABLED'],
    ['enabled where it says nothing', { state: 'STATE_UNSPECIFIED' }, 'ENABLED'],
    ['enabled where it is the experiment that is meant', { state: 'NOT_RUNNING' }, 'ENABLED'],
  ])('is %s', (_what, more, state) => {
    expect(grouped().create(more)).toMatchObject({ state, mediationAbExperimentState: 'NOT_RUNNING' });
  });

  test('sets nothing that only the server sets', () => {
    const group = grouped().create({
      name: 'accounts/pub-1/mediationGroups/1',
      mediationGroupId: '1',
      mediationAbExperimentState: 'RUNNING',
      targeting: { platform: 'ANDROID', format: 'BANNER', adUnitIds: [UNIT], adUnits: ['9999999999'] },
      mediationGroupLines: { '-1': { ...LINE, experimentVariant: 'VARIANT_B' } },
    });
    expect(group['mediationGroupId']).not.toBe('1');
    expect(group).toMatchObject({ mediationAbExperimentState: 'NOT_RUNNING' });
    expect(group['targeting']).not.toHaveProperty('adUnits');
    expect(lineOf(group)).toMatchObject({ experimentVariant: 'ORIGINAL' });
  });

  test.each<[string, JsonObject, string]>([
    ['no name', { displayName: '' }, 'displayName: it must not be empty'],
    ['a name of spaces', { displayName: '  ' }, 'displayName: it must not be empty'],
    ['a name of 121 characters', { displayName: 'x'.repeat(121) }, 'displayName: it has more than 120 characters'],
    ['no targeting', { targeting: null }, 'Missing required field: targeting'],
    ['a state that there is not', { state: 'PAUSED' }, 'state: it must be one of ENABLED, DISABLED'],
    ['a line under a positive number', { mediationGroupLines: { 1: LINE } }, 'the key "1" is no negative integer'],
    ['a line under zero', { mediationGroupLines: { 0: LINE } }, 'the key "0" is no negative integer'],
    ['a line under minus zero', { mediationGroupLines: { '-0': LINE } }, 'is no negative integer'],
    [
      'one number in two spellings',
      { mediationGroupLines: { '-1': LINE, '-01': LINE } },
      'the key "-01" is no negative integer',
    ],
    [
      'a number below int64',
      { mediationGroupLines: { '-9223372036854775809': LINE } },
      'the key "-9223372036854775809" is below -9223372036854775808',
    ],
    ['a number with a space', { mediationGroupLines: { ' -1': LINE } }, 'is no negative integer'],
    ['a word for a key', { mediationGroupLines: { new: LINE } }, 'the key "new" is no negative integer'],
    [
      'a line that says another id',
      { mediationGroupLines: { '-1': { ...LINE, id: '-2' } } },
      'mediationGroupLines["-1"].id: "-2" is not the key of the line',
    ],
    ['a null for a line', { mediationGroupLines: { '-1': {} } }, 'field: mediationGroupLines["-1"].adSourceId'],
  ])('is refused with %s', (_what, more, message) => {
    const { createRefused, list } = grouped();
    const refused = createRefused(more);
    expect(refused).toMatch(/^400 (?:invalid|required): /);
    expect(refused).toContain(message);
    expect(list()).toEqual([]);
  });

  test.each(['accounts/1', 'accounts/pub-', 'accounts/pub-x', 'publishers/pub-1', 'accounts/pub-1x'])(
    'is refused below %s, which is no account',
    (parent) => {
      const { tenant } = grouped();
      expect(tenant.refused('admob.accounts.mediationGroups.create', { path: { parent } })).toMatch(/^400 invalid: /);
      expect(tenant.refused('admob.accounts.mediationGroups.list', { path: { parent } })).toMatch(/^400 invalid: /);
    },
  );

  test('K9: is one of at most 10,000 of a publisher', () => {
    const { createRefused, tenant } = grouped();
    tenant.sql.exec('INSERT INTO counter VALUES (?, ?, ?)', 'mediation.groups', PUBLISHER, MAX_MEDIATION_GROUPS);
    expect(createRefused()).toBe(`429 quotaExceeded: ${PUBLISHER} has at most 10000 mediation groups`);
  });

  test(`K9: has at most ${MAX_LINES} lines, that of the AdMob Network among them`, () => {
    const { create, createRefused } = grouped();
    const lines = (count: number) => ({
      mediationGroupLines: Object.fromEntries(Array.from({ length: count }, (_, at) => [`-${at + 1}`, LINE])),
    });
    expect(linesOf(create(lines(MAX_LINES - 1)))).toHaveLength(199);
    expect(createRefused(lines(MAX_LINES))).toContain('a group has at most 200 lines');
    expect(createRefused(lines(10_000))).toContain('a group has at most 200 lines');
  });

  test(`K9: has at most ${MAX_GROUP_MAPPINGS} ad unit mappings`, () => {
    const { create, createRefused, mapping } = grouped();
    const units = Array.from({ length: 11 }, (_, at) => String(1_000_000_000 + at));
    const adUnitMappings = Object.fromEntries(units.map((unit) => [unit, mapping(unit)]));
    const more = (lines: number) => ({
      targeting: { platform: 'ANDROID', format: 'BANNER', adUnitIds: units },
      mediationGroupLines: Object.fromEntries(
        Array.from({ length: lines }, (_, at) => [`-${at + 1}`, { ...LINE, adUnitMappings }]),
      ),
    });
    expect(linesOf(create(more(181)))).toHaveLength(181);
    expect(createRefused(more(182))).toContain('a group has at most 2000 ad unit mappings');
  });

  test('K9: takes at most 512 KiB', () => {
    const line = { ...LINE, displayName: '\u{1F600}'.repeat(255) };
    const units = Array.from({ length: 10 }, (_, at) => String(1_000_000_000 + at));
    const publisher = `accounts/pub-${'9'.repeat(30)}`;
    const { tenant, mapping } = grouped();
    const adUnitMappings = Object.fromEntries(units.map((unit) => [unit, mapping(unit, UNITY, publisher)]));
    const sent = (mapped: number) => ({
      path: { parent: publisher },
      body: {
        displayName: 'Group',
        targeting: { platform: 'ANDROID', format: 'BANNER', adUnitIds: units },
        mediationGroupLines: Object.fromEntries(
          Array.from({ length: 199 }, (_, at) => [`-${at + 1}`, { ...line, ...(at < mapped && { adUnitMappings }) }]),
        ),
      },
    });
    const create = 'admob.accounts.mediationGroups.create';
    expect(Object.keys(object(tenant.ok(create, sent(100))['mediationGroupLines']))).toHaveLength(200);
    expect(tenant.refused(create, sent(199))).toBe('400 invalid: A mediation group may take at most 524288 bytes');
  });
});

/** A group with one line of Unity that has a mapping. */
function withLine(more: Partial<typeof LINE> = {}): Grouped & { group: JsonObject; id: string; mapped: string } {
  const all = grouped();
  const mapped = all.mapping();
  const group = all.create({
    mediationGroupLines: { '-1': { ...LINE, ...more, adUnitMappings: { [UNIT]: mapped } } },
  });
  return { ...all, group, mapped, id: lineOf(group).id };
}

describe('an update of a group', () => {
  test('adds several lines at once, and changes the ad units', () => {
    const { patch, group, list } = withLine();
    const changed = patch(group, 'mediationGroupLines["-1"],mediationGroupLines["-2"],targeting.adUnitIds', {
      targeting: { adUnitIds: [UNIT, OTHER_UNIT] },
      mediationGroupLines: {
        '-1': { ...LINE, id: '-1', displayName: 'first' },
        '-2': { ...LINE, displayName: 'second' },
      },
    });
    expect(linesOf(changed).map(({ displayName }) => displayName)).toEqual(['Unity', 'first', 'second']);
    expect(changed['targeting']).toMatchObject({ platform: 'ANDROID', adUnitIds: [UNIT, OTHER_UNIT] });
    expect(list()).toEqual([
      { ...changed, targeting: { ...object(changed['targeting']), adUnits: ['1234567890', '2345678901'] } },
    ]);
  });

  test('keeps the state of a whole line that is sent without one', () => {
    const { patch, group, id } = withLine({ state: 'DISABLED' });
    const { state: _none, ...line } = LINE;
    const changed = patch(group, `mediationGroupLines["${id}"]`, { mediationGroupLines: { [id]: line } });
    expect(lineOf(changed)).toMatchObject({ state: 'DISABLED' });
  });

  test('reads a mask that was encoded twice', () => {
    const { patch, group, id } = withLine();
    const body = { mediationGroupLines: { [id]: { id, state: 'DISABLED' } } };
    const changed = patch(group, `mediationGroupLines%5B%22${id}%22%5D.state`, body);
    expect(lineOf(changed)).toMatchObject({ state: 'DISABLED' });
  });

  test('leaves a group its one line of the AdMob Network', () => {
    const { patch, patchRefused, group, list } = withLine();
    const [network = ''] = Object.entries(object(group['mediationGroupLines']))
      .filter(([, line]) => object(line)['adSourceId'] === ADMOB)
      .map(([key]) => key);
    const before = list();
    const ours = { displayName: 'Ours', adSourceId: ADMOB };
    const removed = { [network]: { id: network, state: 'REMOVED' } };
    const mask = `mediationGroupLines["${network}"]`;
    expect(patchRefused(group, `${mask}.state`, { mediationGroupLines: removed })).toContain('cannot be removed');
    expect(patchRefused(group, mask, { mediationGroupLines: { [network]: LINE } })).toContain('cannot be changed');
    const second = { mediationGroupLines: { '-1': ours } };
    expect(patchRefused(group, 'mediationGroupLines["-1"]', second)).toContain('is there already');
    expect(list()).toEqual(before);
    const both = { mediationGroupLines: { ...removed, '-1': ours } };
    const changed = patch(group, `${mask}.state,mediationGroupLines["-1"]`, both);
    expect(Object.keys(object(changed['mediationGroupLines']))).toHaveLength(3);
  });

  test.each<[string, string, JsonObject, JsonObject]>([
    ['price', 'cpmMicros', { cpmMicros: '020000' }, { cpmMicros: '20000' }],
    ['mode', 'cpm_mode', { cpmMode: 'LIVE' }, { cpmMode: 'LIVE', cpmMicros: '10000' }],
    ['state', 'state', { state: 'DISABLED' }, { state: 'DISABLED' }],
    ['name', 'displayName', { displayName: 'Other' }, { displayName: 'Other' }],
  ])('changes the %s of a line, and nothing else', (_what, field, sent, changes) => {
    const { patch, group, id } = withLine();
    const before = lineOf(group);
    const body = { displayName: 'ignored', mediationGroupLines: { [id]: { ...sent, id, adSourceId: ADMOB } } };
    const changed = patch(group, `mediationGroupLines["${id}"].${field}`, body);
    expect(changed).toEqual({
      ...group,
      mediationGroupLines: { ...object(group['mediationGroupLines']), [id]: { ...before, ...changes } },
    });
  });

  test.each(['"', "'", ''])('names a line with the quote [%s]', (quote) => {
    const { patch, group, id } = withLine();
    const body = { mediationGroupLines: { [id]: { id, state: 'DISABLED' } } };
    const changed = patch(group, `mediationGroupLines[${quote}${id}${quote}].state`, body);
    expect(lineOf(changed)).toMatchObject({ state: 'DISABLED' });
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['one field', { cpmMicros: '70000' }, { cpmMicros: '70000' }],
    ['its id alone', {}, {}],
    ['all fields but its mappings', { ...LINE, displayName: 'New' }, { displayName: 'New' }],
    ['a mode', { cpmMode: 'LIVE' }, { cpmMode: 'LIVE', cpmMicros: '10000' }],
    ['what only the server sets', { experimentVariant: 'VARIANT_B', name: 'x' }, {}],
    ['a null for what only the server sets', { experimentVariant: null, id: null }, {}],
  ])('merges a whole line of which %s is sent', (_what, sent, changes) => {
    const { patch, group, id } = withLine();
    const before = lineOf(group);
    const changed = patch(group, `mediationGroupLines["${id}"]`, { mediationGroupLines: { [id]: { id, ...sent } } });
    expect(lineOf(changed)).toEqual({ ...before, ...changes });
  });

  test('replaces the mappings of a whole line as one, and clears them by null', () => {
    const { patch, group, id, mapping, mapped } = withLine();
    const other = mapping('2345678901');
    const targeting = { adUnitIds: [UNIT, OTHER_UNIT] };
    const whole = `mediationGroupLines["${id}"]`;
    const line = (adUnitMappings: Json) => ({ targeting, mediationGroupLines: { [id]: { id, adUnitMappings } } });
    const changed = patch(group, `targeting.adUnitIds,${whole}`, line({ [OTHER_UNIT]: other }));
    expect(lineOf(changed)['adUnitMappings']).toEqual({ [OTHER_UNIT]: other });
    expect(lineOf(patch(group, whole, line({ [UNIT]: mapped })))['adUnitMappings']).toEqual({ [UNIT]: mapped });
    expect(lineOf(patch(group, whole, line(null)))).not.toHaveProperty('adUnitMappings');
    patch(group, whole, line({ [UNIT]: mapped }));
    expect(lineOf(patch(group, whole, line({})))).not.toHaveProperty('adUnitMappings');
  });

  test('makes a new line of the fields that the mask names', () => {
    const { patch, patchRefused, group, mapped, list } = withLine();
    const sent = { ...LINE, id: '-1', displayName: 'New', state: 'DISABLED', adUnitMappings: { [UNIT]: mapped } };
    const body = { mediationGroupLines: { '-1': sent } };
    const mask = (...fields: string[]) => fields.map((field) => `mediationGroupLines["-1"].${field}`).join(',');
    const some = mask('id', 'adSourceId', 'displayName', 'cpmMode', 'cpmMicros');
    const made = (changed: JsonObject) => linesOf(changed).at(-1);
    expect(made(patch(group, some, body))).toEqual({
      ...LINE,
      id: expect.stringMatching(/^\d{16}$/),
      displayName: 'New',
      experimentVariant: 'ORIGINAL',
    });
    const all = `${some},${mask('state', `adUnitMappings["${UNIT}"]`)}`;
    expect(made(patch(group, all, body))).toMatchObject({ state: 'DISABLED', adUnitMappings: { [UNIT]: mapped } });
    const before = list();
    expect(patchRefused(group, mask('displayName', 'cpmMicros'), body)).toBe(
      '400 required: Missing required field: mediationGroupLines["-1"].adSourceId',
    );
    expect(list()).toEqual(before);
  });

  test('takes a comma at the end of the mask, as the vendor’s sample code sends it', () => {
    const { patch, group } = withLine();
    const body = { mediationGroupLines: { '-1': LINE, '-2': LINE } };
    expect(linesOf(patch(group, 'mediationGroupLines["-1"],mediationGroupLines["-2"],', body))).toHaveLength(3);
  });

  test('changes one mapping of a line by its ad unit, and takes away the one that was not sent', () => {
    const { patch, group, id, mapping, mapped } = withLine();
    const other = mapping();
    const mask = `mediationGroupLines["${id}"].adUnitMappings["${UNIT}"]`;
    const line = (adUnitMappings?: JsonObject) => ({
      mediationGroupLines: { [id]: { id, ...(adUnitMappings && { adUnitMappings }) } },
    });
    expect(mapped).not.toBe(other);
    expect(lineOf(patch(group, mask, line({ '1234567890': other })))).toMatchObject({
      adUnitMappings: { [UNIT]: other },
    });
    expect(lineOf(patch(group, mask, line({})))).not.toHaveProperty('adUnitMappings');
    expect(lineOf(patch(group, mask, line({ [UNIT]: mapped })))).toMatchObject({ adUnitMappings: { [UNIT]: mapped } });
    const all = `mediationGroupLines["${id}"].adUnitMappings`;
    expect(lineOf(patch(group, all, line({ [UNIT]: other })))).toMatchObject({ adUnitMappings: { [UNIT]: other } });
    expect(lineOf(patch(group, all, line()))).not.toHaveProperty('adUnitMappings');
  });

  test('maps an ad unit that the same update begins to target', () => {
    const { patch, group, id, mapping, mapped } = withLine();
    const other = mapping('2345678901');
    const changed = patch(group, `mediationGroupLines["${id}"].adUnitMappings["${OTHER_UNIT}"],targeting.ad_unit_ids`, {
      targeting: { adUnitIds: [UNIT, OTHER_UNIT] },
      mediationGroupLines: { [id]: { adUnitMappings: { [OTHER_UNIT]: other } } },
    });
    expect(lineOf(changed)['adUnitMappings']).toEqual({ [UNIT]: mapped, [OTHER_UNIT]: other });
  });

  test('drops mappings of ad units that are targeted no longer', () => {
    const { patch, group } = withLine();
    const changed = patch(group, 'targeting.adUnitIds', { targeting: { adUnitIds: [OTHER_UNIT] } });
    expect(changed['targeting']).toMatchObject({ adUnitIds: [OTHER_UNIT] });
    expect(lineOf(changed)).not.toHaveProperty('adUnitMappings');
    expect(patch(group, 'targeting.adUnitIds', {})['targeting']).not.toHaveProperty('adUnitIds');
  });

  test('changes name, state and regions of the group', () => {
    const { patch, group } = withLine();
    const mask = 'displayName,state,targeting.targetedRegionCodes';
    const body = { displayName: 'B', state: 'DISABLED', targeting: { targetedRegionCodes: ['us', 'DE'] } };
    expect(patch(group, mask, body)).toMatchObject({
      displayName: 'B',
      state: 'DISABLED',
      targeting: { platform: 'ANDROID', targetedRegionCodes: ['US', 'DE'] },
    });
    expect(patch(group, 'state', { state: 'NOT_RUNNING' })).toMatchObject({ state: 'DISABLED' });
  });

  test('shows a removed line, which cannot be changed any more', () => {
    const { patch, patchRefused, group, id } = withLine();
    const line = (more: JsonObject) => ({ mediationGroupLines: { [id]: { id, ...more } } });
    const mask = `mediationGroupLines["${id}"].state`;
    expect(lineOf(patch(group, mask, line({ state: 'REMOVED' })))).toMatchObject({ state: 'REMOVED' });
    expect(lineOf(patch(group, mask, line({ state: 'REMOVED' })))).toMatchObject({ state: 'REMOVED' });
    const refused = `400 failedPrecondition: mediationGroupLines["${id}"] was removed, and cannot be changed any more`;
    expect(patchRefused(group, mask, line({ state: 'ENABLED' }))).toBe(refused);
    expect(patchRefused(group, `mediationGroupLines["${id}"]`, line(LINE))).toBe(refused);
    const renamed = line({ state: 'REMOVED', displayName: 'Other' });
    expect(patchRefused(group, `${mask},mediationGroupLines["${id}"].displayName`, renamed)).toBe(refused);
  });

  test('takes the mappings of a line that is removed, and the same again without its ad units', () => {
    const { patch, group, id } = withLine();
    const sent = { mediationGroupLines: { [id]: { id, state: 'REMOVED' } } };
    const mask = `mediationGroupLines["${id}"].state`;
    const removed = patch(group, mask, sent);
    expect(lineOf(removed)).not.toHaveProperty('adUnitMappings');
    expect(lineOf(patch(group, `${mask},targeting.adUnitIds`, sent))).toEqual(lineOf(removed));
  });

  test('K9: counts no mappings of lines that were removed', () => {
    const { create, patch, mapping } = grouped();
    const units = Array.from({ length: 1_000 }, (_, at) => String(1_000_000_000 + at));
    const adUnitMappings = Object.fromEntries(units.map((unit) => [unit, mapping(unit)]));
    const mapped = { ...LINE, adUnitMappings };
    const group = create({
      targeting: { platform: 'ANDROID', format: 'BANNER', adUnitIds: units },
      mediationGroupLines: { '-1': mapped, '-2': { ...mapped, displayName: 'Other' } },
    });
    const { id } = lineOf(group);
    const mediationGroupLines = { [id]: { id, state: 'REMOVED' }, '-1': { ...mapped, displayName: 'New' } };
    const changed = patch(group, `mediationGroupLines["${id}"].state,mediationGroupLines["-1"]`, {
      mediationGroupLines,
    });
    const counts = linesOf(changed).map(
      ({ displayName, adUnitMappings: of = {} }) => `${text(displayName)}: ${Object.keys(object(of)).length}`,
    );
    expect(counts.toSorted()).toEqual(['New: 1000', 'Other: 1000', 'Unity: 0']);
  });

  test('K9: shows the line that was removed last, however old it is', () => {
    const { create, patch } = grouped();
    const sent = Array.from({ length: 52 }, (_, at) => [`-${at + 1}`, { ...LINE, displayName: `Line ${at}` }]);
    const group = create({ mediationGroupLines: Object.fromEntries(sent) });
    const [first = '', ...others] = linesOf(group).map(({ id }) => text(id));
    const remove = (ids: readonly string[]) =>
      patch(group, ids.map((id) => `mediationGroupLines["${id}"].state`).join(','), {
        mediationGroupLines: Object.fromEntries(ids.map((id) => [id, { id, state: 'REMOVED' }])),
      });
    remove(others);
    const names = linesOf(remove([first])).map(({ displayName }) => displayName);
    expect([names.length, names[0], names.at(-1)]).toEqual([50, 'Line 3', 'Line 0']);
    expect(linesOf(remove([first])).map(({ displayName }) => displayName)).toEqual(names);
  });

  test(`K9: shows the last ${MAX_REMOVED_LINES} lines that were removed`, () => {
    const { create, patch } = grouped();
    const sent = Array.from({ length: 60 }, (_, at) => [`-${at + 1}`, { ...LINE, displayName: `Line ${at}` }]);
    const group = create({ mediationGroupLines: Object.fromEntries(sent) });
    const ids = linesOf(group).map(({ id }) => text(id));
    const changed = patch(group, ids.map((id) => `mediationGroupLines["${id}"].state`).join(','), {
      mediationGroupLines: Object.fromEntries(ids.map((id) => [id, { id, state: 'REMOVED' }])),
    });
    expect(linesOf(changed).map(({ displayName }) => displayName)).toEqual(
      Array.from({ length: 50 }, (_, at) => `Line ${at + 10}`),
    );
  });

  test.each<[string, (id: string) => string, (id: string) => JsonObject, string]>([
    ['no mask', () => '', () => ({ displayName: 'x' }), 'it must name at least one field'],
    ['a mask of nothing that there is', () => 'name', () => ({}), '"name" is nothing that can be updated'],
    ['an empty name', () => 'displayName', () => ({}), 'displayName: it must not be empty'],
    [
      'a new line that is not sent',
      () => 'mediationGroupLines["-1"]',
      () => ({}),
      'it must have the line "-1" that the update mask names',
    ],
    [
      'a new line that the mask does not name',
      () => 'displayName',
      () => ({ displayName: 'x', mediationGroupLines: { '-1': LINE } }),
      'update_mask: it must name the new line mediationGroupLines["-1"]',
    ],
    [
      'a key that no line can have',
      () => 'displayName',
      () => ({ displayName: 'x', mediationGroupLines: { '-01': LINE } }),
      'the key "-01" is no id of a line, nor a negative integer',
    ],
    [
      'a line that says another id',
      (id) => `mediationGroupLines["${id}"].state`,
      (id) => ({ mediationGroupLines: { [id]: { id: '1', state: 'DISABLED' } } }),
      '"1" is not the key of the line',
    ],
    [
      'a line that the group has not',
      () => 'mediationGroupLines["1"].state',
      () => ({ mediationGroupLines: { 1: { state: 'DISABLED' } } }),
      'the group has no line "1"',
    ],
    [
      'a line that is not sent',
      (id) => `mediationGroupLines["${id}"].state`,
      () => ({ mediationGroupLines: {} }),
      'that the update mask names',
    ],
    [
      'a whole line without an ad source',
      (id) => `mediationGroupLines["${id}"]`,
      (id) => ({ mediationGroupLines: { [id]: { ...LINE, adSourceId: '' } } }),
      'Missing required field: mediationGroupLines',
    ],
    [
      'a whole line without a name',
      (id) => `mediationGroupLines["${id}"]`,
      (id) => ({ mediationGroupLines: { [id]: { ...LINE, displayName: '' } } }),
      'displayName: it must not be empty',
    ],
    ...['displayName', 'adSourceId', 'cpmMode', 'cpmMicros', 'state'].map(
      (field): [string, (id: string) => string, (id: string) => JsonObject, string] => [
        `a whole line with null for its ${field}`,
        (id) => `mediationGroupLines["${id}"]`,
        (id) => ({ mediationGroupLines: { [id]: { id, [field]: null } } }),
        field,
      ],
    ),
    [
      'one good line and a new one without a price',
      (id) => `mediationGroupLines["${id}"],mediationGroupLines["-1"]`,
      (id) => ({
        mediationGroupLines: { [id]: { displayName: 'x' }, '-1': { ...LINE, cpmMicros: null } },
      }),
      'Missing required field: mediationGroupLines["-1"].cpmMicros',
    ],
    [
      'a price below a cent',
      (id) => `mediationGroupLines["${id}"].cpmMicros`,
      (id) => ({ mediationGroupLines: { [id]: { cpmMicros: '9999' } } }),
      'cpmMicros: it must be at least 10000, which is $0.01',
    ],
    [
      'no price',
      (id) => `mediationGroupLines["${id}"].cpmMicros`,
      (id) => ({ mediationGroupLines: { [id]: { id } } }),
      'Missing required field: mediationGroupLines',
    ],
    ['no state', () => 'state', () => ({}), 'Missing required field: state'],
    [
      'no state of a line',
      (id) => `mediationGroupLines["${id}"].state`,
      (id) => ({ mediationGroupLines: { [id]: { id } } }),
      'Missing required field: mediationGroupLines',
    ],
    [
      'a mode that cannot be set',
      (id) => `mediationGroupLines["${id}"].cpmMode`,
      (id) => ({ mediationGroupLines: { [id]: { cpmMode: 'ANO' } } }),
      'cpmMode: it must be LIVE or MANUAL',
    ],
    [
      'no mode',
      (id) => `mediationGroupLines["${id}"].cpmMode`,
      (id) => ({ mediationGroupLines: { [id]: { id } } }),
      'cpmMode: it must be LIVE or MANUAL',
    ],
    [
      'one good line and one that is not',
      (id) => `displayName,mediationGroupLines["${id}"].state,mediationGroupLines["-1"]`,
      (id) => ({ displayName: 'x', mediationGroupLines: { [id]: { state: 'DISABLED' }, '-1': { displayName: 'x' } } }),
      'Missing required field: mediationGroupLines["-1"].adSourceId',
    ],
    [
      'an ad unit of another publisher (K1)',
      () => 'displayName,targeting.adUnitIds',
      () => ({ displayName: 'x', targeting: { adUnitIds: [FOREIGN_UNIT] } }),
      'is no ad unit id of this publisher',
    ],
    [
      'IDFA on Android',
      () => 'targeting.idfaTargeting',
      () => ({ targeting: { idfaTargeting: 'AVAILABLE' } }),
      'there is no IDFA on ANDROID',
    ],
  ])('is refused with %s, and the group stays as it was', (_what, mask, body, message) => {
    const { patchRefused, list, group, id } = withLine();
    const before = list();
    const refused = patchRefused(group, mask(id), body(id));
    expect(refused).toMatch(/^400 (?:invalid|required): /);
    expect(refused).toContain(message);
    expect(list()).toEqual(before);
  });

  test('of a line of mode LIVE ignores the price, and needs one when the mode changes', () => {
    const { patch, patchRefused, group, id } = withLine({ cpmMode: 'LIVE' });
    const line = (more: JsonObject) => ({ mediationGroupLines: { [id]: { id, ...more } } });
    expect(lineOf(patch(group, `mediationGroupLines["${id}"].cpmMicros`, line({ cpmMicros: '1' })))).toMatchObject({
      cpmMicros: '10000',
    });
    const whole = line({ cpmMode: 'MANUAL' });
    expect(patchRefused(group, `mediationGroupLines["${id}"]`, whole)).toContain('Missing required field');
    const mode = `mediationGroupLines["${id}"].cpmMode`;
    expect(patchRefused(group, mode, line({ cpmMode: 'MANUAL' }))).toContain('Missing required field');
    const both = `${mode},mediationGroupLines["${id}"].cpmMicros`;
    expect(lineOf(patch(group, both, line({ cpmMode: 'MANUAL', cpmMicros: '20000' })))).toMatchObject({
      cpmMode: 'MANUAL',
      cpmMicros: '20000',
    });
  });

  test('changes only name and state while an experiment runs', () => {
    const { tenant, patch, patchRefused, group, id } = withLine();
    tenant.ok('admob.accounts.mediationGroups.mediationAbExperiments.create', {
      path: { parent: text(group['name']) },
      body: {
        displayName: 'Test',
        treatmentTrafficPercentage: '50',
        treatmentMediationLines: [{ mediationGroupLine: LINE }],
      },
    });
    const line = { mediationGroupLines: { [id]: { id, state: 'DISABLED' } } };
    expect(patch(group, 'displayName', { displayName: 'B' })).toMatchObject({
      displayName: 'B',
      mediationAbExperimentState: 'RUNNING',
    });
    expect(patchRefused(group, `mediationGroupLines["${id}"].state`, line)).toMatch(/^400 failedPrecondition: /);
    expect(patchRefused(group, 'targeting.adUnitIds', {})).toMatch(/^400 failedPrecondition: /);
  });

  test.each(['1', 'x', '0'.repeat(100)])('is refused with 404 for the group %s, which is not there', (id) => {
    const { tenant } = grouped();
    const name = `${PUBLISHER}/mediationGroups/${id}`;
    const query = { updateMask: 'displayName' };
    expect(tenant.refused('admob.accounts.mediationGroups.patch', { path: { name }, query })).toBe(
      `404 notFound: Resource not found: ${name}`,
    );
  });

  test('K1: does not find a group by the name of another publisher', () => {
    const { tenant, create } = grouped();
    const name = `accounts/pub-1/mediationGroups/${text(create()['mediationGroupId'])}`;
    const query = { updateMask: 'displayName' };
    const sent = { path: { name }, query, body: { displayName: 'x' } };
    expect(tenant.refused('admob.accounts.mediationGroups.patch', sent)).toMatch(/^404 notFound: /);
  });
});

describe('a list of groups', () => {
  test('has pages, and all groups are on them once', () => {
    const { create, tenant } = grouped();
    const names = Array.from({ length: 7 }, () => text(create()['name']));
    const page = (query: Record<string, string | number>) =>
      tenant.ok('admob.accounts.mediationGroups.list', { path: { parent: PUBLISHER }, query });
    const first = page({ pageSize: 3 });
    const second = page({ pageSize: 3, pageToken: text(first['nextPageToken']) });
    const third = page({ pageSize: 3, pageToken: text(second['nextPageToken']) });
    const shown = [first, second, third].flatMap((each) => each['mediationGroups'] as JsonObject[]);
    expect(shown.map(({ name }) => name)).toEqual(names.toSorted());
    expect(third).not.toHaveProperty('nextPageToken');
    expect(page({ pageSize: 7 })).not.toHaveProperty('nextPageToken');
  });

  test('is of one publisher', () => {
    const { create, tenant } = grouped();
    create();
    expect(tenant.ok('admob.accounts.mediationGroups.list', { path: { parent: 'accounts/pub-1' } })).toEqual({});
  });

  test('takes no page size below zero, and cuts one above 20,000', () => {
    const { create, list, tenant } = grouped();
    create();
    const sent = { path: { parent: PUBLISHER }, query: { pageSize: -1 } };
    expect(tenant.refused('admob.accounts.mediationGroups.list', sent)).toMatch(/^400 invalid: .*pageSize/);
    expect(list({ pageSize: 1_000_000 })).toHaveLength(1);
    expect(list({ pageSize: 0 })).toHaveLength(1);
  });

  test('K9: reads many groups in few statements, with a filter too', () => {
    const queries: string[] = [];
    const { create, list } = grouped(testTenant(undefined, (query) => queries.push(query)));
    for (let made = 0; made < 150; made += 1) create({ displayName: `Group ${made % 2}` });
    queries.length = 0;
    expect(list()).toHaveLength(150);
    expect(queries.length).toBeLessThan(15);
    expect(list({ filter: 'IN(DISPLAY_NAME, "Group 1")' })).toHaveLength(75);
    expect(queries.length).toBeLessThan(30);
  });

  test.each([
    ['alone', {}, 7_000_000],
    ['in a batch', { maxAnswerChars: 1_000_000 }, 1_000_000],
  ])('K9: ends a page before its time where the groups are large, %s', (_how, more, most) => {
    const { create, tenant } = grouped();
    const line = { ...LINE, displayName: 'x'.repeat(255) };
    const lines = Object.fromEntries(Array.from({ length: 199 }, (_, at) => [`-${at + 1}`, line]));
    const units = Array.from({ length: 1_000 }, (_, at) => String(1_000_000_000 + at));
    const targeting = { platform: 'ANDROID', format: 'BANNER', adUnitIds: units };
    const id = text(create({ targeting, mediationGroupLines: lines })['mediationGroupId']);
    const { store } = tenant.context('admob.accounts.mediationGroups.list');
    const body = store.get('mediation.groups', PUBLISHER, id)?.body ?? {};
    const rows = Array.from({ length: 59 }, (_, at) => ({
      collection: 'mediation.groups',
      parent: PUBLISHER,
      id: String(at),
      body,
    }));
    for (let at = 0; at < rows.length; at += 10) store.insertMany(rows.slice(at, at + 10), []);
    const page = (pageToken: string): JsonObject => {
      const call = { path: { parent: PUBLISHER }, query: { pageToken }, ...more };
      return tenant.ok('admob.accounts.mediationGroups.list', call);
    };
    let shown = 0;
    let pages = 0;
    for (let token: Json | undefined = ''; token !== undefined; pages += 1) {
      const answer = page(text(token));
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(most);
      shown += (answer['mediationGroups'] as JsonObject[]).length;
      token = answer['nextPageToken'];
    }
    expect([shown, pages > 1]).toEqual([60, true]);
  });
});
