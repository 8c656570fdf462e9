import { expect, test } from 'vitest';
import { formatDeployEnd, formatEvent } from '../../../src/cli/deploy/print.ts';
import type { DeployEnd } from '../../../src/deploy/deploy.ts';

const end: DeployEnd = {
  ok: true,
  env: 'staging',
  account: { id: 'acc-1', name: 'First' },
  addresses: { api: 'https://api.example', control: 'https://control.example', webhook: undefined },
  steps: [],
  isChanged: true,
  report: {
    status: 'pass',
    checked_at: '2026-11-27T00:00:00.000Z',
    addresses: { api: 'https://api.example' },
    counts: { pass: 1, warn: 1, fail: 0, unknown: 0 },
    results: [
      { id: 'a', title: 'It answers', status: 'pass', detail: 'yes' },
      { id: 'b', title: 'Its clock is right', status: 'warn', detail: '\u001B[31m3 s ahead', next: 'Compare it' },
    ],
  },
  missing: [{ name: 'CONTACT_EMAIL', without: 'pages name no one' }],
  handedOver: '/home/ada/made.env',
};

test('the end of a deployment says where it is, what needs a reader, and what to do', () => {
  const text = formatDeployEnd(end);
  for (const part of [
    '  control  https://control.example\n',
    'Smoke test: 1 passed, 1 warning, 0 failed',
    '  ~ Its clock is right: [31m3 s ahead\n    Compare it\n',
    '  CONTACT_EMAIL: without it pages name no one\n',
    'Secrets that were made are in /home/ada/made.env.\n',
    'staging is deployed.\nNext: sightline doctor --base https://api.example, then the same with --env production.\n',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('It answers');
  expect(text).not.toContain('\u001B');
});

test('a second run, a return and a dry run say that they are one', () => {
  expect(formatDeployEnd({ ...end, isChanged: false })).toContain('staging was deployed already; nothing was changed.');
  expect(formatDeployEnd({ ...end, isReturn: true })).toContain('staging runs the previous code.');
  expect(formatDeployEnd({ ...end, report: undefined })).toContain('this was a dry run for staging');
});

test('after a rollback no advice is to run the same command again, or to do it elsewhere', () => {
  const { report } = end;
  const failed = report && { ...report, status: 'fail' as const };
  const texts = [report, failed].map((one) => formatDeployEnd({ ...end, isReturn: true, report: one }));
  for (const text of texts) {
    expect(text).toContain('Next: sightline doctor --base https://api.example');
    expect(text).toContain('npm run deploy -- --env staging');
    expect(text).not.toMatch(/same command|production/);
  }
});

test('a line of progress holds no characters that steer a terminal', () => {
  const event = { step: 'account', title: 'Account', kind: 'found', text: 'evil\u001B[2J\r name' } as const;
  expect(formatEvent(event)).toBe('Account                    evil[2J  name');
  expect(formatEvent({ ...event, kind: 'would', text: 'one\n  two' })).toMatch(/would run: one\n {27,}two$/);
});
