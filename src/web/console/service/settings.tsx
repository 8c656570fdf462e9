import type { SettingLine, WorkerAbout } from '../../../console-api/service.ts';
import type { Html } from '../../design/shell.tsx';
import { CouldNotLook, formatCsv, LongId, WideTable } from '../tables.tsx';
import { renderOlderWorker } from './confirm.tsx';

export const SETTINGS_PATH = '/console/settings';
export const VERSIONS_PATH = '/console/versions';

/** A Worker of the deployment. `older`: its version does not know the question; `unread`: it did not answer. */
export type WorkerSeen = { worker: string; url: string } & (
  | { state: 'read'; about: WorkerAbout }
  | { state: 'older' | 'unread' | 'absent' }
);

const TITLES: Readonly<Record<string, string>> = { api: 'api', control: 'control', webhook: 'webhook' };
const formatWorkerTitle = (worker: string): string => `The ${TITLES[worker] ?? worker} Worker`;

/** `/console/settings`: what each Worker of this deployment reads from its variables. */
export const renderSettings = (workers: readonly WorkerSeen[]): Html => (
  <>
    <p class="prose">
      The settings in force now, as each Worker reads them. Of a secret, and of an address that may hold one, the page
      says only whether it is set. Change a setting with a deployment.
    </p>
    {workers.map((seen) => (
      <>
        <h2>{formatWorkerTitle(seen.worker)}</h2>
        {seen.url === '' ? null : (
          <p class="small host">
            <code>{seen.url}</code>
          </p>
        )}
        {seen.state === 'read' ? (
          <SettingsTable about={seen.about} />
        ) : (
          <NotSeen worker={seen.worker} state={seen.state} />
        )}
      </>
    ))}
  </>
);

const NotSeen = ({ worker, state }: { worker: string; state: 'older' | 'unread' | 'absent' }) => {
  if (state === 'older' && worker === 'api') return renderOlderWorker();
  if (state === 'older') return <p>This version of the {worker} Worker cannot say.</p>;
  if (state === 'absent') return <p>This deployment has none.</p>;
  return <CouldNotLook>what this Worker says of itself. Try again in a moment.</CouldNotLook>;
};

const SettingsTable = ({ about: { worker, settings } }: { about: WorkerAbout }) => (
  <WideTable
    caption={`Settings of the ${worker} Worker`}
    columns={['Name', 'Value']}
    file={`${SETTINGS_PATH}.csv`}
    isStacking
  >
    {settings.map((setting) => (
      <tr>
        <th scope="row">
          <code>{setting.name}</code>
        </th>
        <td data-column="Value" class="host">
          {setting.value === undefined ? describeHidden(setting) : <code>{setting.value}</code>}
        </td>
      </tr>
    ))}
  </WideTable>
);

const describeHidden = ({ isSet, isSecret }: SettingLine): string => {
  if (!isSet) return 'not set';
  return isSecret ? 'set' : '';
};

const listRead = (workers: readonly WorkerSeen[]): readonly WorkerAbout[] =>
  workers.flatMap((seen) => (seen.state === 'read' ? [seen.about] : []));

/** Settings of every Worker that answered as CSV (rule X8). */
export const formatSettingsCsv = (workers: readonly WorkerSeen[]): string =>
  formatCsv([
    ['worker', 'name', 'value'],
    ...listRead(workers).flatMap(({ worker, settings }) =>
      settings.map((setting) => [worker, setting.name, setting.value ?? describeHidden(setting)]),
    ),
  ]);

/** `/console/versions`: what runs, and which forms of stored data it knows. */
export const renderVersions = (workers: readonly WorkerSeen[]): Html => {
  const read = listRead(workers);
  const versions = new Set(read.map(({ version }) => version));
  return (
    <>
      {versions.size > 1 ? (
        <p class="warning" role="status">
          <strong>The Workers are of different versions.</strong> That is so for a moment during a deployment. If it
          lasts, deploy again, or roll all of them back.
        </p>
      ) : null}
      <WideTable
        caption="Workers of this deployment"
        columns={['Worker', 'Version', 'Upload', 'Uploaded']}
        file={`${VERSIONS_PATH}.csv`}
        isStacking
      >
        {workers.map((seen) => (
          <tr>
            <th scope="row">{seen.worker}</th>
            <VersionCells seen={seen} />
          </tr>
        ))}
      </WideTable>
      <h2>Migrations of Durable Objects</h2>
      <p class="prose">The platform takes no version of a Worker before its migrations, so all of these are applied.</p>
      <WideTable caption="Migrations applied" columns={['Worker', 'Migration', 'Classes that it brought']} isStacking>
        {read.flatMap(({ worker, migrations }) =>
          migrations.map(({ tag, classes }) => (
            <tr>
              <th scope="row">{worker}</th>
              <td data-column="Migration">{tag}</td>
              <td data-column="Classes">{classes.join(', ')}</td>
            </tr>
          )),
        )}
      </WideTable>
      <h2>Stored formats</h2>
      <WideTable caption="Versions of stored formats" columns={['Format', 'Version']} isStacking>
        {read.flatMap(({ formats = [] }) =>
          formats.map(({ what, version }) => (
            <tr>
              <th scope="row">{what}</th>
              <td data-column="Version">{version}</td>
            </tr>
          )),
        )}
      </WideTable>
    </>
  );
};

const STATES = { older: 'cannot say', unread: 'could not read', absent: 'none here' } as const;

const VersionCells = ({ seen }: { seen: WorkerSeen }) =>
  seen.state === 'read' ? (
    <>
      <td data-column="Version">{seen.about.version}</td>
      <td data-column="Upload">{seen.about.build === undefined ? 'not known' : <LongId id={seen.about.build.id} />}</td>
      <td data-column="Uploaded">{formatUpload(seen.about.build?.at)}</td>
    </>
  ) : (
    <>
      <td data-column="Version">{STATES[seen.state]}</td>
      <td data-column="Upload" />
      <td data-column="Uploaded" />
    </>
  );

/** The platform's own time, in the form of all other pages. */
const formatUpload = (at: string | undefined): string => {
  const ms = Date.parse(at ?? '');
  return Number.isNaN(ms) ? 'not known' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};

/** Workers as CSV (rule X8). */
export const formatVersionsCsv = (workers: readonly WorkerSeen[]): string =>
  formatCsv([
    ['worker', 'version', 'upload', 'uploaded'],
    ...workers.map((seen) =>
      seen.state === 'read'
        ? [seen.worker, seen.about.version, seen.about.build?.id ?? '', seen.about.build?.at ?? '']
        : [seen.worker, STATES[seen.state], '', ''],
    ),
  ]);
