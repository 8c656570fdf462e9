import { VERSION } from '../lib/product.ts';
import type { DeployedWorker } from './configuration.ts';
import { migrations } from './migrations-data.ts';
import { deploySettings } from './settings-data.ts';
import { SHOWN_SETTINGS } from './shown-settings-data.ts';

/** Longest value that is shown. */
const MAX_VALUE_CHARS = 300;
/** The binding by which the platform says which upload of a Worker this is. */
const VERSION_BINDING = 'CF_VERSION_METADATA';

type Variables = Readonly<Record<string, unknown>>;

/** A setting as a running Worker has it. `value` is absent where it is not set, and for what may be a secret. */
type SettingInForce = { name: string; isSet: boolean; isSecret: boolean; value?: string };

/**
 * What a running Worker is: its version, the upload of it where the platform names one, its settings and the migrations
 * that its Durable Objects have had: the platform takes no version of a Worker before those.
 * @param env the Worker's variables and bindings
 */
export function describeWorker(worker: DeployedWorker, env: Variables) {
  const build = readBuild(env[VERSION_BINDING]);
  return {
    worker,
    version: VERSION,
    ...(build === undefined ? {} : { build }),
    settings: describeSettings(worker, env),
    migrations: migrations
      .filter((migration) => migration.worker === worker)
      .map(({ tag, classes }) => ({ tag, classes: [...classes] })),
  };
}

/**
 * The settings of a Worker as they are in force now, in the order of the table. No secret leaves the Worker: values are
 * given for names of a list alone, so that a new setting is hidden until it is put on the list.
 */
export function describeSettings(worker: DeployedWorker, env: Variables): SettingInForce[] {
  return deploySettings
    .filter(({ workers }) => workers.includes(worker))
    .map(({ name }) => {
      const given = env[name];
      const isSet = typeof given === 'string' && given !== '';
      const isSecret = !SHOWN_SETTINGS.has(name);
      return isSet && !isSecret
        ? { name, isSet, isSecret, value: given.slice(0, MAX_VALUE_CHARS) }
        : { name, isSet, isSecret };
    });
}

function readBuild(given: unknown): { id: string; at: string } | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { id, timestamp } = given as { id?: unknown; timestamp?: unknown };
  return typeof id === 'string' && id !== '' ? { id, at: typeof timestamp === 'string' ? timestamp : '' } : undefined;
}
