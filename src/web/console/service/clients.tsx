import type { RegisteredClients } from '../../../console-api/service.ts';
import { formatPlainLine } from '../../../lib/safe-text.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Time } from '../../design/parts.tsx';
import type { Html } from '../../design/shell.tsx';
import { formatTimeLeft } from '../channels.tsx';
import { CouldNotLook, formatCsv, formatCsvTime, LongId, WideTable } from '../tables.tsx';

export const CLIENTS_PATH = '/console/clients';
export const REVOKE_KEY_PATH = '/console/clients/revoke-key';
export const DELETE_CLIENT_PATH = '/console/clients/delete';
export const DELETE_ACCOUNT_PATH = '/console/clients/delete-account';

/** A key of a service account. */
export type KeyLine = { id: string; createdAtMs: number; expiresAtMs: number; usedAtMs?: number | undefined };
export type ServiceAccountLine = { id: string; name: string; scopes: readonly string[]; keys: readonly KeyLine[] };
/** A client that the operator made. */
export type OwnClientLine = {
  id: string;
  name: string;
  grant: string;
  method: string;
  createdAtMs: number;
  usedAtMs?: number | undefined;
};

export type ClientsShown = {
  registered: RegisteredClients;
  /** Undefined for a further page of registered clients, which has nothing else. */
  own?: { accounts: readonly ServiceAccountLine[]; clients: readonly OwnClientLine[] } | undefined;
  nowMs: number;
};

/** Longest name of a client that is shown: it is the client's own claim. */
const MAX_NAME_CHARS = 80;

/** `/console/clients`: which programs can get tokens, by whose word, and by which keys. */
export const renderClients = ({ registered, own, nowMs }: ClientsShown): Html => (
  <>
    {own === undefined ? (
      <p>
        <a href={CLIENTS_PATH}>Keys, and the first clients</a>
      </p>
    ) : (
      <>
        <h2>Keys of service accounts</h2>
        <Keys accounts={own.accounts} nowMs={nowMs} />
        <h2>Clients that you made</h2>
        <OwnClients clients={own.clients} />
      </>
    )}
    <h2>Clients that people gave access</h2>
    <Registered registered={registered} />
  </>
);

const KEY_COLUMNS = ['Account', 'Key', 'Expires', 'Last token', 'Made', 'Action'];

const Keys = ({ accounts, nowMs }: { accounts: readonly ServiceAccountLine[]; nowMs: number }) =>
  accounts.length === 0 ? (
    <EmptyState title="There is no service account">
      A service account lets a program sign in without a person. The documentation says how to make one and its key.
    </EmptyState>
  ) : (
    <WideTable
      caption="Service accounts and their keys"
      columns={KEY_COLUMNS}
      file={`${CLIENTS_PATH}/keys.csv`}
      isStacking
    >
      {accounts.flatMap((account) =>
        account.keys.length === 0
          ? [<KeylessRow account={account} />]
          : account.keys.map((key) => <KeyRow account={account} key_={key} nowMs={nowMs} />),
      )}
    </WideTable>
  );

const AccountName = ({ account: { id, name } }: { account: ServiceAccountLine }) => (
  <th scope="row">
    <bdi>{name}</bdi>
    <div class="small">
      <a href={`${DELETE_ACCOUNT_PATH}?${new URLSearchParams({ account: id }).toString()}`}>
        Delete the account<span class="visually-hidden"> {name}</span>
      </a>
    </div>
  </th>
);

const KeylessRow = ({ account }: { account: ServiceAccountLine }) => (
  <tr>
    <AccountName account={account} />
    <td data-column="Key">none</td>
    <td data-column="Expires" />
    <td data-column="Last token" />
    <td data-column="Made" />
    <td />
  </tr>
);

const KeyRow = ({ account, key_: key, nowMs }: { account: ServiceAccountLine; key_: KeyLine; nowMs: number }) => (
  <tr>
    <AccountName account={account} />
    <td data-column="Key">
      <LongId id={key.id} />
    </td>
    <td data-column="Expires">
      <time datetime={formatCsvTime(key.expiresAtMs)}>{formatTimeLeft(key.expiresAtMs - nowMs)}</time>
    </td>
    <td data-column="Last token">{key.usedAtMs === undefined ? 'not known' : <Time ms={key.usedAtMs} />}</td>
    <td data-column="Made">
      <Time ms={key.createdAtMs} />
    </td>
    <td>
      <a href={`${REVOKE_KEY_PATH}?${new URLSearchParams({ account: account.id, key: key.id }).toString()}`}>
        Revoke<span class="visually-hidden"> key {key.id.slice(0, 8)}</span>
      </a>
    </td>
  </tr>
);

const OwnClients = ({ clients }: { clients: readonly OwnClientLine[] }) =>
  clients.length === 0 ? (
    <EmptyState title="You made no client">
      A client of yours gets tokens by its own secret or key, or may ask people for operator scopes.
    </EmptyState>
  ) : (
    <WideTable
      caption="Clients that operators made"
      columns={['Name', 'Id', 'Grant', 'Proves itself by', 'Last token', 'Made', 'Action']}
      file={`${CLIENTS_PATH}/own.csv`}
      isStacking
    >
      {clients.map(({ id, name, grant, method, createdAtMs, usedAtMs }) => (
        <tr>
          <th scope="row">
            <bdi>{name}</bdi>
          </th>
          <td data-column="Id">
            <LongId id={id} />
          </td>
          <td data-column="Grant">{grant}</td>
          <td data-column="Proves itself by">{method}</td>
          <td data-column="Last token">{usedAtMs === undefined ? 'not known' : <Time ms={usedAtMs} />}</td>
          <td data-column="Made">
            <Time ms={createdAtMs} />
          </td>
          <td>
            <a href={`${DELETE_CLIENT_PATH}?${new URLSearchParams({ client: id }).toString()}`}>
              Delete<span class="visually-hidden"> {name}</span>
            </a>
          </td>
        </tr>
      ))}
    </WideTable>
  );

const Registered = ({ registered: { clients, next, isPartial } }: { registered: RegisteredClients }) => (
  <>
    <p class="prose">
      Clients that registered themselves, or that are known by the address of their metadata document. They can get{' '}
      <code>audit:run</code> and <code>credits:use</code> only. Names are their own claims. A grant is the consent of
      one person on one device; people end theirs on their account page.
    </p>
    {isPartial ? (
      <CouldNotLook>all grants: there are more than are counted, so numbers are too low.</CouldNotLook>
    ) : null}
    {clients.length === 0 ? (
      <EmptyState title="No client has access">
        A client is listed from the first consent of a person until its last token has been unused for 90 days.
      </EmptyState>
    ) : (
      <WideTable
        caption="Clients with access"
        columns={['Name', 'Id', { number: 'Grants' }, 'Leads back to', 'Registered']}
        file={`${CLIENTS_PATH}.csv`}
        isStacking
      >
        {clients.map(({ id, name, grants, redirectHosts, registeredAtMs }) => (
          <tr>
            <th scope="row" class="host">
              <bdi>{formatPlainLine(name, MAX_NAME_CHARS) || 'without a name'}</bdi>
            </th>
            <td data-column="Id">
              <LongId id={id} />
            </td>
            <td class="number" data-column="Grants">
              {grants}
            </td>
            <td data-column="Leads back to" class="host">
              {redirectHosts.join(', ')}
            </td>
            <td data-column="Registered">
              {registeredAtMs === undefined ? 'not known' : <Time ms={registeredAtMs} />}
            </td>
          </tr>
        ))}
      </WideTable>
    )}
    {next === undefined ? null : (
      <p>
        <a href={`${CLIENTS_PATH}?${new URLSearchParams({ after: next }).toString()}`}>Further clients</a>
      </p>
    )}
  </>
);

/** A page of registered clients as CSV (rule X8). */
export const formatRegisteredCsv = ({ clients }: Pick<RegisteredClients, 'clients'>): string =>
  formatCsv([
    ['name', 'id', 'grants', 'leads_back_to', 'registered'],
    ...clients.map(({ id, name, grants, redirectHosts, registeredAtMs }) => [
      formatPlainLine(name, MAX_NAME_CHARS),
      id,
      grants,
      redirectHosts.join(' '),
      formatCsvTime(registeredAtMs),
    ]),
  ]);

/** Keys of service accounts as CSV (rule X8). */
export const formatKeysCsv = (accounts: readonly ServiceAccountLine[]): string =>
  formatCsv([
    ['account', 'account_id', 'key', 'made', 'expires', 'last_token', 'scopes'],
    ...accounts.flatMap(({ id, name, scopes, keys }) =>
      keys.map((key) => [
        name,
        id,
        key.id,
        formatCsvTime(key.createdAtMs),
        formatCsvTime(key.expiresAtMs),
        formatCsvTime(key.usedAtMs),
        scopes.join(' '),
      ]),
    ),
  ]);

/** Clients that operators made as CSV (rule X8). */
export const formatOwnClientsCsv = (clients: readonly OwnClientLine[]): string =>
  formatCsv([
    ['name', 'id', 'grant', 'method', 'made', 'last_token'],
    ...clients.map(({ id, name, grant, method, createdAtMs, usedAtMs }) => [
      name,
      id,
      grant,
      method,
      formatCsvTime(createdAtMs),
      formatCsvTime(usedAtMs),
    ]),
  ]);
