import { reset } from 'cloudflare:test';
import { afterAll, afterEach, vi } from 'vitest';
import { heldBytes } from '../../../src/net/held-bytes.ts';
import { endBehindAnswers } from './behind-answers.ts';

/** A file whose work goes on after its last test is waited for so long: the next one shares its isolate. */
const ENDS_WITHIN_MS = 5_000;

afterEach(async () => {
  await reset();
});
afterAll(async () => {
  await endBehindAnswers();
  await reset();
  vi.useRealTimers();
  await vi.waitFor(() => {
    if (heldBytes.held() > 0) throw new Error(`work of this file goes on and holds ${heldBytes.held()} bytes`);
  }, ENDS_WITHIN_MS);
});
