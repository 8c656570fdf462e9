import { reset } from 'cloudflare:test';
import { afterAll, afterEach } from 'vitest';
import { endBehindAnswers } from './behind-answers.ts';

afterEach(async () => {
  await reset();
});
afterAll(async () => {
  await endBehindAnswers();
  await reset();
});
