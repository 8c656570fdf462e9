import { describe, expect, test } from 'vitest';
import {
  type ApiCheckup,
  apiCheckupSchema,
  type ControlCheckup,
  judgeBindings,
  judgeChannels,
  judgeDeadPrompts,
  judgeFacilitator,
  judgeInboxes,
  judgeQueues,
  judgeSettings,
  type WebhookCheckup,
} from '../../../src/deploy/checks/checkups.ts';
import { NOW, shortly } from './answers.ts';

const MINUTE = 60_000;
const emptyInboxes = { waiting: 0, dead: 0, alerts: 0, unread: 0, more: false };
const at = (ms: number): string => new Date(NOW + ms).toISOString();

const api = (changes: Partial<ApiCheckup> = {}): ApiCheckup => ({
  worker: 'api',
  version: '0.1.0',
  network: 'eip155:8453',
  settings: [],
  queues: [],
  dead_letters: { read: true, days: [] },
  facilitator: { read: true, distrusted_at_ms: null },
  ...changes,
});

describe('settings', () => {
  const emulator = { setting: 'EMULATOR', severity: 'fail', detail: 'It is on', next: 'Unset it' } as const;
  const payee = { setting: 'PAY_TO', severity: 'fail', detail: 'Lost', next: 'Replace it' } as const;

  test('that are unsafe fail by name, with what to do', () => {
    const results = judgeSettings('control', [emulator, payee], { isTestNetwork: false });
    expect(shortly(results)).toEqual(['fail settings.control.EMULATOR', 'fail settings.control.PAY_TO']);
    expect(results[0]?.next).toBe('Unset it');
  });

  test('on a test network an emulator is a warning, and a lost payee is not', () => {
    expect(shortly(judgeSettings('control', [emulator, payee], { isTestNetwork: true }))).toEqual([
      'warn settings.control.EMULATOR',
      'fail settings.control.PAY_TO',
    ]);
  });

  test('a name that is none of ours is no answer of ours', () => {
    const odd = { ...api(), settings: [{ ...payee, setting: '\u001B[31mPAY_TO' }] };
    expect(apiCheckupSchema.safeParse(odd).success).toBe(false);
  });
});

describe('queues', () => {
  const judge = (queue: ApiCheckup['queues'][number]) => judgeQueues('api', [queue], NOW)[0]?.status;
  test.each([
    ['pass', { name: 'prompts', read: true, messages: 0 }],
    ['pass', { name: 'prompts', read: true, messages: 30, oldestAtMs: NOW - MINUTE }],
    ['pass', { name: 'prompts', read: true, messages: 0, oldestAtMs: 0 }],
    ['warn', { name: 'prompts', read: true, messages: 10_001 }],
    ['fail', { name: 'prompts', read: true, messages: 1, oldestAtMs: NOW - 16 * MINUTE }],
    ['unknown', { name: 'prompts', read: false }],
  ] as const)('%s for %j', (status, queue) => expect(judge(queue)).toBe(status));
});

describe('dead letters', () => {
  const days = (...pairs: [string, number][]) => ({ read: true, days: pairs.map(([day, count]) => ({ day, count })) });
  test('of prompts count while they are of today or yesterday', () => {
    const judge = (dead: ApiCheckup['dead_letters']) => judgeDeadPrompts(api({ dead_letters: dead }), NOW).status;
    expect(judge(days())).toBe('pass');
    expect(judge(days(['2026-11-25', 9]))).toBe('pass');
    expect(judge(days(['2026-11-26', 1]))).toBe('warn');
    expect(judge(days(['2026-11-27', 1]))).toBe('warn');
    expect(judge({ read: false })).toBe('unknown');
  });

  test('of messages fail until they are worked again; inboxes that did not answer are unknown', () => {
    const judge = (changes: Partial<WebhookCheckup['inboxes']>) =>
      shortly(judgeInboxes(webhook([], { ...emptyInboxes, ...changes })));
    expect(judge({})).toEqual(['pass dead_letters.webhook', 'pass alerts.webhook']);
    expect(judge({ dead: 2, alerts: 1 })).toEqual(['fail dead_letters.webhook', 'warn alerts.webhook']);
    expect(judge({ unread: 1 })).toEqual(['unknown dead_letters.webhook', 'unknown alerts.webhook']);
    expect(judge({ unread: 1, dead: 1 })).toEqual(['fail dead_letters.webhook', 'unknown alerts.webhook']);
    expect(judge({ more: true, alerts: 1 })).toEqual(['unknown dead_letters.webhook', 'warn alerts.webhook']);
  });
});

const webhook = (
  active: WebhookCheckup['channels']['active'],
  inboxes: WebhookCheckup['inboxes'] = emptyInboxes,
  channels: Partial<WebhookCheckup['channels']> = {},
): WebhookCheckup => ({
  worker: 'webhook',
  version: '0.1.0',
  settings: [],
  channels: { counts: {}, next: null, active, more: false, ...channels },
  inboxes,
});

describe('channels', () => {
  const judge = (end: number | null, renewal: number | null) => {
    const channel = {
      id: 'c1',
      expires_at: end === null ? null : at(end),
      renew_at: renewal === null ? null : at(renewal),
    };
    return judgeChannels(webhook([channel]), NOW)[0]?.status;
  };

  test.each([
    ['pass', 60 * MINUTE, 50 * MINUTE],
    ['pass', 60 * MINUTE, -5 * MINUTE],
    ['fail', 60 * MINUTE, -11 * MINUTE],
    ['fail', 60 * MINUTE, 60 * MINUTE],
    ['fail', 60 * MINUTE, null],
    ['fail', 0, -60 * MINUTE],
    ['pass', null, null],
  ] as const)('%s with an end in %i ms and a renewal in %i ms', (status, end, renewal) =>
    expect(judge(end, renewal)).toBe(status),
  );

  test('of which not all are listed are late where the first that is due is', () => {
    const judgeNext = (dueMs: number) => {
      const [lead] = judgeChannels(webhook([], undefined, { more: true, next: { due_at: at(dueMs) } }), NOW);
      return lead?.status;
    };
    expect([judgeNext(MINUTE), judgeNext(-5 * MINUTE), judgeNext(-11 * MINUTE)]).toEqual(['pass', 'pass', 'fail']);
  });

  test('none is open: nothing to renew; failed ones are a warning', () => {
    const none = judgeChannels(webhook([], undefined, { counts: { failed: 1 } }), NOW);
    expect(shortly(none)).toEqual(['pass channels.lead', 'warn channels.failed']);
  });
});

const controlWith = (bindings: ControlCheckup['bindings']): ControlCheckup => ({
  worker: 'control',
  version: '0.1.0',
  settings: [],
  queues: [],
  bindings,
});

test('a stub in the place of a webhook Worker that a deployment does not have is no failure', () => {
  const checkup = controlWith({ api: { read: true }, webhook: { read: false }, pdf: { read: true } });
  expect(judgeBindings(checkup, { hasWebhook: false }).map(({ status }) => status)).toEqual(['pass', 'pass', 'pass']);
  expect(shortly(judgeBindings(checkup, { hasWebhook: true }))).toContain('fail binding.control.webhook');
});

test('a Worker that control does not reach fails; one that is not there does not', () => {
  const bindings = { api: { read: true }, webhook: { read: true, absent: true }, pdf: { read: false } };
  const results = judgeBindings(controlWith(bindings), { hasWebhook: true });
  expect(shortly(results)).toEqual([
    'pass binding.control.api',
    'pass binding.control.webhook',
    'fail binding.control.pdf',
  ]);
});

test('a facilitator whose word does not count is a warning', () => {
  const judge = (facilitator: ApiCheckup['facilitator']) => judgeFacilitator(api({ facilitator })).status;
  expect(judge({ read: true, distrusted_at_ms: null })).toBe('pass');
  expect(judge({ read: true, distrusted_at_ms: NOW })).toBe('warn');
  expect(judge({ read: false })).toBe('unknown');
});
