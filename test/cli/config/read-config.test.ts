import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfigExample } from '../../../scripts/docs/cli-page.ts';
import { readConfig } from '../../../src/cli/config/read-config.ts';
import { CONFIG_FILE, configSchema } from '../../../src/cli/config/schema.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (text: string, name = CONFIG_FILE): void => writeFileSync(join(folder, name), text);

test('the file is found in the working folder and above it', () => {
  write('{"urls": ["example.com"]}');
  const below = join(folder, 'a/b');
  mkdirSync(below, { recursive: true });
  const found = { file: join(folder, CONFIG_FILE), folder, config: { urls: ['example.com'] } };
  expect(readConfig({}, folder)).toEqual(found);
  expect(readConfig({}, below)).toEqual(found);
});

test('--no-config ignores it, and --config names another', () => {
  write('{"urls": ["example.com"]}');
  write('{"urls": ["example.org"]}', 'other.json');
  expect(readConfig({ 'no-config': true }, folder)).toBeUndefined();
  expect(readConfig({ config: 'other.json' }, folder)).toMatchObject({ config: { urls: ['example.org'] } });
  expect(readConfig({ config: 'none.json' }, folder)).toMatchObject({ reason: 'config_unusable', exit: 2 });
});

describe('a file that cannot be used is refused with the place', () => {
  test.each([
    ['{', /is not valid JSON/, []],
    ['{"url": "example.com"}', /is not a valid configuration/, [/unknown setting url\. Did you mean urls\?/]],
    ['{"urls": []}', /not a valid/, [/^urls: /]],
    ['{"min-score": 101}', /not a valid/, [/^min-score/]],
    ['{"min-score": {"seo": 1}}', /not a valid/, [/^min-score/]],
    ['{"profile": "shop"}', /not a valid/, [/^profile: /]],
    ['{"ignore": [{"check": "aeo.meta.title"}]}', /not a valid/, [/^ignore\.0\.reason: /]],
    ['{"ignore": [{"check": "aeo.meta.title", "reason": "soon", "expires": "soon"}]}', /not a valid/, [/expires/]],
    ['{"engines": [{"kind": "openai-compatible", "key": "x"}]}', /not a valid/, [/engines\.0: unknown setting key/]],
    ['{"engines": [{"kind": "workers-ai"}]}', /not a valid/, [/engines\.0\.kind/]],
  ])('%s', (text, message, places) => {
    write(text);
    const refused = readConfig({}, folder) as { reason: string; message: string; detail: string[] };
    expect(refused).toMatchObject({ reason: 'config_unusable', message: expect.stringMatching(message) });
    for (const place of places) expect(refused.detail.join('\n')).toMatch(place);
  });
});

test('the example of the docs is a configuration, and the published schema names every setting', () => {
  expect(configSchema.safeParse(readConfigExample()).error).toBeUndefined();
  const published = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../docs/reference/sightline.config.schema.json'), 'utf8'),
  ) as { properties: object; additionalProperties: boolean };
  expect(Object.keys(published.properties)).toEqual(Object.keys(configSchema.shape));
  expect(published.additionalProperties).toBe(false);
});
