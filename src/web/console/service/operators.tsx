import { Time } from '../../design/parts.tsx';
import type { Html } from '../../design/shell.tsx';
import { formatCsv, formatCsvTime, LongId, State, type StateWord, WideTable } from '../tables.tsx';

export const OPERATORS_PATH = '/console/operators';
export const REMOVE_OPERATOR_PATH = '/console/operators/remove';

export type OperatorLine = {
  id: string;
  name: string;
  directoryUserId?: string | undefined;
  createdAtMs: number;
  /** Undefined while the operator can sign in. */
  ended?: { reason: string; atMs: number } | undefined;
};

const ENDED: Readonly<Record<string, StateWord>> = {
  directory_user_gone: { text: 'Ended: left the directory', mood: 'idle' },
  replaced: { text: 'Ended: secret replaced', mood: 'warn' },
  deleted: { text: 'Ended', mood: 'idle' },
};

/** `/console/operators`: who can sign in by name. @param ownId the account of who looks */
export const renderOperators = ({ operators, ownId }: { operators: readonly OperatorLine[]; ownId: string }): Html => (
  <>
    <p class="prose">
      All operators have the same rights. The holder of <code>OPERATOR_SECRET</code> can sign in as well, while it is
      set. The last one who could sign in is not removed. New operators are made over the API, which shows their secret
      once: the documentation has the page “Operators, clients and service accounts”.
    </p>
    {operators.length === 0 ? (
      <>
        <p class="warning" role="status">
          <strong>Everyone shares one secret.</strong> The audit log cannot say who did what, and a person who leaves
          keeps the secret until it is changed. Give each person an account of their own.
        </p>
        <p>There is no named operator.</p>
      </>
    ) : (
      <WideTable
        caption="Named operators"
        columns={['Name', 'State', 'Added', 'Id', 'Directory user', 'Action']}
        file={`${OPERATORS_PATH}.csv`}
        isStacking
      >
        {operators.map((operator) => (
          <Row operator={operator} isOwn={operator.id === ownId} />
        ))}
      </WideTable>
    )}
  </>
);

const Row = ({ operator, isOwn }: { operator: OperatorLine; isOwn: boolean }) => {
  const { id, name, directoryUserId, createdAtMs, ended } = operator;
  const state = ended === undefined ? { text: 'Can sign in', mood: 'good' as const } : ENDED[ended.reason];
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {isOwn ? ' (you)' : ''}
      </th>
      <td data-column="State">
        <State {...(state ?? { text: 'Ended', mood: 'idle' })} />
        {ended === undefined ? null : (
          <div class="small">
            <Time ms={ended.atMs} />
          </div>
        )}
      </td>
      <td data-column="Added" class="instant">
        <Time ms={createdAtMs} />
      </td>
      <td data-column="Id">
        <LongId id={id} />
      </td>
      <td data-column="Directory user">{directoryUserId === undefined ? 'none' : <LongId id={directoryUserId} />}</td>
      <td>
        <a href={`${REMOVE_OPERATOR_PATH}?${new URLSearchParams({ operator: id }).toString()}`}>
          Remove<span class="visually-hidden"> {name}</span>
        </a>
      </td>
    </tr>
  );
};

/** Operators as CSV (rule X8). */
export const formatOperatorsCsv = (operators: readonly OperatorLine[]): string =>
  formatCsv([
    ['name', 'state', 'added', 'ended', 'id', 'directory_user'],
    ...operators.map(({ name, ended, createdAtMs, id, directoryUserId }) => [
      name,
      ended === undefined ? 'enabled' : `ended: ${ended.reason}`,
      formatCsvTime(createdAtMs),
      formatCsvTime(ended?.atMs),
      id,
      directoryUserId ?? '',
    ]),
  ]);
