import { describe, expect, test } from 'vitest';
import { webhookSettingsSchema } from '../../../src/notifications/core/settings.ts';
import { findUnsafeWebhookSettings } from '../../../src/notifications/core/unsafe-settings.ts';

const secret = `whsec_${'A'.repeat(32)}`;
const good: Readonly<Record<string, string>> = {
  BASE_URL: 'https://sightline.example',
  WEBHOOK_URL: 'https://webhook.example',
  CHANNEL_TOKEN_KEYS: `1:${'k'.repeat(32)}`,
  DIRECTORY_KEY: '{}',
  DESTINATIONS: JSON.stringify([{ name: 'hr', url: 'https://hr.example/hooks', secret }]),
};

const found = (changes: Readonly<Record<string, string>> = {}) =>
  findUnsafeWebhookSettings(webhookSettingsSchema.parse({ ...good, ...changes })).map(
    ({ setting, severity }) => `${severity} ${setting}`,
  );

describe('settings of the webhook Worker', () => {
  test('a deployment in order has none', () => expect(found()).toEqual([]));

  test.each([
    [{ DIRECTORY_URL: 'http://directory.example' }, ['fail DIRECTORY_URL']],
    [{ DIRECTORY_KEY: '' }, ['warn DIRECTORY_KEY']],
    [{ DIRECTORY_KEY: '', DIRECTORY_TOKEN: 'token' }, ['warn DIRECTORY_TOKEN']],
    [{ DESTINATIONS: '' }, ['warn DESTINATIONS']],
    [
      { DESTINATIONS: JSON.stringify([{ name: 'hr', url: 'http://hr.example', secret, events: ['user'] }]) },
      ['fail DESTINATIONS', 'warn DESTINATIONS'],
    ],
  ])('%j', (changes, expected) => expect(found(changes)).toEqual(expected));

  test('a local stack is left alone', () =>
    expect(found({ WEBHOOK_URL: 'http://127.0.0.1:8788', DIRECTORY_KEY: '', DESTINATIONS: '' })).toEqual([]));
});
