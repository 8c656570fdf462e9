import { expect, test } from 'vitest';
import type { WorkerAbout } from '../../../../../src/console-api/service.ts';
import { deskWith } from '../../../../support/workers/test-console-desk.ts';
import { serviceWorld } from './world.ts';

const about: WorkerAbout = {
  worker: 'api',
  version: '9.9.9',
  build: { id: '1c9f4a52-0000-0000-0000-000000000000', at: '2026-11-27T12:34:56Z' },
  settings: [
    { name: 'PAY_TO', isSet: true, isSecret: false, value: '0xabc' },
    { name: 'LEDGER_SECRET', isSet: true, isSecret: true },
    { name: 'SALES', isSet: false, isSecret: false },
  ],
  migrations: [{ tag: 'v5', classes: ['OperationsRegister'] }],
  formats: [{ what: 'Rubric of audits', version: '3.0.0' }],
};
const SECRET = 'authorization=Bearer%20no-page-may-show-this';

test('settings in force are shown by Worker, and secrets as set or not set alone', async () => {
  const bindings = { OTEL_EXPORTER_OTLP_HEADERS: SECRET, CONSOLE_DESK: deskWith({}) };
  const world = await serviceWorld({ facts: { about: async () => about }, bindings });
  const page = await world.text('/console/settings');
  expect(page).toMatch(/PAY_TO<\/code><\/th><td[^>]*><code>0xabc/);
  expect(page).toMatch(/LEDGER_SECRET<\/code><\/th><td[^>]*>set</);
  expect(page).toMatch(/SALES<\/code><\/th><td[^>]*>not set</);
  expect(page).toMatch(/OTEL_EXPORTER_OTLP_HEADERS<\/code><\/th><td[^>]*>set</);
  expect(page).not.toContain(SECRET);
  expect(page).toContain('This version of the webhook Worker cannot say');
  const file = await world.text('/console/settings.csv');
  expect(file).toContain('api,LEDGER_SECRET,set');
  expect(file).not.toContain(SECRET);
});

test('versions, migrations and stored formats are those of each Worker, and a mixture is said', async () => {
  const world = await serviceWorld({ facts: { about: async () => about } });
  const page = await world.text('/console/versions');
  expect(page).toContain('9.9.9');
  expect(page).toContain('2026-11-27 12:34 UTC');
  expect(page).toContain('The Workers are of different versions');
  expect(page).toContain('OperationsRegister');
  expect(page).toContain('ResourceStore');
  expect(page).toContain('3.0.0');
  expect(await world.text('/console/versions.csv')).toContain('api,9.9.9,1c9f4a52');
});

test('a Worker that does not answer, or cannot say, does not hide the others', async () => {
  const broken = await serviceWorld({ facts: { about: async () => Promise.reject(new Error('down')) } });
  const page = await broken.text('/console/versions');
  expect(page).toContain('could not read');
  expect(page).toContain('ResourceStore');
  const older = await serviceWorld({ bindings: { CONSOLE_DESK: undefined } });
  expect(await older.text('/console/settings')).toContain('This version of the api Worker cannot say');
  expect(await older.text('/console/versions')).toContain('none here');
});
