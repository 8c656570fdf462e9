import { expect, test } from 'vitest';
import type { ServiceFactsPort, WorkerAbout } from '../../../../../src/console-api/service.ts';
import type { SecretsSeen } from '../../../../../src/authorization/operators/secret-ages.ts';
import { deskWith } from '../../../../support/workers/test-console-desk.ts';
import { signalIn } from '../world.ts';
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
  expect(page).toMatch(/SALES<\/code><\/th><td[^>]*><span class="dim">not set</);
  expect(page).toMatch(/OTEL_EXPORTER_OTLP_HEADERS<\/code><\/th><td[^>]*>set</);
  expect(page).not.toContain(SECRET);
  expect(page).toContain('This version of the webhook Worker cannot say');
  const file = await world.text('/console/settings.csv');
  expect(file).toContain('api,LEDGER_SECRET,set');
  expect(file).not.toContain(SECRET);
});

const DAY_MS = 86_400_000;

/** An api Worker that saw `LEDGER_SECRET` first so many days ago, and every secret of others now. */
function seenSince(days: number) {
  const asked: SecretsSeen[] = [];
  const facts: Partial<ServiceFactsPort> = {
    about: async () => ({ ...about, secrets: [{ name: 'LEDGER_SECRET', print: '01234567' }] }),
    secretAges: async (seen) => {
      asked.push(...seen);
      return seen.flatMap(({ worker, secrets }) =>
        secrets.map(({ name }) => ({
          worker,
          name,
          firstSeenMs: Date.now() - (name === 'LEDGER_SECRET' ? days * DAY_MS : 0),
        })),
      );
    },
  };
  return { asked, facts };
}

test('a secret says since when it is in force, and that it is to be rotated after a year', async () => {
  const old = seenSince(400);
  const bindings = { OTEL_EXPORTER_OTLP_HEADERS: SECRET };
  const world = await serviceWorld({ facts: old.facts, bindings });
  const page = await world.text('/console/settings');
  expect(page).toMatch(
    /LEDGER_SECRET<\/code><\/th><td[^>]*>set, first seen <time[^>]*>.*?Older than 365 days: rotate/s,
  );
  expect(page).toMatch(
    /OTEL_EXPORTER_OTLP_HEADERS<\/code><\/th><td[^>]*>set, first seen <time[^>]*>[^<]*<\/time> <\/td>/,
  );
  expect(old.asked.map(({ worker }) => worker)).toEqual(['api', 'control']);
  expect(JSON.stringify(old.asked)).not.toContain(SECRET);
  const day = new Date(Date.now() - 400 * DAY_MS).toISOString().slice(0, 10);
  expect(await world.text('/console/settings.csv?worker=api')).toContain(`api,LEDGER_SECRET,set,${day}T`);
  expect(await world.text('/console/settings.csv?worker=api')).not.toContain('control,');
  expect((await world.get('/console/settings.csv?worker=nothing')).status).toBe(400);
});

test('the overview names the oldest secret, and asks for a look after a year', async () => {
  const secretsOf = async (facts: Partial<ServiceFactsPort>) =>
    signalIn(await (await serviceWorld({ facts })).text('/console/'), 'Secrets');
  expect(await secretsOf(seenSince(400).facts)).toMatch(
    /^Secrets 400 d Rotate 1 of \d+ are old\. The oldest is LEDGER_SECRET \(api\), first seen \d{4}-/,
  );
  expect(await secretsOf(seenSince(300).facts)).toMatch(/^Secrets 300 d Not old The oldest of \d+ is LEDGER_SECRET/);
  expect(await secretsOf({ about: async () => about })).toContain('Cannot say');
});

test('the overview says when published reports end, which needs no one', async () => {
  const DAYS_3 = 3 * DAY_MS + 60_000;
  const ends = { sites: 12, withinDays: 7, ending: 2, next: { key: 'shop.example', endsAtMs: Date.now() + DAYS_3 } };
  const linesOf = async (publishedEnds: ServiceFactsPort['publishedEnds']) =>
    signalIn(await (await serviceWorld({ facts: { publishedEnds } })).text('/console/'), 'Published reports');
  expect(await linesOf(async () => ({ ...ends, isPartial: true }))).toMatch(
    /^Published reports 2 End soon Of the first 12 sites, .* The next: shop\.example, in 3 d/,
  );
  const { next: _next, ...none } = ends;
  expect(await linesOf(async () => ({ ...none, sites: 0, ending: 0, isPartial: false }))).toMatch(/ 0 None Of 0 sites/);
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
  expect(await world.text('/console/versions/migrations.csv')).toContain('api,v5,OperationsRegister');
  expect(await world.text('/console/versions/formats.csv')).toBe('format,version\r\nRubric of audits,3.0.0\r\n');
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
