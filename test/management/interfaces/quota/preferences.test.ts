import { describe, expect, test } from 'vitest';
import { CPUS, EMAIL, FREE, IGNORE, nameOf, PARENT, quotaWorld, requested, textOf } from './quota-world.ts';

describe('a new preference', () => {
  test('asks for more: it is pending for a second of the tenant’s clock, then granted', () => {
    const { create, get, tenant } = quotaWorld();
    const body = requested(CPUS, 48, {
      contactEmail: EMAIL,
      justification: 'A launch',
      dimensions: { region: 'us-east1' },
    });
    const made = create(body, { quotaPreferenceId: 'more' });
    expect(made).toMatchObject({
      name: nameOf('more'),
      ...CPUS,
      dimensions: { region: 'us-east1' },
      justification: 'A launch',
      reconciling: true,
      quotaConfig: {
        preferredValue: '48',
        grantedValue: '24',
        stateDetail: 'The request for more is being reviewed',
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        requestOrigin: 'ORIGIN_UNSPECIFIED',
      },
      createTime: '2026-11-21T00:00:00.000Z',
      updateTime: '2026-11-21T00:00:00.000Z',
    });
    expect(made).not.toHaveProperty('contactEmail');
    tenant.later(999);
    expect(get('more')).toMatchObject({ reconciling: true, quotaConfig: { grantedValue: '24' } });
    tenant.later(1);
    expect(get('more')).toMatchObject({
      reconciling: false,
      quotaConfig: { grantedValue: '48', stateDetail: 'Granted' },
    });
    expect(get('more')['etag']).not.toBe(made['etag']);
  });

  test('asks for less: it is granted at once, without a trace and without an address', () => {
    const made = quotaWorld().create(requested(CPUS, 22), { quotaPreferenceId: 'less' });
    expect(made).toMatchObject({ reconciling: false, quotaConfig: { preferredValue: '22', grantedValue: '22' } });
    expect(made['quotaConfig']).not.toHaveProperty('traceId');
  });

  test('has an id of ours where the caller gives none', () => {
    const { create, list } = quotaWorld();
    expect(create(requested(CPUS, 24))['name']).toMatch(/\/quotaPreferences\/[0-9a-f]{32}$/);
    expect(list()['quotaPreferences']).toHaveLength(1);
  });

  test('for a service that the catalogue lacks is granted as asked', () => {
    const made = quotaWorld().create(requested({ service: 'pubsub.googleapis.com', quotaId: 'Topics' }, 7));
    expect(made).toMatchObject({ reconciling: false, quotaConfig: { grantedValue: '7' } });
  });

  test.each([
    ['no service', { ...requested(CPUS, 1), service: '' }, 'Missing required field: service'],
    ['no quota', { ...requested(CPUS, 1), quotaId: '' }, 'Missing required field: quotaId'],
    ['no config', { ...CPUS }, 'Missing required field: quotaConfig'],
    ['no value', { ...CPUS, quotaConfig: {} }, 'Missing required field: quotaConfig.preferredValue'],
    ['less than -1', requested(CPUS, -2), 'The preferred value must be greater than or equal to -1'],
    [
      'more than an int64',
      requested(CPUS, '9223372036854775808'),
      'The preferred value must be greater than or equal to -1',
    ],
    ['no number', requested(CPUS, '1e3'), 'The preferred value must be greater than or equal to -1'],
    ['more without an address', requested(CPUS, 25), 'A contact email is required to request more quota'],
    ['unlimited without one', requested(CPUS, -1), 'A contact email is required to request more quota'],
    ['no address', requested(CPUS, 24, { contactEmail: 'ada' }), 'Invalid contact email'],
    [
      'another dimension',
      requested(CPUS, 24, { dimensions: { zone: 'a' } }),
      'The quota CPUS-per-project-region has no such dimension',
    ],
    ['one user', requested(CPUS, 24, { dimensions: { user: 'a' } }), 'A preference holds for every user'],
    [
      'no quota of ours',
      requested({ service: 'sightline', quotaId: 'Free' }, 9),
      'The service sightline has no such quota',
    ],
    [
      'a wrong service',
      requested({ service: 'a b', quotaId: 'Free' }, 9),
      'Invalid service name in quotaPreference.service',
    ],
    [
      'a wrong quota',
      requested({ service: 'a', quotaId: 'x'.repeat(129) }, 9),
      'Invalid quota id in quotaPreference.quotaId',
    ],
    [
      'a long reason',
      requested(CPUS, 24, { justification: 'x'.repeat(1_001) }),
      'A justification has at most 1000 characters',
    ],
  ])('K9: with %s is refused', (_what, body, message) => {
    const { createRefused, list } = quotaWorld();
    expect(createRefused(body)).toMatch(new RegExp(`^400 (?:invalid|required): ${message}$`));
    expect(list()).toEqual({});
  });

  test.each(['a b', '-a', 'a/b', 'x'.repeat(129)])('K9: the id %s is refused', (quotaPreferenceId) => {
    expect(quotaWorld().createRefused(requested(CPUS, 24), { quotaPreferenceId })).toBe(
      '400 invalid: Invalid quota preference id',
    );
  });

  test('of a quota and dimensions that have one is refused, whatever the id; other dimensions are another', () => {
    const { create, createRefused } = quotaWorld();
    create(requested(CPUS, 24), { quotaPreferenceId: 'one' });
    expect(createRefused(requested(CPUS, 23), { quotaPreferenceId: 'two' })).toBe(
      '409 duplicate: Quota preference one is there for the same service, quota and dimensions',
    );
    expect(createRefused(requested({ ...CPUS, quotaId: 'Other' }, 23), { quotaPreferenceId: 'one' })).toBe(
      '409 duplicate: Resource already exists: projects/local/locations/global/quotaPreferences/one',
    );
    expect(create(requested(CPUS, 24, { dimensions: { region: 'us-east1' } }))).toHaveProperty('name');
  });
});

describe('safety checks', () => {
  test('a decrease by more than ten percent needs the word of the caller', () => {
    const { create, createRefused } = quotaWorld();
    const message =
      '400 failedPrecondition: The effective limit would decrease from 24 to 21, by more than 10 percent: ignore the safety check QUOTA_DECREASE_PERCENTAGE_TOO_HIGH to do it anyway';
    expect(createRefused(requested(CPUS, 21))).toBe(message);
    expect(createRefused(requested(CPUS, 21), { ignoreSafetyChecks: ['QUOTA_DECREASE_BELOW_USAGE'] })).toBe(message);
    expect(create(requested(CPUS, 21), IGNORE)).toMatchObject({ quotaConfig: { grantedValue: '21' } });
  });

  test('ten percent exactly do not', () => {
    const quota = { service: 'logging.googleapis.com', quotaId: 'ReadRequestsPerMinutePerProject' };
    const { create, patchRefused } = quotaWorld();
    expect(create(requested(quota, 54), { quotaPreferenceId: 'p' })).toMatchObject({
      quotaConfig: { grantedValue: '54' },
    });
    expect(patchRefused('p', requested(quota, 48))).toContain('from 54 to 48');
  });
});

describe('K2: preferences for our own limits stay between floor and ceiling', () => {
  test.each([
    [0, '10', 'Partly granted: 10 is the lowest value that this quota can have'],
    [9_999_999, '6000', 'Partly granted: 6000 is the highest value that this quota can have'],
    [-1, '6000', 'Partly granted: 6000 is the highest value that this quota can have'],
    [30, '30', 'Granted'],
  ])('%i is granted as %s', (value, grantedValue, stateDetail) => {
    const { create, get, tenant } = quotaWorld();
    create(requested(FREE, value, { contactEmail: EMAIL }), { ...IGNORE, quotaPreferenceId: 'free' });
    tenant.later(1_000);
    expect(get('free')['quotaConfig']).toMatchObject({ preferredValue: String(value), grantedValue, stateDetail });
  });
});

describe('a change', () => {
  const world = () => {
    const made = quotaWorld();
    made.create(requested(CPUS, 24, { justification: 'Why' }), { quotaPreferenceId: 'p' });
    return made;
  };

  test('by mask changes what it names', () => {
    const { patch, tenant } = world();
    tenant.later(5_000);
    const sent = requested(CPUS, 23, { justification: 'Other' });
    expect(patch('p', sent, { updateMask: 'quota_config.preferred_value' })).toMatchObject({
      quotaConfig: { preferredValue: '23', grantedValue: '23' },
      justification: 'Why',
      createTime: '2026-11-21T00:00:00.000Z',
      updateTime: '2026-11-21T00:00:05.000Z',
    });
    expect(patch('p', { justification: 'Other' }, { updateMask: 'justification' })).toMatchObject({
      quotaConfig: { preferredValue: '23' },
      justification: 'Other',
    });
  });

  test('without a mask overwrites every field; what it is for may be left out', () => {
    const { patch, patchRefused } = world();
    expect(patch('p', { quotaConfig: { preferredValue: '23' } })).not.toHaveProperty('justification');
    expect(patchRefused('p', { justification: 'x' })).toBe(
      '400 required: Missing required field: quotaPreference.quotaConfig.preferredValue',
    );
  });

  test('for more is pending with what was granted before, and each has a trace of its own', () => {
    const { patch, tenant, get } = world();
    const first = patch('p', requested(CPUS, 30, { contactEmail: EMAIL }), {
      updateMask: 'quotaConfig.preferredValue',
    });
    expect(first).toMatchObject({ reconciling: true, quotaConfig: { grantedValue: '24' } });
    tenant.later(1_000);
    const second = patch('p', requested(CPUS, 40, { contactEmail: EMAIL }));
    expect(second).toMatchObject({ reconciling: true, quotaConfig: { grantedValue: '30' } });
    const traces = [first, second].map(({ quotaConfig }) => (quotaConfig as { traceId: string }).traceId);
    expect(new Set(traces).size).toBe(2);
    tenant.later(1_000);
    expect(get('p')).toMatchObject({ quotaConfig: { grantedValue: '40' } });
  });

  test('for more needs an address', () => {
    expect(world().patchRefused('p', requested(CPUS, 25))).toBe(
      '400 invalid: A contact email is required to request more quota',
    );
  });

  test.each([
    ['service', { service: 'logging.googleapis.com' }],
    ['quotaId', { quotaId: 'Other' }],
    ['dimensions', { dimensions: { region: 'us-east1' } }],
  ])('of %s is refused, with a mask and without', (field, change) => {
    const { patchRefused, get } = world();
    const before = get('p');
    for (const query of [{}, { updateMask: field }, { updateMask: 'quotaConfig' }]) {
      expect(patchRefused('p', { ...requested(CPUS, 24), ...change }, query)).toBe(
        `400 invalid: The field ${field} cannot be changed`,
      );
    }
    expect(get('p')).toEqual(before);
  });

  test('that says what is there changes nothing', () => {
    const { patch, get } = world();
    const before = get('p');
    expect(patch('p', requested(CPUS, 24, { justification: 'Why', dimensions: {} }))).toEqual(before);
  });

  test('with another etag is ABORTED; with the last one it is done', () => {
    const { patch, patchRefused, get, tenant } = world();
    const etag = textOf(get('p')['etag']);
    expect(patch('p', { ...requested(CPUS, 23), etag })).toMatchObject({ quotaConfig: { grantedValue: '23' } });
    expect(patchRefused('p', { ...requested(CPUS, 22), etag })).toBe(
      '409 conflict: The etag does not match: the resource was changed meanwhile',
    );
    patch('p', requested(CPUS, 40, { contactEmail: EMAIL }));
    const pending = textOf(get('p')['etag']);
    tenant.later(1_000);
    expect(patch('p', { ...requested(CPUS, 38), etag: pending })).toMatchObject({
      quotaConfig: { grantedValue: '38' },
    });
  });

  test('that is only to be validated is judged and not made', () => {
    const { patch, patchRefused, get, list } = world();
    const before = get('p');
    expect(patch('p', requested(CPUS, 22), { validateOnly: true })).toMatchObject({
      quotaConfig: { preferredValue: '22' },
    });
    expect(patchRefused('p', requested(CPUS, 2), { validateOnly: true })).toMatch(/^400 failedPrecondition/);
    expect(
      patch('q', requested({ ...CPUS, quotaId: 'X' }, 2), { validateOnly: true, allowMissing: true }),
    ).toMatchObject({
      name: nameOf('q'),
    });
    expect(get('p')).toEqual(before);
    expect(list()['quotaPreferences']).toHaveLength(1);
  });

  test('of what is not there is 404; with allowMissing it is made, whatever the mask says', () => {
    const { patch, patchRefused, get } = world();
    const body = requested({ ...CPUS, quotaId: 'Other' }, 3, { justification: 'New' });
    expect(patchRefused('q', body)).toBe(
      '404 notFound: Resource not found: projects/local/locations/global/quotaPreferences/q',
    );
    patch('q', body, { allowMissing: true, updateMask: 'justification' });
    expect(get('q')).toMatchObject({ quotaId: 'Other', quotaConfig: { grantedValue: '3' }, justification: 'New' });
    expect(patchRefused('r', { quotaConfig: { preferredValue: '1' } }, { allowMissing: true })).toBe(
      '400 required: Missing required field: quotaPreference.service',
    );
  });

  test('of what is not there is ABORTED with an etag, even with allowMissing: its caller knew another state', () => {
    const { patch, patchRefused, get, list } = world();
    const body = requested({ ...CPUS, quotaId: 'Other' }, 3);
    for (const etag of ['"x"', textOf(get('p')['etag'])])
      expect(patchRefused('q', { ...body, etag }, { allowMissing: true })).toBe(
        '409 conflict: The etag does not match: the resource was changed meanwhile',
      );
    expect(list()['quotaPreferences']).toHaveLength(1);
    const { etag } = patch('q', body, { allowMissing: true, validateOnly: true });
    expect(patch('q', { ...body, etag: textOf(etag) }, { allowMissing: true })).toMatchObject({ name: nameOf('q') });
  });

  test('by a mask of a field that there is not is refused', () => {
    expect(world().patchRefused('p', requested(CPUS, 24), { updateMask: 'quotaConfig.value' })).toMatch(
      /^400 invalid: /,
    );
  });
});

describe('containers', () => {
  test.each([
    ['projects/local/locations/us-east1', 'The location of parent must be "global"'],
    ['projects/-/locations/global', 'Invalid resource container in parent'],
    ['billingAccounts/1/locations/global', 'Invalid resource container in parent'],
  ])('%s is refused', (parent, message) => {
    const { tenant } = quotaWorld();
    for (const verb of ['create', 'list']) {
      const sent = { path: { parent }, ...(verb === 'create' ? { body: requested(CPUS, 24) } : {}) };
      expect(tenant.refused(`cloudquotas.projects.locations.quotaPreferences.${verb}`, sent)).toBe(
        `400 invalid: ${message}`,
      );
    }
  });

  test('each has its own, and both versions show the same', () => {
    const { tenant, create } = quotaWorld();
    create(requested(CPUS, 24), { quotaPreferenceId: 'p' });
    const folder = 'folders/7/locations/global';
    const made = tenant.ok('cloudquotas.v1beta.folders.locations.quotaPreferences.create', {
      path: { parent: folder },
      query: { quotaPreferenceId: 'p' },
      body: requested(CPUS, 23),
    });
    expect(made).toMatchObject({ name: `${folder}/quotaPreferences/p` });
    const read = { path: { name: `${folder}/quotaPreferences/p` } };
    expect(tenant.ok('cloudquotas.folders.locations.quotaPreferences.get', read)).toEqual(made);
    const { quotaPreferences } = tenant.ok('cloudquotas.v1beta.projects.locations.quotaPreferences.list', {
      path: { parent: PARENT },
    });
    expect(quotaPreferences).toMatchObject([{ name: nameOf('p') }]);
  });

  test('K9: a thousand preferences are the most', () => {
    const { tenant, createRefused, create } = quotaWorld();
    for (let n = 0; n < 1_000; n += 1) create(requested({ service: 'a', quotaId: `Q${n}` }, 1));
    expect(createRefused(requested(CPUS, 24))).toBe(
      '403 limitExceeded: A container has at most 1000 quota preferences',
    );
    expect(
      tenant.ok('cloudquotas.organizations.locations.quotaPreferences.create', {
        path: { parent: 'organizations/1/locations/global' },
        body: requested(CPUS, 24),
      }),
    ).toHaveProperty('name');
  });
});
