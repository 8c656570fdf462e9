import { computeSha256Hex } from '../lib/digest.ts';
import type { DeployedWorker } from './configuration.ts';
import { deploySettings } from './settings-data.ts';
import { SHOWN_SETTINGS } from './shown-settings-data.ts';

/** 32 bits: enough to notice a new value, and too few to say which value it is. */
const PRINT_DIGITS = 8;

/**
 * The secrets that a Worker has now, each by a part of its digest. They are for the other Workers of the deployment, and on no page.
 * @param env the Worker's variables and bindings
 */
export const describeSecrets = (
  worker: DeployedWorker,
  env: Readonly<Record<string, unknown>>,
): Promise<{ name: string; print: string }[]> =>
  Promise.all(
    deploySettings
      .filter(({ name, workers }) => workers.includes(worker) && !SHOWN_SETTINGS.has(name))
      .flatMap(({ name }) => {
        const value = env[name];
        return typeof value === 'string' && value !== '' ? [{ name, value }] : [];
      })
      .map(async ({ name, value }) => {
        const digest = await computeSha256Hex(JSON.stringify(['secret in force', worker, name, value]));
        return { name, print: digest.slice(0, PRINT_DIGITS) };
      }),
  );
