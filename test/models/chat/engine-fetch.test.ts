import { expect, test, vi } from 'vitest';
import { createEngineFetch } from '../../../src/models/chat/engine-fetch.ts';
import { CHAT_LIMITS } from '../../../src/models/chat/limits.ts';

// A Response of such a status cannot be made; runtimes that hide a redirect hand one out.
const hidden = { status: 0, body: null, headers: new Headers() } as Response;

test.each<[string, Response]>([
  ['with its status', new Response(null, { status: 307, headers: { location: 'https://evil.example/' } })],
  ['whose status is hidden', hidden],
])('F5: a redirect %s is refused: the key would go along', async (_what, answer) => {
  const inner = vi.fn<typeof fetch>(async () => answer);
  const asked = createEngineFetch(inner, CHAT_LIMITS)('https://engine.example/v1');
  await expect(asked).rejects.toMatchObject({ name: 'EngineAnswerRefused' });
  expect(inner.mock.calls).toMatchObject([['https://engine.example/v1', { redirect: 'manual' }]]);
});
