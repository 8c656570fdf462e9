import { describe, expect, test } from 'vitest';
import { describeStatus, type StatusLook } from '../../src/about/service-status.ts';
import { formatPageMarkdown } from '../../src/web/start/document.ts';
import { buildStatusPage } from '../../src/web/about/status-text.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const look: StatusLook = {
  lookedAtMs: NOW,
  sales: { isOpen: true, networks: ['Base', 'Polygon'] },
  engine: { isConfigured: true },
  chain: { block: '123', atMs: NOW - 4_000 },
  facilitator: 200,
  queues: [
    { name: 'prompts', messages: 7 },
    { name: 'monitors', messages: undefined },
  ],
};

const readStates = (changes: Partial<StatusLook>): Record<string, string> =>
  Object.fromEntries(describeStatus({ ...look, ...changes }).parts.map(({ name, state }) => [name, state]));

describe('a look says', () => {
  test.each([
    ['that all is well', {}, { sales: 'open', 'answer engine': 'ready', chain: 'answers', facilitator: 'answers' }],
    ['that sales are closed', { sales: { isOpen: false, networks: ['Base'] } }, { sales: 'closed' }],
    ['that there is no engine', { engine: { isConfigured: false } }, { 'answer engine': 'not_configured' }],
    ['that the node is behind', { chain: { block: '1', atMs: NOW - 600_000 } }, { chain: 'behind' }],
    ['that the facilitator fails', { facilitator: 503 }, { facilitator: 'refuses' }],
    [
      'that it could not look, and never that something is down',
      { chain: undefined, facilitator: undefined },
      { chain: 'not_read', facilitator: 'not_read' },
    ],
  ] as const)('%s', (_name, changes, states) => {
    expect(readStates(changes)).toMatchObject(states);
  });
});

test('queues that cannot be read have no number, which is not 0', () => {
  expect(describeStatus(look).queues).toEqual([
    { name: 'prompts', waiting: 7 },
    { name: 'monitors', waiting: null },
  ]);
});

test('an engine that is no AI model says so', () => {
  const { parts } = describeStatus({ ...look, engine: { isConfigured: true, demonstration: 'simulated' } });
  expect(parts.find(({ name }) => name === 'answer engine')?.detail).toContain('no AI model');
});

test('the page has the time of the look, each part and each queue, and no share of time', () => {
  const text = formatPageMarkdown(buildStatusPage(describeStatus(look)), 'https://a.example');
  expect(text).toContain('2026-11-29T12:00:00.000Z');
  expect(text).toContain('| prompts | 7 |');
  expect(text).toContain('| monitors | could not be looked up |');
  expect(text).not.toMatch(/\d%|uptime|99\./);
});
