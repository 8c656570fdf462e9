import { describe, expect, test } from 'vitest';
import { resolveApiEndpoint } from '../../../src/models/core/api-endpoint.ts';

describe('settings of a chat API', () => {
  const made = (given: { url?: string; key?: string }) =>
    resolveApiEndpoint({ prefix: 'ANSWER_ENGINE', model: 'm', url: 'https://a.example/v1', ...given });

  test.each([
    ['no address', { url: 'a.example' }, 'ANSWER_ENGINE_URL'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'ANSWER_ENGINE_URL'],
    ['a password in the address', { url: 'https://user:secret@a.example/v1' }, 'ANSWER_ENGINE_URL'],
    ['two lines as key', { key: 'sk-secret\nx' }, 'ANSWER_ENGINE_KEY'],
    ['letters that no header carries', { key: 'sk-secret-ä€' }, 'ANSWER_ENGINE_KEY'],
  ])('are refused without quoting them: %s', (_what, given, variable) => {
    const outcome = made(given);
    expect(outcome).toMatchObject({ ok: false, detail: expect.stringContaining(variable) });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  test.each([{ key: 'sk-1\n' }, { key: '' }, { url: 'http://127.0.0.1:8080/v1' }])('are taken: %j', (given) => {
    expect(made(given).ok).toBe(true);
  });
});
