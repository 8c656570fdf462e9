import type { OperationsPort, QueueDepth, Queues, RunSummary } from '../../console-api/operations.ts';
import { Bar, Time } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { CouldNotLook, formatCsv, formatCsvTime, LongId, WideTable, State, type StateWord } from './tables.tsx';

export type RunsPage = Queues & { runs: Awaited<ReturnType<OperationsPort['runs']>> };

const STATES: Readonly<Record<RunSummary['state'], StateWord>> = {
  running: { text: 'Runs', mood: 'idle' },
  complete: { text: 'Complete', mood: 'good' },
  degraded: { text: 'Degraded', mood: 'warn' },
  incomplete: { text: 'Incomplete', mood: 'bad' },
  lost: { text: 'Gone without an end', mood: 'bad' },
  not_read: { text: 'Could not read', mood: 'warn' },
};
const MAX_DEAD_LETTER_DAYS = 30;

/** `/console/runs`: measurements and the queues that carry their prompts. */
export const renderRuns = ({ runs, queues, deadLetters }: RunsPage): Html => (
  <>
    <h2>Queues</h2>
    <Queues queues={queues} />
    <h2>Runs</h2>
    {runs.read ? <Runs runs={runs.runs} /> : <CouldNotLook>the runs.</CouldNotLook>}
    <h2>Undeliverable messages</h2>
    {deadLetters.read ? <DeadLetters days={deadLetters.days} /> : <CouldNotLook>their number.</CouldNotLook>}
  </>
);

const Queues = ({ queues }: { queues: readonly QueueDepth[] }) => (
  <WideTable
    caption="Messages that wait"
    columns={['Queue', { number: 'Messages' }, { number: 'Bytes' }, 'Oldest']}
    isStacking
  >
    {queues.map((queue) => (
      <tr>
        <th scope="row">{queue.name}</th>
        {queue.read ? (
          <>
            <td class="number" data-column="Messages">
              {queue.messages}
            </td>
            <td class="number" data-column="Bytes">
              {queue.bytes}
            </td>
            <td data-column="Oldest">
              {queue.oldestAtMs === undefined ? 'not known' : <Time ms={queue.oldestAtMs} />}
            </td>
          </>
        ) : (
          <td colspan={3}>Could not read</td>
        )}
      </tr>
    ))}
  </WideTable>
);

const Runs = ({ runs }: { runs: readonly RunSummary[] }) =>
  runs.length === 0 ? (
    <p>No run is known.</p>
  ) : (
    <WideTable
      caption="Runs, newest first"
      columns={['Started', 'State', 'Prompts', 'Capability', 'Engine', 'Model', 'Ended', 'Id']}
      file="/console/runs.csv"
      isStacking
    >
      {runs.map((run) => (
        <Run run={run} />
      ))}
    </WideTable>
  );

const Run = ({ run }: { run: RunSummary }) => {
  return (
    <tr>
      <th scope="row" class="instant">
        <Time ms={run.startedAtMs} />
      </th>
      <td data-column="State">
        <State {...STATES[run.state]} />
      </td>
      <td>
        <Bar value={(run.answered + (run.refused ?? 0) + run.failed) / Math.max(1, run.total)} />
        {run.answered} answered, {run.refused === undefined ? '' : `${run.refused} refused, `}
        {run.failed} failed, of {run.total}
      </td>
      <td data-column="Capability">{run.capability === '' ? 'not known' : run.capability}</td>
      <td data-column="Engine">{formatEngine(run)}</td>
      <td data-column="Model">{run.model}</td>
      <td class="instant" data-column="Ended">
        {run.endedAtMs === null ? 'not yet' : <Time ms={run.endedAtMs} />}
      </td>
      <td data-column="Id">
        <LongId id={run.runId} />
      </td>
    </tr>
  );
};

/** `acme-search (openai-compatible)`: several rows may be of one kind. A panel of one without rows is named by its kind. */
const formatEngine = ({ engine, engineName = engine }: RunSummary): string =>
  engineName === engine ? engine : `${engineName} (${engine})`;

const DeadLetters = ({ days }: { days: readonly { day: string; count: number }[] }) =>
  days.length === 0 ? (
    <p>Every prompt was delivered.</p>
  ) : (
    <WideTable caption="Prompts in the dead-letter queue, by day" columns={['Day', { number: 'Prompts' }]}>
      {days.slice(0, MAX_DEAD_LETTER_DAYS).map(({ day, count }) => (
        <tr>
          <th scope="row">{day}</th>
          <td class="number">{count}</td>
        </tr>
      ))}
    </WideTable>
  );

/** Runs as CSV (rule X8). */
export const formatRunsCsv = (runs: readonly RunSummary[]): string =>
  formatCsv([
    [
      'started',
      'state',
      'answered',
      'refused',
      'failed',
      'total',
      'capability',
      'engine',
      'model',
      'ended',
      'id',
      'engine_name',
    ],
    ...runs.map((run) => [
      formatCsvTime(run.startedAtMs),
      run.state,
      run.answered,
      run.refused ?? '',
      run.failed,
      run.total,
      run.capability,
      run.engine,
      run.model,
      formatCsvTime(run.endedAtMs),
      run.runId,
      run.engineName ?? '',
    ]),
  ]);
