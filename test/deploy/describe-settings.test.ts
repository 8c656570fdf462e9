import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationFiles, type DeployedWorker } from '../../src/deploy/configuration.ts';
import { describeWorker } from '../../src/deploy/describe-settings.ts';
import { migrations } from '../../src/deploy/migrations-data.ts';
import { deploySettings } from '../../src/deploy/settings-data.ts';
import { SHOWN_SETTINGS } from '../../src/deploy/shown-settings-data.ts';

const root = join(import.meta.dirname, '../..');
const SECRET = 'the-value-that-no-page-may-show';

test('no value leaves a Worker but those of the list', () => {
  const env = Object.fromEntries(deploySettings.map(({ name }) => [name, SECRET]));
  for (const worker of ['api', 'control', 'webhook'] as const) {
    const { settings } = describeWorker(worker, env);
    expect(settings.length).toBeGreaterThan(5);
    for (const setting of settings)
      expect(setting).toEqual({
        name: setting.name,
        isSet: true,
        isSecret: !SHOWN_SETTINGS.has(setting.name),
        ...(SHOWN_SETTINGS.has(setting.name) ? { value: SECRET } : {}),
      });
  }
});

test('no setting that is a secret, a key, or an address that may hold one, is on the list', () => {
  const suspicious =
    /SECRET|KEY|TOKEN(?!S)|AUTHORIZATION|HEADERS|RPC_URL|FACILITATOR_URL|ENGINE_URL|OTLP|DESTINATIONS|SUBJECT/;
  expect([...SHOWN_SETTINGS].filter((name) => suspicious.test(name))).toEqual([]);
  const hidden = deploySettings.filter(({ hidden: isHidden, made }) => isHidden === true || made === 'secret');
  expect(hidden.filter(({ name }) => SHOWN_SETTINGS.has(name))).toEqual([]);
});

test('the list names settings that there are', () => {
  const known = new Set(deploySettings.map(({ name }) => name));
  expect([...SHOWN_SETTINGS].filter((name) => !known.has(name))).toEqual([]);
});

test('what is not set is said to be so, and the platform’s word about the upload is given on', () => {
  const build = { id: 'abc', tag: '', timestamp: '2026-11-27T12:00:00Z' };
  const seen = describeWorker('api', { SALES: '', CF_VERSION_METADATA: build });
  expect(seen.build).toEqual({ id: 'abc', at: '2026-11-27T12:00:00Z' });
  expect(seen.settings.find(({ name }) => name === 'SALES')).toEqual({ name: 'SALES', isSet: false, isSecret: false });
  expect(describeWorker('api', {})).not.toHaveProperty('build');
});

/** The migrations of a configuration file, in their order. */
function readMigrations(worker: DeployedWorker) {
  const text = readFileSync(join(root, configurationFiles[worker]), 'utf8');
  const blocks = text.matchAll(/^\[\[migrations\]\]\ntag = "([^"]+)"\nnew_sqlite_classes = \[([^\]]*)\]$/gm);
  return Array.from(blocks, ([, tag = '', classes = '']) => ({
    worker,
    tag,
    classes: classes.split(', ').map((name) => name.replaceAll('"', '')),
  }));
}

test('the migrations are those of the configurations', () => {
  const read = (['api', 'control', 'webhook'] as const).flatMap(readMigrations);
  expect(read.length).toBeGreaterThan(5);
  expect(migrations).toEqual(read);
});
