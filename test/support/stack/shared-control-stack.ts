import type { TestProject } from 'vitest/node';
import { type ControlAddress, startControlWorkers } from '../../conformance/support/control-stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    controlStack: ControlAddress;
  }
}

/** Starts the control stack that tests share, each in a tenant of its own: a start costs more than most of them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const before = { ...process.env };
  const { api, control, secret, stop } = await startControlWorkers();
  // The guard of its workerd is in the environment, which the processes of the tests would inherit.
  for (const name of Object.keys(process.env)) if (before[name] === undefined) delete process.env[name];
  Object.assign(process.env, before);
  project.provide('controlStack', { api, control, secret });
  return stop;
}
