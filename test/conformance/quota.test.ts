import { protos, v1, v1beta } from '@google-cloud/cloudquotas';
import { google } from 'googleapis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methods } from '../../src/management/core/table/method-row.ts';
import { type ControlStack, startControlStack } from './support/control-stack.ts';

type QuotaClient = InstanceType<typeof v1.CloudQuotasClient>;
type AdjusterClient = InstanceType<typeof v1.QuotaAdjusterSettingsManagerClient>;
const { Enablement } = protos.google.api.cloudquotas.v1.QuotaAdjusterSettings;
const { QuotaSafetyCheck } = protos.google.api.cloudquotas.v1;

const CPUS = { service: 'compute.googleapis.com', quotaId: 'CPUS-per-project-region' };
const EMAIL = 'ada@example.com';
/** gRPC codes, which the client makes of the answer's status; and HTTP statuses, where it keeps those. */
const CODES = {
  invalid: [3, 400],
  missing: [5, 404],
  exists: [6, 409],
  precondition: [9, 400],
  aborted: [10, 409],
} as const;

let stack: ControlStack;
let made = 0;
const fresh = (): string => `p-${(made += 1)}`;

beforeAll(async () => {
  process.env['METADATA_SERVER_DETECTION'] = 'none';
  stack = await startControlStack();
});
afterAll(async () => stack?.stop());

/** Both official clients of a version, over REST, with the token of the local tenant. */
function clientsOf(version: 'v1' | 'v1beta'): { quotas: QuotaClient; adjuster: AdjusterClient } {
  const { hostname, port } = new URL(stack.world.url);
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: stack.world.token });
  const options = { fallback: true, protocol: 'http', apiEndpoint: hostname, port: Number(port), authClient: auth };
  const { CloudQuotasClient, QuotaAdjusterSettingsManagerClient } = version === 'v1' ? v1 : v1beta;
  // Both versions have the same methods and messages; the token is all that is asked of the auth client.
  return {
    quotas: new CloudQuotasClient(options as never) as unknown as QuotaClient,
    adjuster: new QuotaAdjusterSettingsManagerClient(options as never) as unknown as AdjusterClient,
  };
}

async function codeOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
  } catch (error) {
    return (error as { code: number }).code;
  }
  throw new Error('The call was not refused');
}

const refused = async (call: Promise<unknown>, kind: keyof typeof CODES): Promise<void> =>
  expect(CODES[kind]).toContain(await codeOf(call));

type Place = { quotas: QuotaClient; adjuster: AdjusterClient; parent: string };
type Case = { right: (at: Place) => Promise<void>; wrong: (at: Place) => Promise<void> };

const nameOf = ({ parent }: Place, id: string): string => `${parent}/quotaPreferences/${id}`;
const anew = () => ({ service: 'quota.example', quotaId: `Q${fresh()}` });
const wish = (preferredValue: number) => ({ quotaConfig: { preferredValue } });

/** A preference of a quota that nothing else has. */
async function prefer(at: Place, preferredValue = 5) {
  const quotaPreferenceId = fresh();
  const { parent, quotas } = at;
  const quotaPreference = { ...anew(), ...wish(preferredValue) };
  const [preference] = await quotas.createQuotaPreference({ parent, quotaPreferenceId, quotaPreference });
  return { preference, name: nameOf(at, quotaPreferenceId) };
}

const cases: Readonly<Record<string, Case>> = {
  'quotaPreferences.create': {
    right: async (at) => {
      const dimensions = { region: `region-${fresh()}` };
      const [preference] = await at.quotas.createQuotaPreference({
        parent: at.parent,
        quotaPreference: { ...CPUS, dimensions, ...wish(48), contactEmail: EMAIL, justification: 'A launch' },
      });
      expect(preference).toMatchObject({ ...CPUS, dimensions, reconciling: true, justification: 'A launch' });
      expect(preference.contactEmail).toBe('');
      expect(preference.quotaConfig?.grantedValue).toEqual({ value: '24' });
      await expect
        .poll(async () => (await at.quotas.getQuotaPreference({ name: preference.name ?? '' }))[0], { timeout: 10_000 })
        .toMatchObject({ reconciling: false, quotaConfig: { grantedValue: { value: '48' } } });
    },
    wrong: async (at) => {
      const { parent, quotas } = at;
      const dimensions = { region: `region-${fresh()}` };
      await refused(quotas.createQuotaPreference({ parent, quotaPreference: { ...anew(), ...wish(-2) } }), 'invalid');
      const more = { ...CPUS, dimensions, ...wish(25) };
      await refused(quotas.createQuotaPreference({ parent, quotaPreference: more }), 'invalid');
      const less = { ...CPUS, dimensions, ...wish(20) };
      await refused(quotas.createQuotaPreference({ parent, quotaPreference: less }), 'precondition');
      const ignoreSafetyChecks = [QuotaSafetyCheck.QUOTA_DECREASE_PERCENTAGE_TOO_HIGH];
      await quotas.createQuotaPreference({ parent, quotaPreference: less, ignoreSafetyChecks });
      await refused(quotas.createQuotaPreference({ parent, quotaPreference: less, ignoreSafetyChecks }), 'exists');
    },
  },
  'quotaPreferences.get': {
    right: async (at) => {
      const { preference, name } = await prefer(at);
      expect((await at.quotas.getQuotaPreference({ name }))[0]).toEqual(preference);
    },
    wrong: async (at) => refused(at.quotas.getQuotaPreference({ name: nameOf(at, 'none') }), 'missing'),
  },
  'quotaPreferences.list': {
    right: async (at) => {
      const { parent, quotas } = at;
      const names = [(await prefer(at)).name, (await prefer(at)).name, (await prefer(at)).name];
      const request = {
        parent,
        filter: 'service="quota.example" AND reconciling=false',
        orderBy: 'create_time',
        pageSize: 2,
      };
      const [listed] = await quotas.listQuotaPreferences(request);
      expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    },
    wrong: async ({ quotas, parent }) => {
      await refused(quotas.listQuotaPreferences({ parent, filter: 'reconciling=' }), 'invalid');
      await refused(quotas.listQuotaPreferences({ parent: parent.replace('global', 'us-east1') }), 'invalid');
    },
  },
  'quotaPreferences.patch': {
    right: async (at) => {
      const { preference, name } = await prefer(at, 100);
      const updateMask = { paths: ['quota_config.preferred_value'] };
      const quotaPreference = { name, etag: preference.etag ?? '', ...wish(95) };
      await at.quotas.updateQuotaPreference({ quotaPreference, updateMask, validateOnly: true });
      expect((await at.quotas.getQuotaPreference({ name }))[0]).toEqual(preference);
      await at.quotas.updateQuotaPreference({ quotaPreference, updateMask });
      const [read] = await at.quotas.getQuotaPreference({ name });
      expect(read.quotaConfig).toMatchObject({ preferredValue: '95', grantedValue: { value: '95' } });
      const missing = { name: nameOf(at, fresh()), ...anew(), ...wish(1) };
      await at.quotas.updateQuotaPreference({ quotaPreference: missing, allowMissing: true });
      expect((await at.quotas.getQuotaPreference({ name: missing.name }))[0]).toMatchObject({
        quotaId: missing.quotaId,
      });
    },
    wrong: async (at) => {
      const { preference, name } = await prefer(at, 100);
      const change = (more: object) =>
        at.quotas.updateQuotaPreference({ quotaPreference: { name, ...wish(95), ...more } });
      await change({});
      await refused(change({ etag: preference.etag }), 'aborted');
      await refused(change({ service: 'another.example' }), 'invalid');
      await refused(change({ name: nameOf(at, 'none') }), 'missing');
    },
  },
  'quotaInfos.get': {
    right: async ({ quotas, parent }) => {
      const name = `${parent}/services/sightline/quotaInfos/FreeRequestsPerMinutePerCaller`;
      const [info] = await quotas.getQuotaInfo({ name });
      expect(info).toMatchObject({ name, service: 'sightline', refreshInterval: 'minute', isFixed: false });
      expect(info.dimensionsInfos?.[0]?.details?.value).toBe('300');
    },
    wrong: async ({ quotas, parent }) =>
      refused(quotas.getQuotaInfo({ name: `${parent}/services/sightline/quotaInfos/None` }), 'missing'),
  },
  'quotaInfos.list': {
    right: async ({ quotas, parent }) => {
      const [infos] = await quotas.listQuotaInfos({ parent: `${parent}/services/logging.googleapis.com`, pageSize: 2 });
      expect(infos.map(({ quotaId }) => quotaId)).toEqual([
        'ControlRequestsPerMinutePerProject',
        'ReadRequestsPerMinutePerProject',
        'WriteRequestsPerMinutePerProject',
      ]);
    },
    wrong: async ({ quotas, parent }) => {
      const other = parent.replace('global', 'us-east1');
      await refused(quotas.listQuotaInfos({ parent: `${other}/services/logging.googleapis.com` }), 'invalid');
    },
  },
  'quotaAdjusterSettings.getQuotaAdjusterSettings': {
    right: async ({ adjuster, parent }) => {
      const name = `${parent}/quotaAdjusterSettings`;
      await adjuster.updateQuotaAdjusterSettings({ quotaAdjusterSettings: { name, inherited: true } });
      const [settings] = await adjuster.getQuotaAdjusterSettings({ name });
      expect(settings).toMatchObject({ name, enablement: 'DISABLED', inherited: true, inheritedFrom: 'default' });
    },
    wrong: async ({ adjuster, parent }) => {
      const name = `${parent.replace('global', 'us-east1')}/quotaAdjusterSettings`;
      await refused(adjuster.getQuotaAdjusterSettings({ name }), 'invalid');
    },
  },
  'quotaAdjusterSettings.updateQuotaAdjusterSettings': {
    right: async ({ adjuster, parent }) => {
      const name = `${parent}/quotaAdjusterSettings`;
      const quotaAdjusterSettings = { name, enablement: Enablement.ENABLED };
      await adjuster.updateQuotaAdjusterSettings({ quotaAdjusterSettings, updateMask: { paths: ['enablement'] } });
      const [settings] = await adjuster.getQuotaAdjusterSettings({ name });
      expect(settings).toMatchObject({ enablement: 'ENABLED', inherited: false, inheritedFrom: '' });
    },
    wrong: async ({ adjuster, parent }) => {
      const name = `${parent}/quotaAdjusterSettings`;
      const update = (more: object) =>
        adjuster.updateQuotaAdjusterSettings({ quotaAdjusterSettings: { name, ...more } });
      await refused(update({ enablement: Enablement.ENABLEMENT_UNSPECIFIED }), 'invalid');
      await refused(update({ enablement: Enablement.ENABLED, etag: '"other"' }), 'aborted');
    },
  },
};

const rows = methods
  .filter((row) => row.interface === 'quota')
  .map(({ id, version, inSeed, parent = '' }) => ({
    id,
    inSeed,
    version: version === 'v1' ? ('v1' as const) : ('v1beta' as const),
    parent,
    suffix: id.split('.').slice(-2).join('.'),
  }));

test('every row of the seed, 42 of them, and 6 beyond it have their case here', () => {
  expect(rows.filter(({ inSeed }) => inSeed)).toHaveLength(42);
  expect(rows.filter(({ inSeed }) => !inSeed)).toHaveLength(6);
  expect(Object.keys(cases).toSorted()).toEqual([...new Set(rows.map(({ suffix }) => suffix))].toSorted());
});

describe.each(rows)('$id', ({ version, parent, suffix }) => {
  const at = (): Place => ({ ...clientsOf(version), parent: `${parent}/7${version.length}/locations/global` });

  test('does what it says, as another method shows', async () => {
    expect.hasAssertions();
    await cases[suffix]?.right(at());
  });

  test('refuses what the vendor refuses, in its words', async () => {
    expect.hasAssertions();
    await cases[suffix]?.wrong(at());
  });
});
