import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { buildAsyncApi } from '../../src/about/asyncapi.ts';
import { buildWebhookPayload } from '../../src/monitors/receivers/alert-payload.ts';
import { makeAlert, makeOrder, webhook } from '../monitors/receivers/made.ts';

const document = z
  .looseObject({
    asyncapi: z.literal('3.1.0'),
    components: z.looseObject({
      messages: z.record(z.string(), z.looseObject({ payload: z.record(z.string(), z.unknown()) })),
      schemas: z.record(z.string(), z.unknown()),
    }),
  })
  .parse(buildAsyncApi('https://a.example'));

function judgePayload(message: string, payload: unknown): readonly unknown[] {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const schema = { ...document.components.messages[message]?.payload, components: document.components };
  const judge = ajv.compile(schema);
  return judge(payload) ? [] : (judge.errors ?? []);
}

const BASE = 'https://a.example';
const make = (changes: Parameters<typeof makeOrder>[1] = {}): unknown =>
  JSON.parse(buildWebhookPayload(makeOrder(webhook(), changes), BASE));
const { delivery } = makeOrder(webhook());

test.each([
  ['monitorAlert', make()],
  [
    'monitorDigest',
    make({ delivery: { ...delivery, kind: 'digest' }, alerts: [makeAlert(1), makeAlert(2, { severity: 'critical' })] }),
  ],
  ['monitorTest', make({ delivery: { ...delivery, kind: 'test' }, alerts: [] })],
  ['progress', { done: 3, total: 30, failed: 0 }],
  ['progress', { done: 0 }],
])('%s describes what is sent', (message, payload) => {
  expect(judgePayload(message, payload)).toEqual([]);
});

test.each([
  ['monitorAlert', make({ delivery: { ...delivery, kind: 'test' }, alerts: [] })],
  ['monitorTest', make()],
  ['directoryUser', { type: 'user.unknown', timestamp: '2026-11-29T00:00:00Z', data: {} }],
  ['progress', { done: -1 }],
  ['problem', { title: 'x' }],
])('%s refuses another message', (message, payload) => {
  expect(judgePayload(message, payload)).not.toEqual([]);
});
