import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, json, refusal } from './world.ts';

const OURS = 'C00000001';
const PROJECT = 'projects/measured';
const METRICS = `/v2/${PROJECT}/metrics`;
const INT_ENUMS = '$alt=json;enum-encoding=int';
const TRACE = '0af7651916cd43dd8448eb211c80319c';

const send = (path: string, body: unknown, method = 'POST') => call(path, { method, body });

beforeEach(async () => {
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  await registry.tenant(OURS, 'sandbox');
  await registry.claim(OURS, PROJECT);
});

const distribution = (name: string, bucketOptions: unknown) => ({
  name,
  filter: 'severity>=ERROR',
  valueExtractor: 'EXTRACT(jsonPayload.latency)',
  metricDescriptor: { valueType: 'DISTRIBUTION' },
  bucketOptions,
});

describe('F4: fractions in the buckets of a metric', () => {
  test.each([
    ['exponential', { exponentialBuckets: { numFiniteBuckets: 64, growthFactor: 1.4, scale: 0.01 } }],
    ['linear', { linearBuckets: { numFiniteBuckets: 3, width: 0.5, offset: -1.25 } }],
    ['explicit', { explicitBuckets: { bounds: [0, 0.1, 0.25, 1e9] } }],
  ])('%s buckets are kept as they were sent', async (name, bucketOptions) => {
    const made = await send(METRICS, distribution(name, bucketOptions));
    expect(made.status).toBe(200);
    expect(await json(made)).toMatchObject({ bucketOptions });
    expect(await json(call(`${METRICS}/${name}`))).toMatchObject({ bucketOptions });
  });

  test('numbers as text are numbers, as proto3 JSON has them', async () => {
    const sent = { exponentialBuckets: { numFiniteBuckets: '8', growthFactor: '1.4', scale: '1e-2' } };
    expect(await json(send(METRICS, distribution('text', sent)))).toMatchObject({
      bucketOptions: { exponentialBuckets: { numFiniteBuckets: 8, growthFactor: 1.4, scale: 0.01 } },
    });
  });

  test.each(['NaN', 'Infinity', '-Infinity'])(
    '%s is refused with the reason: no bucket has such a bound',
    async (bound) => {
      const sent = distribution('endless', { linearBuckets: { numFiniteBuckets: 1, width: bound } });
      expect(await refusal(send(METRICS, sent))).toBe(
        `400 INVALID_ARGUMENT: Invalid value at 'bucketOptions.linearBuckets.width' (TYPE_DOUBLE, finite here), "${bound}"`,
      );
    },
  );

  test('whole numbers stay whole', async () => {
    const sent = distribution('whole', { linearBuckets: { numFiniteBuckets: 1.5, width: 1 } });
    expect(await refusal(send(METRICS, sent))).toContain(
      "'bucketOptions.linearBuckets.numFiniteBuckets' (TYPE_INT32), 1.5",
    );
  });
});

describe('F11: enums by their numbers', () => {
  const spanOf = (id: string, spanKind: unknown) => ({
    name: `${PROJECT}/traces/${TRACE}/spans/${id}`,
    spanId: id,
    displayName: { value: 'read' },
    startTime: '2026-11-21T00:00:00Z',
    endTime: '2026-11-21T00:00:01Z',
    spanKind,
    links: { link: [{ traceId: TRACE, spanId: '00f067aa0ba902b9', type: 1 }] },
  });

  test('a span takes them, and answers with names, or with numbers where they are asked for', async () => {
    const id = '00f067aa0ba902b7';
    const path = `/v2/${PROJECT}/traces/${TRACE}/spans/${id}`;
    const named = await json(send(path, spanOf(id, 2)));
    expect(named).toMatchObject({ spanKind: 'SERVER', links: { link: [{ type: 'CHILD_LINKED_SPAN' }] } });
    const other = '00f067aa0ba902b8';
    const numbered = await json(send(`/v2/${PROJECT}/traces/${TRACE}/spans/${other}?${INT_ENUMS}`, spanOf(other, 1)));
    expect(numbered).toMatchObject({ spanKind: 1, links: { link: [{ type: 1 }] } });
  });

  test('a number without a name is refused', async () => {
    const id = '00f067aa0ba902ba';
    const answer = send(`/v2/${PROJECT}/traces/${TRACE}/spans/${id}`, spanOf(id, 99));
    expect(await refusal(answer)).toContain("'spanKind' (TYPE_ENUM), 99");
  });

  test('a query takes them', async () => {
    const list = (view: string) => call(`/v1/${PROJECT}/traces?view=${view}`);
    expect([(await list('3')).status, (await list('COMPLETE')).status, (await list('9')).status]).toEqual([
      200, 200, 400,
    ]);
  });

  test('a metric takes and gives them', async () => {
    const sent = { ...distribution('numbered', undefined), metricDescriptor: { metricKind: 2, valueType: 5 } };
    const made = await send(`${METRICS}?${INT_ENUMS}`, sent);
    expect(await json(made)).toMatchObject({ metricDescriptor: { metricKind: 2, valueType: 5 }, version: 0 });
    expect(await json(call(`${METRICS}/numbered`))).toMatchObject({
      metricDescriptor: { metricKind: 'DELTA', valueType: 'DISTRIBUTION' },
      version: 'V2',
    });
  });
});
