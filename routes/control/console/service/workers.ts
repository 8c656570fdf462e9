import { describeWorker } from '../../../../src/deploy/describe-settings.ts';
import { ROTATED_SETTINGS } from '../../../../src/deploy/rotated-settings-data.ts';
import type { SecretAge } from '../../../../src/authorization/operators/secret-ages.ts';
import { describeSecrets } from '../../../../src/deploy/secret-prints.ts';
import { DAY_MS, formatIsoDay } from '../../../../src/lib/time.ts';
import type { Signal } from '../../../../src/web/console/overview.tsx';
import {
  formatFormatsCsv,
  formatMigrationsCsv,
  formatSettingsCsv,
  formatVersionsCsv,
  renderSettings,
  renderVersions,
  type SecretTerm,
  SETTINGS_PATH,
  VERSIONS_PATH,
  type WorkerSeen,
} from '../../../../src/web/console/service/settings.tsx';
import type { ServiceFactsPort } from '../../../../src/console-api/service.ts';
import { logLine } from '../../../shared/telemetry.ts';
import { CSV_TYPE, type ConsoleContext, type ConsolePage, type NothingToShow } from '../console-request.ts';
import { askWorker } from '../../bindings/ask-worker.ts';
import { OLDER_WORKER } from './commands.ts';

/** `/console/settings`: what each Worker reads from its variables. */
const settingsPage: ConsolePage = {
  path: SETTINGS_PATH,
  title: 'Settings',
  show: async (c) => renderSettings(await readWithTerms(c, await readWorkers(c))),
  signals: [{ question: 'lapse', title: 'Secrets', read: readSecretsSignal }],
  downloads: [{ path: `${SETTINGS_PATH}.csv`, read: readSettingsFile }],
};

/** The settings of the Worker that is asked for, or of all. */
async function readSettingsFile(c: ConsoleContext) {
  const wanted = c.query.get('worker') ?? '';
  const workers = await readWithTerms(c, await readWorkers(c));
  const chosen = workers.filter(({ worker }) => wanted === '' || worker === wanted);
  const [only] = chosen;
  if (only === undefined) return NO_SUCH_WORKER;
  const name = chosen.length > 1 ? 'settings.csv' : `settings-${only.worker}.csv`;
  return { name, type: CSV_TYPE, text: formatSettingsCsv(chosen) };
}

const NO_SUCH_WORKER: NothingToShow = {
  status: 400,
  title: 'There is no such Worker',
  detail: 'Choose “Save as CSV” below a table of settings.',
};

/** Since when the secrets of each Worker are in force. What an earlier version says nothing of has no term. */
async function readWithTerms(c: ConsoleContext, workers: readonly WorkerSeen[]): Promise<readonly WorkerSeen[]> {
  const ages = await readAges(c, workers);
  if (ages === undefined) return workers;
  const terms = Map.groupBy(ages, ({ worker }) => worker);
  return workers.map((seen) => {
    if (seen.state !== 'read') return seen;
    const own = (terms.get(seen.worker) ?? []).map((age) => [age.name, judgeAge(age, c.now())] as const);
    return { ...seen, terms: new Map(own) };
  });
}

function judgeAge({ name, firstSeenMs }: SecretAge, nowMs: number): SecretTerm {
  const rotateAfterDays = ROTATED_SETTINGS.get(name);
  const isOverdue = rotateAfterDays !== undefined && nowMs - firstSeenMs > rotateAfterDays * DAY_MS;
  return { firstSeenMs, rotateAfterDays, isOverdue };
}

/** Undefined where the api Worker is of an earlier version. */
async function readAges(c: ConsoleContext, workers: readonly WorkerSeen[]) {
  const seen = workers.flatMap((each) =>
    each.state === 'read' && each.about.secrets !== undefined
      ? [{ worker: each.worker, secrets: each.about.secrets }]
      : [],
  );
  const found = await askWorker(c.env.OPERATIONS, 'secretAges', seen);
  return found.known ? found.value : undefined;
}

/** The secret that is in force for longest, of those that want a new value now and then. */
async function readSecretsSignal(c: ConsoleContext): Promise<Signal> {
  const workers = await readWorkers(c);
  const ages = await readAges(c, workers);
  if (ages === undefined) return { mood: 'idle', text: 'Cannot say', figure: '', note: OLDER_WORKER.title };
  const nowMs = c.now();
  const rotated = ages
    .filter(({ name }) => ROTATED_SETTINGS.has(name))
    .toSorted((left, right) => left.firstSeenMs - right.firstSeenMs);
  const overdue = rotated.filter((age) => judgeAge(age, nowMs).isOverdue);
  const oldest = overdue[0] ?? rotated[0];
  if (oldest === undefined) return { mood: 'idle', text: 'None', figure: '0', note: 'No secret is set.' };
  const unread = workers.filter(({ state }) => state === 'unread').map(({ worker }) => worker);
  const rest = unread.length === 0 ? '' : ` Could not read those of ${unread.join(' and ')}.`;
  const which = `${oldest.name} (${oldest.worker}), first seen ${formatIsoDay(oldest.firstSeenMs)}`;
  const note =
    overdue.length === 0
      ? `The oldest of ${rotated.length} is ${which}.`
      : `${overdue.length} of ${rotated.length} are old. The oldest is ${which}.`;
  return {
    mood: overdue.length === 0 ? 'good' : 'warn',
    text: overdue.length === 0 ? 'Not old' : 'Rotate',
    figure: `${Math.floor((nowMs - oldest.firstSeenMs) / DAY_MS)} d`,
    note: note + rest,
  };
}

/** `/console/versions`: what runs, its migrations, and the forms of what it stores. */
const versionsPage: ConsolePage = {
  path: VERSIONS_PATH,
  title: 'Versions',
  show: async (c) => renderVersions(await readWorkers(c)),
  downloads: [
    {
      path: `${VERSIONS_PATH}.csv`,
      read: async (c) => ({ name: 'versions.csv', type: CSV_TYPE, text: formatVersionsCsv(await readWorkers(c)) }),
    },
    {
      path: `${VERSIONS_PATH}/migrations.csv`,
      read: async (c) => ({ name: 'migrations.csv', type: CSV_TYPE, text: formatMigrationsCsv(await readWorkers(c)) }),
    },
    {
      path: `${VERSIONS_PATH}/formats.csv`,
      read: async (c) => ({ name: 'formats.csv', type: CSV_TYPE, text: formatFormatsCsv(await readWorkers(c)) }),
    },
  ],
};

export const workerPages: readonly ConsolePage[] = [settingsPage, versionsPage];

/** Every Worker with a page of settings. Each says of itself what it is: no one else has its variables. */
async function readWorkers({ env, settings }: ConsoleContext): Promise<readonly WorkerSeen[]> {
  const { BASE_URL, CONTROL_URL, WEBHOOK_URL = '' } = settings;
  const [api, webhook] = await Promise.all([
    lookAt('api', BASE_URL, env.OPERATIONS),
    lookAt('webhook', WEBHOOK_URL, env.CONSOLE_DESK),
  ]);
  const own = {
    worker: 'control',
    url: CONTROL_URL,
    state: 'read',
    about: { ...describeWorker('control', { ...env }), secrets: await describeSecrets('control', { ...env }) },
  } as const;
  return [api, webhook, own];
}

async function lookAt(
  worker: string,
  url: string,
  port: Pick<ServiceFactsPort, 'about'> | undefined,
): Promise<WorkerSeen> {
  if (port === undefined) return { worker, url, state: 'absent' };
  try {
    const found = await askWorker(port, 'about');
    return found.known ? { worker, url, state: 'read', about: found.value } : { worker, url, state: 'older' };
  } catch (error) {
    logLine({ event: 'worker_not_read', worker, name: error instanceof Error ? error.name : typeof error });
    return { worker, url, state: 'unread' };
  }
}
