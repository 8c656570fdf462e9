import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumPath } from '../../../scripts/chromium.js';
import { CHROMIUM_FLAGS } from './chromium-flags.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the chromium listens that tests share; null where this machine has none. */
    chromium: string | null;
  }
}

/** Starts the chromium that tests share, each in contexts of its own: a start takes seconds of processor time. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    project.provide('chromium', null);
    return () => Promise.resolve();
  }
  const server = await chromium.launchServer({ executablePath, args: [...CHROMIUM_FLAGS], host: '127.0.0.1' });
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}
