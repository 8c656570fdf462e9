import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { selectWinningLines } from '../../../../../src/management/interfaces/mediation/groups/lines.ts';
import { APPLOVIN, itemsOf, MAPPING, PUBLISHER, publishing, UNIT, UNIT_ID, textOf } from '../publisher.ts';

const EXPERIMENTS = 'mediationGroups.mediationAbExperiments';
const NETWORK = '5450213213286189855';
const line = (displayName: string, more: JsonObject = {}): JsonObject => ({
  displayName,
  adSourceId: APPLOVIN,
  cpmMode: 'MANUAL',
  cpmMicros: '50000',
  ...more,
});
const treatment = (...lines: JsonObject[]) => lines.map((each) => ({ mediationGroupLine: each }));
const BODY: JsonObject = {
  displayName: 'Dearer',
  treatmentTrafficPercentage: '30',
  treatmentMediationLines: treatment(line('B 1'), line('B 2')),
};

/** A group with the line of the AdMob Network and one more, `A 1`. */
function grouped(lines: JsonObject = { '-1': line('A 1') }) {
  const world = publishing();
  const group = world.create('mediationGroups', {
    displayName: 'Group',
    targeting: { platform: 'ANDROID', format: 'BANNER', adUnitIds: [UNIT_ID] },
    mediationGroupLines: lines,
  });
  const name = textOf(group, 'name');
  const listed = (): JsonObject => itemsOf(world.list('mediationGroups'), 'mediationGroups')[0] ?? {};
  return {
    ...world,
    group,
    name,
    listed,
    /** Name and variant of each line that the list shows, in the order of the names. */
    variants: () =>
      linesOf(listed())
        .map((each) => `${textOf(each, 'displayName')}: ${textOf(each, 'experimentVariant')}`)
        .toSorted(),
    start: (more: JsonObject = {}) => world.create(EXPERIMENTS, { ...BODY, ...more }, name),
    startRefused: (more: JsonObject = {}) =>
      world.refused(`${EXPERIMENTS}.create`, { path: { parent: name }, body: { ...BODY, ...more } }),
    stop: (experiment: JsonObject, variantChoice: string) =>
      world.ok(`${EXPERIMENTS}.stop`, { path: { name: textOf(experiment, 'name') }, body: { variantChoice } }),
    stopRefused: (path: string, body: JsonObject) =>
      world.refused(`${EXPERIMENTS}.stop`, { path: { name: path }, body }),
  };
}

const linesOf = (group: JsonObject): JsonObject[] =>
  Object.values((group['mediationGroupLines'] ?? {}) as Record<string, JsonObject>); // A map of lines, by the schema.

describe('create', () => {
  test('begins an experiment: the lines of the group are its control, the sent ones its treatment', () => {
    const { name, group, start, listed, variants } = grouped();
    expect(group['mediationAbExperimentState']).toBe('NOT_RUNNING');
    const experiment = start();
    const [, id = ''] = /^.*\/mediationAbExperiment\/(\d{10})$/.exec(textOf(experiment, 'name')) ?? [];
    expect(experiment).toMatchObject({
      name: `${name}/mediationAbExperiment/${id}`,
      experimentId: id,
      mediationGroupId: group['mediationGroupId'],
      displayName: 'Dearer',
      state: 'RUNNING',
      startTime: '2026-11-21T00:00:00.000Z',
      treatmentTrafficPercentage: '30',
      endTime: '2027-02-19T00:00:00.000Z',
      variantLeader: 'INSUFFICIENT_DATA',
    });
    expect(listed()['mediationAbExperimentState']).toBe('RUNNING');
    expect(variants()).toEqual(['A 1: VARIANT_A', 'AdMob Network: VARIANT_A', 'B 1: VARIANT_B', 'B 2: VARIANT_B']);
    const shown = linesOf(listed());
    const of = (field: string) => itemsOf(experiment, field).map((each) => each['mediationGroupLine']);
    expect(of('controlMediationLines')).toEqual(shown.filter((each) => each['experimentVariant'] === 'VARIANT_A'));
    const treated = shown.filter((each) => each['experimentVariant'] === 'VARIANT_B');
    expect(of('treatmentMediationLines')).toEqual(expect.arrayContaining(treated));
    expect(treated.map((each) => /^\d{16}$/.test(textOf(each, 'id')))).toEqual([true, true]);
  });

  test('takes placeholders as ids of its lines, and mappings of the group’s ad units', () => {
    const { create, start } = grouped();
    const mapping = textOf(create('adUnits.adUnitMappings', MAPPING, UNIT), 'name');
    const lines = treatment(
      line('B 1', { id: '-1', adUnitMappings: { [UNIT_ID]: mapping } }),
      line('B 2', { id: '-2' }),
    );
    const made = itemsOf(start({ treatmentMediationLines: lines }), 'treatmentMediationLines');
    expect(made[0]).toMatchObject({ mediationGroupLine: { adUnitMappings: { [UNIT_ID]: mapping } } });
  });

  test.each(['1', '99'])('takes %s percent', (treatmentTrafficPercentage) => {
    expect(grouped().start({ treatmentTrafficPercentage })).toMatchObject({ treatmentTrafficPercentage });
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no name', { displayName: '' }, /displayName: it must not be empty/],
    ['a long name', { displayName: 'x'.repeat(256) }, /it has more than 255 characters/],
    ['no percentage', { treatmentTrafficPercentage: '' }, /from 1 to 99/],
    ['no percent', { treatmentTrafficPercentage: '0' }, /from 1 to 99/],
    ['all of the traffic', { treatmentTrafficPercentage: '100' }, /from 1 to 99/],
    ['less than none', { treatmentTrafficPercentage: '-5' }, /from 1 to 99/],
    ['no lines', { treatmentMediationLines: [] }, /required: .*treatmentMediationLines$/],
    [
      'too many lines',
      { treatmentMediationLines: treatment(...Array.from({ length: 101 }, () => line('B'))) },
      /at most 100/,
    ],
    ['a line that is none', { treatmentMediationLines: [{}] }, /required: .*\[0\]\.mediationGroupLine$/],
    [
      'one id twice',
      { treatmentMediationLines: treatment(line('B', { id: '-1' }), line('C', { id: '-1' })) },
      /\[1\]\.mediationGroupLine\.id: another line/,
    ],
    [
      'a price below the least',
      { treatmentMediationLines: treatment(line('B', { cpmMicros: '9999' })) },
      /\[0\]\.mediationGroupLine\.cpmMicros: it must be at least 10000/,
    ],
    [
      'an unknown ad source',
      { treatmentMediationLines: treatment(line('B', { adSourceId: '1' })) },
      /no ad source "1"/,
    ],
  ])('refuses %s, and leaves the group as it is', (_what, more, reason) => {
    const { group, startRefused, listed } = grouped();
    const refusal = startRefused(more);
    expect(refusal).toMatch(/^400 /);
    expect(refusal).toMatch(reason);
    expect(listed()).toMatchObject(group);
  });

  test('refuses a second experiment while one runs, and takes it afterwards', () => {
    const { start, startRefused, stop, variants } = grouped();
    const first = start();
    const before = variants();
    expect(startRefused()).toBe(
      '400 failedPrecondition: An A/B experiment is running in this mediation group: stop it first',
    );
    expect(variants()).toEqual(before);
    stop(first, 'VARIANT_CHOICE_A');
    expect(start()).toMatchObject({ state: 'RUNNING' });
  });

  test('finds no group that is not there', () => {
    const { refused } = grouped();
    const parent = `${PUBLISHER}/mediationGroups/1`;
    expect(refused(`${EXPERIMENTS}.create`, { path: { parent }, body: BODY })).toBe(
      `404 notFound: Resource not found: ${parent}`,
    );
  });

  test('leaves lines that were removed out of it, also when it ends', () => {
    const { name, group, ok, start, stop, variants } = grouped();
    const [id = ''] = Object.entries(group['mediationGroupLines'] ?? {})
      .filter(([, each]) => each.displayName === 'A 1')
      .map(([key]) => key);
    ok('mediationGroups.patch', {
      path: { name },
      query: { updateMask: `mediationGroupLines["${id}"].state` },
      body: { mediationGroupLines: { [id]: { id, state: 'REMOVED' } } },
    });
    const experiment = start();
    expect(itemsOf(experiment, 'controlMediationLines')).toHaveLength(1);
    expect(variants()).toContain('A 1: ORIGINAL');
    stop(experiment, 'VARIANT_CHOICE_B');
    expect(variants()).toEqual(['A 1: ORIGINAL', 'AdMob Network: ORIGINAL', 'B 1: ORIGINAL', 'B 2: ORIGINAL']);
  });

  test('takes one line of the AdMob Network, and no second one', () => {
    const { start, startRefused } = grouped();
    const network = { displayName: 'Ours', adSourceId: NETWORK };
    expect(startRefused({ treatmentMediationLines: treatment(network, network) })).toMatch(
      /^400 invalid: .*treatmentMediationLines: it has more than one line of the AdMob Network/,
    );
    expect(start({ treatmentMediationLines: treatment(network) })).toMatchObject({ state: 'RUNNING' });
  });
});

describe('while an experiment runs', () => {
  test('no line can be changed, added or removed, and no ad unit be targeted', () => {
    const { name, ok, refused, start, listed } = grouped();
    start();
    const before = listed();
    const [id = ''] = Object.keys(before['mediationGroupLines'] ?? {});
    const patches: [string, JsonObject][] = [
      ['targeting.adUnitIds', {}],
      [`mediationGroupLines["${id}"].state`, { [id]: { id, state: 'DISABLED' } }],
      ['mediationGroupLines["-1"]', { '-1': line('C') }],
      [`mediationGroupLines["${id}"]`, { [id]: line('C', { id }) }],
    ];
    for (const [updateMask, mediationGroupLines] of patches)
      expect(
        refused('mediationGroups.patch', { path: { name }, query: { updateMask }, body: { mediationGroupLines } }),
      ).toBe('400 failedPrecondition: An A/B experiment is running in this mediation group: stop it first');
    expect(listed()).toEqual(before);
    const rename = { path: { name }, query: { updateMask: 'displayName' }, body: { displayName: 'Other' } };
    expect(ok('mediationGroups.patch', rename)).toMatchObject({ mediationAbExperimentState: 'RUNNING' });
    expect(listed()).toEqual({ ...before, displayName: 'Other' });
  });
});

describe('stop', () => {
  test('with A gives the group back what it had', () => {
    const { tenant, group, listed, start, stop, variants } = grouped();
    const experiment = start();
    tenant.later(3_600_000);
    expect(stop(experiment, 'VARIANT_CHOICE_A')).toEqual({
      ...experiment,
      state: 'ENDED',
      endTime: '2026-11-21T01:00:00.000Z',
    });
    expect(listed()).toMatchObject(group);
    expect(variants()).toEqual(['A 1: ORIGINAL', 'AdMob Network: ORIGINAL']);
  });

  test('with B leaves the lines of the treatment, and that of the AdMob Network, which every group has', () => {
    const { listed, start, stop, variants } = grouped();
    stop(start(), 'VARIANT_CHOICE_B');
    expect(variants()).toEqual(['AdMob Network: ORIGINAL', 'B 1: ORIGINAL', 'B 2: ORIGINAL']);
    expect(listed()['mediationAbExperimentState']).toBe('NOT_RUNNING');
  });

  test('with B leaves the treatment’s own line of the AdMob Network alone', () => {
    const { start, stop, variants } = grouped();
    const lines = treatment(line('B 1'), { displayName: 'Ours', adSourceId: NETWORK });
    stop(start({ treatmentMediationLines: lines }), 'VARIANT_CHOICE_B');
    expect(variants()).toEqual(['B 1: ORIGINAL', 'Ours: ORIGINAL']);
  });

  test('with A leaves no line of the treatment, even of the AdMob Network where the control has none', () => {
    const of = (experimentVariant: string, adSourceId: string) => ({ state: 'ENABLED', experimentVariant, adSourceId });
    const mediationGroupLines = { 1: of('VARIANT_A', APPLOVIN), 2: of('VARIANT_B', NETWORK) };
    expect(Object.keys(selectWinningLines({ mediationGroupLines }, 'VARIANT_A'))).toEqual(['1']);
    expect(Object.keys(selectWinningLines({ mediationGroupLines }, 'VARIANT_B'))).toEqual(['2']);
  });

  test.each([
    ['the group', (name: string) => `${name}/mediationAbExperiments`],
    ['its id', (name: string, id: string) => `${name}/mediationAbExperiments/${id}`],
    ['its name', (name: string, id: string) => `${name}/mediationAbExperiment/${id}`],
  ])('ends the one that runs by %s', (_what, pathOf) => {
    const { name, ok, start, stop, stopRefused, variants } = grouped();
    stop(start(), 'VARIANT_CHOICE_A');
    const experiment = start();
    const path = { name: pathOf(name, textOf(experiment, 'experimentId')) };
    const ended = ok(`${EXPERIMENTS}.stop`, { path, body: { variantChoice: 'VARIANT_CHOICE_B' } });
    expect(ended).toMatchObject({ name: experiment['name'], state: 'ENDED' });
    expect(variants()).toContain('B 1: ORIGINAL');
    expect(stopRefused(path.name, { variantChoice: 'VARIANT_CHOICE_B' })).toMatch(/^400 failedPrecondition: /);
  });

  test('by the group is refused where none runs, without a choice, and for a group that is not there', () => {
    const { name, start, stopRefused, variants } = grouped();
    const body = { variantChoice: 'VARIANT_CHOICE_A' };
    const all = `${name}/mediationAbExperiments`;
    expect(stopRefused(all, body)).toBe('400 failedPrecondition: No A/B experiment is running in this mediation group');
    const gone = `${PUBLISHER}/mediationGroups/1`;
    expect(stopRefused(`${gone}/mediationAbExperiments`, body)).toBe(`404 notFound: Resource not found: ${gone}`);
    start();
    expect(stopRefused(all, {})).toMatch(/^400 invalid: Invalid value for variant_choice: /);
    expect(variants()).toContain('B 1: VARIANT_B');
  });

  test('ends an experiment that has run longer than it was meant to', () => {
    const { tenant, name, listed, ok, start } = grouped();
    start();
    tenant.later(91 * 86_400_000);
    expect(listed()['mediationAbExperimentState']).toBe('RUNNING');
    const path = { name: `${name}/mediationAbExperiments` };
    expect(ok(`${EXPERIMENTS}.stop`, { path, body: { variantChoice: 'VARIANT_CHOICE_A' } })).toMatchObject({
      endTime: '2027-02-20T00:00:00.000Z',
    });
  });

  test('is refused without a choice, a second time, and for what is not there', () => {
    const { name, start, stop, stopRefused, variants } = grouped();
    const experiment = start();
    const path = textOf(experiment, 'name');
    for (const body of [{}, { variantChoice: 'VARIANT_CHOICE_UNSPECIFIED' }])
      expect(stopRefused(path, body)).toMatch(/^400 invalid: Invalid value for variant_choice: /);
    const gone = `${name}/mediationAbExperiments/1`;
    expect(stopRefused(gone, { variantChoice: 'VARIANT_CHOICE_A' })).toBe(`404 notFound: Resource not found: ${gone}`);
    expect(variants()).toContain('B 1: VARIANT_B');
    stop(experiment, 'VARIANT_CHOICE_A');
    expect(stopRefused(path, { variantChoice: 'VARIANT_CHOICE_B' })).toMatch(
      /^400 failedPrecondition: The experiment \d{10} has ended: it cannot be stopped again$/,
    );
    expect(variants()).toEqual(['A 1: ORIGINAL', 'AdMob Network: ORIGINAL']);
  });
});

test('K9: a group has at most 1,000 experiments', () => {
  const { tenant, name, startRefused } = grouped();
  const { store } = tenant.context('admob.accounts.mediationGroups.mediationAbExperiments.create');
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    collection: 'mediation.ab-experiments',
    parent: name,
    id: String(at),
    body: { state: 'ENDED' },
  }));
  store.insertMany(rows, []);
  expect(startRefused()).toBe('429 quotaExceeded: A mediation group has at most 1000 experiments');
});
