import { expect, test } from 'vitest';
import { findWebhookHost, findWebhookProblem } from '../../../../src/management/log-store/delivery/webhook-address.ts';

test.each([
  'https://hooks.example.net/logs',
  'https://hooks.example.net:8443/?a=b',
  'https://127.0.0.1:9/',
  'http://localhost:9/',
])('a sink may send to %s, where the deployment does', (url) => {
  expect(findWebhookProblem(url)).toBeUndefined();
});

test.each([
  ['no url', 'it is no URL of at most 2,048 characters'],
  [`https://hooks.example.net/${'x'.repeat(2_048)}`, 'it is no URL of at most 2,048 characters'],
  ['http://hooks.example.net/', 'it is not https'],
  ['ftp://hooks.example.net/', 'it is not https'],
  ['http://10.0.0.1/', 'it is not https'],
  ['https://10.0.0.1/', 'its host is not public'],
  ['https://[fd00::1]/', 'its host is not public'],
  ['https://169.254.169.254/latest', 'its host is not public'],
  ['https://me:secret@hooks.example.net/', 'it has credentials'],
  ['https://hooks.example.net/#part', 'it has a fragment'],
])('F5: a sink may not send to %s: %s', (url, why) => {
  expect(findWebhookProblem(url)).toBe(why);
});

test('sinks are counted by host', () => {
  expect(findWebhookHost('https://Hooks.Example.net:8443/a')).toBe('hooks.example.net');
  expect(findWebhookHost('storage.googleapis.com/bucket')).toBeUndefined();
});
