import { describeWorker } from '../../../../src/deploy/describe-settings.ts';
import {
  formatSettingsCsv,
  formatVersionsCsv,
  renderSettings,
  renderVersions,
  SETTINGS_PATH,
  VERSIONS_PATH,
  type WorkerSeen,
} from '../../../../src/web/console/service/settings.tsx';
import type { ServiceFactsPort } from '../../../../src/console-api/service.ts';
import { logLine } from '../../../shared/telemetry.ts';
import { CSV_TYPE, type ConsoleContext, type ConsolePage } from '../console-request.ts';
import { askWorker } from '../../bindings/ask-worker.ts';

/** `/console/settings`: what each Worker reads from its variables. */
const settingsPage: ConsolePage = {
  path: SETTINGS_PATH,
  title: 'Settings',
  show: async (c) => renderSettings(await readWorkers(c)),
  downloads: [
    {
      path: `${SETTINGS_PATH}.csv`,
      read: async (c) => ({ name: 'settings.csv', type: CSV_TYPE, text: formatSettingsCsv(await readWorkers(c)) }),
    },
  ],
};

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
    about: describeWorker('control', { ...env }),
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
