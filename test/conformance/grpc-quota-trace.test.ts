import { v1, v1beta } from '@google-cloud/cloudquotas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProtoClient, type GrpcStack, joinGrpcStack } from './support/grpc-stack.ts';

const PROJECT = 'grpc-quotas';
const PARENT = `projects/${PROJECT}/locations/global`;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = '00f067aa0ba902b7';
const DECIMAL = '67667974448284343';

let grpc: GrpcStack;

beforeAll(async () => {
  grpc = await joinGrpcStack();
});
afterAll(async () => grpc?.stop());

describe.each(['v1', 'v1beta'] as const)('CloudQuotasClient %s', (version) => {
  type Quotas = InstanceType<typeof v1.CloudQuotasClient>;
  type Adjuster = InstanceType<typeof v1.QuotaAdjusterSettingsManagerClient>;
  let quotas: Quotas;
  let adjuster: Adjuster;

  beforeAll(() => {
    const { CloudQuotasClient, QuotaAdjusterSettingsManagerClient } = version === 'v1' ? v1 : v1beta;
    // Both versions have the same methods and messages.
    quotas = new CloudQuotasClient(grpc.options() as never) as unknown as Quotas;
    adjuster = new QuotaAdjusterSettingsManagerClient(grpc.options() as never) as unknown as Adjuster;
  });
  afterAll(async () => {
    await Promise.all([quotas?.close(), adjuster?.close()]);
  });

  test('makes, changes by a mask, reads and lists preferences', async () => {
    const anew = { service: 'quota.example', quotaId: `Q-${version}`, dimensions: { region: 'r1' } };
    const quotaPreferenceId = `p-${version}`;
    const quotaPreference = { ...anew, quotaConfig: { preferredValue: '100' } };
    const [made] = await quotas.createQuotaPreference({ parent: PARENT, quotaPreferenceId, quotaPreference });
    expect(made).toMatchObject({ ...anew, name: `${PARENT}/quotaPreferences/${quotaPreferenceId}` });
    const change = { name: made.name ?? '', etag: made.etag ?? '', quotaConfig: { preferredValue: '95' } };
    const updateMask = { paths: ['quota_config.preferred_value'] };
    await quotas.updateQuotaPreference({ quotaPreference: change, updateMask });
    const [read] = await quotas.getQuotaPreference({ name: made.name ?? '' });
    expect(read.quotaConfig).toMatchObject({ preferredValue: '95', grantedValue: { value: '95' } });
    const [listed] = await quotas.listQuotaPreferences({
      parent: PARENT,
      filter: `quota_id="Q-${version}"`,
      pageSize: 2,
    });
    expect(listed.map(({ name }) => name)).toEqual([made.name]);
    await expect(quotas.updateQuotaPreference({ quotaPreference: change, updateMask })).rejects.toMatchObject({
      code: 10,
    });
    await expect(
      quotas.createQuotaPreference({ parent: PARENT, quotaPreferenceId, quotaPreference }),
    ).rejects.toMatchObject({ code: 6 });
  });

  test('reads what a service has', async () => {
    const [infos] = await quotas.listQuotaInfos({ parent: `${PARENT}/services/logging.googleapis.com`, pageSize: 2 });
    expect(infos).toHaveLength(3);
    const name = `${PARENT}/services/sightline/quotaInfos/FreeRequestsPerMinutePerCaller`;
    expect((await quotas.getQuotaInfo({ name }))[0]).toMatchObject({ service: 'sightline', refreshInterval: 'minute' });
    await expect(quotas.getQuotaInfo({ name: `${name}x` })).rejects.toMatchObject({ code: 5 });
  });

  test('reads and changes the settings of the adjuster, whose enum has a number', async () => {
    const name = `${PARENT}/quotaAdjusterSettings`;
    const quotaAdjusterSettings = { name, enablement: 2 as const };
    await adjuster.updateQuotaAdjusterSettings({ quotaAdjusterSettings, updateMask: { paths: ['enablement'] } });
    expect((await adjuster.getQuotaAdjusterSettings({ name }))[0]).toMatchObject({ name, enablement: 'ENABLED' });
  });
});

test('TraceService writes spans by v2 and reads them by v1', async () => {
  const name = `projects/${PROJECT}`;
  const v2 = createProtoClient(
    'google/devtools/cloudtrace/v2/tracing.proto',
    'google.devtools.cloudtrace.v2.TraceService',
    grpc.options(),
  );
  const reader = createProtoClient(
    'google/devtools/cloudtrace/v1/trace.proto',
    'google.devtools.cloudtrace.v1.TraceService',
    grpc.options(),
  );
  const span = {
    name: `${name}/traces/${TRACE}/spans/${SPAN}`,
    spanId: SPAN,
    displayName: { value: 'POST /cart' },
    startTime: { seconds: '1700000000', nanos: 1 },
    endTime: { seconds: '1700000001', nanos: 500_000_000 },
    spanKind: 'SERVER',
    attributes: { attributeMap: { n: { intValue: '7' } } },
    sameProcessAsParentSpan: { value: true },
  };
  expect(await v2.call('BatchWriteSpans')({ name, spans: [span] })).toEqual({});
  expect(
    await v2.call('CreateSpan')({ ...span, spanId: SPAN.replace('00', '01'), name: span.name.replace('00f0', '01f0') }),
  ).toMatchObject({
    displayName: { value: 'POST /cart' },
    sameProcessAsParentSpan: { value: true },
  });
  const trace = await reader.call('GetTrace')({ projectId: PROJECT, traceId: TRACE });
  expect(trace['spans']).toMatchObject([
    {
      spanId: DECIMAL,
      kind: 'RPC_SERVER',
      name: 'POST /cart',
      startTime: { seconds: '1700000000', nanos: 1 },
      labels: { n: '7' },
    },
    { name: 'POST /cart' },
  ]);
  const listed = await reader.call('ListTraces')({
    projectId: PROJECT,
    view: 'ROOTSPAN',
    startTime: { seconds: '1600000000' },
    filter: '+root:"POST /cart"',
  });
  expect(listed['traces']).toMatchObject([{ traceId: TRACE }]);
  await expect(v2.call('BatchWriteSpans')({ name, spans: [{ ...span, spanId: '' }] })).rejects.toMatchObject({
    code: 3,
  });
  await expect(reader.call('GetTrace')({ projectId: PROJECT, traceId: 'f'.repeat(32) })).rejects.toMatchObject({
    code: 5,
  });
  v2.close();
  reader.close();
});
