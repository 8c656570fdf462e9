import { v1 } from '../conformance/packages/cloud-quotas.ts';
import { google } from '../conformance/packages/googleapis.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlStack, startControlStack } from '../conformance/support/control-stack.ts';

const QUOTA = { service: 'sightline', quotaId: 'FreeRequestsPerMinutePerCaller' };
/** `QUOTA_DECREASE_PERCENTAGE_TOO_HIGH`, as the client sends it. */
const ANY_DECREASE = [2];
/** Isolates keep limits for 30 seconds. */
const FELT = { timeout: 60_000, interval: 1_000 };

let stack: ControlStack;
beforeAll(async () => {
  process.env['METADATA_SERVER_DETECTION'] = 'none';
  process.env['TELEMETRY'] = 'control'; // The other stacks of these tests go without.
  stack = await startControlStack();
});
afterAll(async () => stack?.stop());

function clientWith(token: string): InstanceType<typeof v1.CloudQuotasClient> {
  const { hostname, port } = new URL(stack.world.url);
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  const options = { fallback: true, protocol: 'http', apiEndpoint: hostname, port: Number(port), authClient: auth };
  return new v1.CloudQuotasClient(options as never); // Of the auth client, the token is all that is asked for.
}

const read = (caller: string): Promise<Response> =>
  fetch(`${stack.api}/llms.txt`, { headers: { 'cf-connecting-ip': caller } });

const policy = async (): Promise<string | null> => (await read('192.0.2.1')).headers.get('ratelimit-policy');

async function burst(caller: string, times: number): Promise<Response[]> {
  const answers: Response[] = [];
  for (let n = 0; n < times; n += 1) answers.push(await read(caller));
  return answers;
}

test('K2: the operator sets the limit of free routes with the official client, and nobody else does', async () => {
  expect(await policy()).toBe('"free";q=300;w=60');
  const theirs = clientWith(await stack.anotherToken('C0000000x'));
  await theirs.createQuotaPreference({
    parent: 'projects/theirs/locations/global',
    quotaPreference: { ...QUOTA, quotaConfig: { preferredValue: 10 } },
    ignoreSafetyChecks: ANY_DECREASE,
  });
  const ours = clientWith(stack.world.token);
  const [preference] = await ours.createQuotaPreference({
    parent: 'projects/local/locations/global',
    quotaPreferenceId: 'free',
    quotaPreference: { ...QUOTA, quotaConfig: { preferredValue: 20 } },
    ignoreSafetyChecks: ANY_DECREASE,
  });
  await expect.poll(policy, FELT).toBe('"free";q=20;w=60');
  const answers = await burst('192.0.2.2', 21);
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  const refused = answers.at(-1);
  expect(refused?.headers.get('ratelimit')).toMatch(/^"free";r=0;t=\d+$/);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  const [info] = await ours.getQuotaInfo({
    name: 'projects/local/locations/global/services/sightline/quotaInfos/FreeRequestsPerMinutePerCaller',
  });
  expect(info.dimensionsInfos?.[0]?.details?.value).toBe('20');

  const name = preference.name ?? '';
  await ours.updateQuotaPreference({
    quotaPreference: { name, quotaConfig: { preferredValue: 40 }, contactEmail: 'operator@example.com' },
    updateMask: { paths: ['quota_config.preferred_value'] },
  });
  await expect.poll(policy, FELT).toBe('"free";q=40;w=60');
  expect((await burst('192.0.2.3', 30)).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
}, 150_000);
