import type { SettingLine, WorkerAbout } from '../../../console-api/service.ts';
import { Time } from '../../design/parts.tsx';
import type { Html } from '../../design/shell.tsx';
import { CouldNotLook, formatCsv, formatCsvTime, LongId, State, WideTable } from '../tables.tsx';
import { renderOlderWorker } from './confirm.tsx';

export const SETTINGS_PATH = '/console/settings';
export const VERSIONS_PATH = '/console/versions';

/** Since when a secret is in force, as far as the console has seen, and after how many days it wants a new value. */
export type SecretTerm = { firstSeenMs: number; rotateAfterDays?: number | undefined; isOverdue: boolean };

/** A Worker of the deployment. `terms`: of its secrets by name, where they are known. `older`: its version does not know the question; `unread`: it did not answer. */
export type WorkerSeen = { worker: string; url: string } & (
  | { state: 'read'; about: WorkerAbout; terms?: ReadonlyMap<string, SecretTerm> }
  | { state: 'older' | 'unread' | 'absent' }
);

const TITLES: Readonly<Record<string, string>> = { api: 'api', control: 'control', webhook: 'webhook' };
const formatWorkerTitle = (worker: string): string => `The ${TITLES[worker] ?? worker} Worker`;

/** `/console/settings`: what each Worker of this deployment reads from its variables. */
export const renderSettings = (workers: readonly WorkerSeen[]): Html => (
  <>
    <p class="prose">
      The settings in force now, as each Worker reads them. Of a secret, and of an address that may hold one, the page
      says only whether it is set, and since when the console has seen this value: it may be older. Change a setting
      with a deployment.
    </p>
    {workers.map((seen) => (
      <>
        <h2>{formatWorkerTitle(seen.worker)}</h2>
        {seen.url === '' ? null : (
          <p class="small host">
            <code>{seen.url}</code>
          </p>
        )}
        {seen.state === 'read' ? <SettingsTable {...seen} /> : <NotSeen worker={seen.worker} state={seen.state} />}
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

type SeenSettings = Pick<Extract<WorkerSeen, { state: 'read' }>, 'about' | 'terms'>;

const SettingsTable = ({ about: { worker, settings }, terms }: SeenSettings) => (
  <WideTable
    caption={`Settings of the ${worker} Worker`}
    columns={['Name', 'Value']}
    file={`${SETTINGS_PATH}.csv?${new URLSearchParams({ worker }).toString()}`}
    isStacking
  >
    {settings.map((setting) => (
      <tr>
        <th scope="row">
          <code>{setting.name}</code>
        </th>
        <td data-column="Value" class="host">
          {setting.isSet ? <SetValue setting={setting} term={terms?.get(setting.name)} /> : <NotSet />}
        </td>
      </tr>
    ))}
  </WideTable>
);

const NotSet = () => <span class="dim">not set</span>;

/** A value, or since when it is there; a time in seconds is said as a date too. */
const SetValue = ({ setting, term }: { setting: SettingLine; term: SecretTerm | undefined }) => {
  const { name, value } = setting;
  if (value === undefined)
    return term === undefined ? (
      <>set</>
    ) : (
      <>
        set, first seen <Time ms={term.firstSeenMs} /> {term.isOverdue ? <Overdue name={name} term={term} /> : null}
      </>
    );
  return (
    <>
      <code>{value}</code>
      {UNIX_SECONDS.has(name) && /^\d{1,11}$/.test(value) ? (
        <>
          {' '}
          <Time ms={Number(value) * 1000} />
        </>
      ) : null}
    </>
  );
};

/** Settings whose value is a time in seconds. */
const UNIX_SECONDS: ReadonlySet<string> = new Set(['PAYMENTS_SINCE']);

const Overdue = ({ name, term }: { name: string; term: SecretTerm }) => (
  <State
    mood="warn"
    text={`Older than ${term.rotateAfterDays} days: ${name.endsWith(PREVIOUS) ? 'delete' : 'rotate'}`}
  />
);

/** Names of values that end with a rotation. */
const PREVIOUS = '_PREVIOUS';

const describeHidden = ({ isSet, isSecret }: SettingLine): string => {
  if (!isSet) return 'not set';
  return isSecret ? 'set' : '';
};

const listRead = (workers: readonly WorkerSeen[]): readonly SeenSettings[] =>
  workers.flatMap((seen) => (seen.state === 'read' ? [seen] : []));

/** Settings of every Worker that answered as CSV (rule X8). */
export const formatSettingsCsv = (workers: readonly WorkerSeen[]): string =>
  formatCsv([
    ['worker', 'name', 'value', 'first_seen'],
    ...listRead(workers).flatMap(({ about: { worker, settings }, terms }) =>
      settings.map((setting) => [
        worker,
        setting.name,
        setting.value ?? describeHidden(setting),
        formatCsvTime(terms?.get(setting.name)?.firstSeenMs),
      ]),
    ),
  ]);

/** `/console/versions`: what runs, and which forms of stored data it knows. */
export const renderVersions = (workers: readonly WorkerSeen[]): Html => {
  const read = listRead(workers).map(({ about }) => about);
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
      <WideTable
        caption="Migrations applied"
        columns={['Worker', 'Migration', 'Classes that it brought']}
        file={`${VERSIONS_PATH}/migrations.csv`}
        isStacking
      >
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
      <WideTable
        caption="Versions of stored formats"
        columns={['Format', 'Version']}
        file={`${VERSIONS_PATH}/formats.csv`}
        isStacking
      >
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

/** Migrations of every Worker that answered as CSV (rule X8). */
export const formatMigrationsCsv = (workers: readonly WorkerSeen[]): string =>
  formatCsv([
    ['worker', 'migration', 'classes'],
    ...listRead(workers).flatMap(({ about: { worker, migrations } }) =>
      migrations.map(({ tag, classes }) => [worker, tag, classes.join(' ')]),
    ),
  ]);

/** Versions of stored formats as CSV (rule X8). */
export const formatFormatsCsv = (workers: readonly WorkerSeen[]): string =>
  formatCsv([
    ['format', 'version'],
    ...listRead(workers).flatMap(({ about: { formats = [] } }) => formats.map(({ what, version }) => [what, version])),
  ]);

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
