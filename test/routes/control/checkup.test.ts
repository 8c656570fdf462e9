import { describe, expect, test } from 'vitest';
import { operatorToken, tokenFor, unknownToken } from '../../support/workers/control-tokens.ts';
import { call, json } from './world.ts';

type Checkup = {
  worker: string;
  settings: { setting: string; severity: string }[];
  queues: { name: string; read: boolean; messages?: number }[];
  bindings: Record<string, { read: boolean }>;
};

describe('what the operator reads of the control Worker', () => {
  test('settings that are unsafe, the depth of its queue, and whether the other Workers answer', async () => {
    const answer = await call('/checkup', { token: operatorToken() });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const checkup = await json<Checkup>(answer);
    expect(checkup.worker).toBe('control');
    expect(checkup.settings).toContainEqual(expect.objectContaining({ setting: 'EMULATOR', severity: 'fail' }));
    expect(checkup.queues.map(({ name }) => name)).toEqual(['push']);
    expect(checkup.bindings).toMatchObject({ api: { read: true }, webhook: { read: true } });
  });

  test('no setting is named with its value', async () => {
    const text = await (await call('/checkup', { token: operatorToken() })).text();
    expect(text).not.toContain('C0000live');
  });

  test.each([
    ['no token', null],
    ['a token that is none', unknownToken(7)],
    ['a token of a tenant with every scope', tokenFor()],
    ['a token of a tenant with the scope of the operator', operatorToken({ tenant: 'C00000001' })],
    ['a token of no tenant without that scope', operatorToken({ scopes: ['emulator'] })],
  ])('with %s it is as any address that is not there', async (_, token) => {
    const [asked, other] = [await call('/checkup', { token }), await call('/nothing-here', { token })];
    expect(asked.status).toBeGreaterThanOrEqual(401);
    expect([asked.status, await asked.text()]).toEqual([other.status, await other.text()]);
  });
});
