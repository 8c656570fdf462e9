import { afterAll } from 'vitest';

// Files share a process: what one sets in the environment is gone before the next.
const before = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
