import type { Operated } from '../../../../src/authorization/operators/commands.ts';
import type { ConsoleCommand } from '../../../../src/console-api/service.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { formatTimeLeft } from '../../../../src/web/console/channels.tsx';
import type { Signal } from '../../../../src/web/console/overview.tsx';
import {
  CLIENTS_PATH,
  DELETE_ACCOUNT_PATH,
  DELETE_CLIENT_PATH,
  formatKeysCsv,
  formatOwnClientsCsv,
  formatRegisteredCsv,
  type OwnClientLine,
  renderClients,
  REVOKE_KEY_PATH,
  type ServiceAccountLine,
} from '../../../../src/web/console/service/clients.tsx';
import { renderConfirmation, renderOlderWorker } from '../../../../src/web/console/service/confirm.tsx';
import {
  CSV_TYPE,
  type ConsoleContext,
  type ConsoleDownload,
  type ConsoleFormInput,
  type ConsolePage,
  type NothingToShow,
} from '../console-request.ts';
import { askWorker } from '../../bindings/ask-worker.ts';
import { OLDER_WORKER, SESSION_OVER, describeReason, executeCommand } from './commands.ts';

const MAX_ID_CHARS = 2_048;
/** A key that ends sooner asks for a look: the next one has to be made and handed over. */
const SOON_MS = 14 * DAY_MS;

/** `/console/clients?after=`: which programs can get tokens. */
const clientsPage: ConsolePage = {
  path: CLIENTS_PATH,
  title: 'Clients and keys',
  show: async (c) => {
    const after = c.query.get('after') ?? '';
    if (after.length > MAX_ID_CHARS) return NO_SUCH_CLIENT;
    const isFirst = after === '';
    const [registered, accounts, clients] = await Promise.all([
      askRegistered(c, after),
      isFirst ? list(c, 'list_service_accounts') : undefined,
      isFirst ? list(c, 'list_clients') : undefined,
    ]);
    if (registered === 'older' || accounts === 'older' || clients === 'older') return renderOlderWorker();
    if (registered === 'over' || accounts === 'over' || clients === 'over') return SESSION_OVER;
    const own =
      accounts === undefined || clients === undefined
        ? undefined
        : { accounts: readAccounts(accounts), clients: readOwnClients(clients) };
    return renderClients({ registered, own, nowMs: c.now() });
  },
  signals: [{ question: 'lapse', title: 'Keys of programs', read: readKeysSignal }],
  downloads: [
    { path: `${CLIENTS_PATH}.csv`, read: readRegisteredFile },
    defineListFile('keys', 'list_service_accounts', (answer) => formatKeysCsv(readAccounts(answer))),
    defineListFile('own', 'list_clients', (answer) => formatOwnClientsCsv(readOwnClients(answer))),
  ],
};

type Kind = { path: ConsolePage['path']; title: string; effect: string; label: string; done: string };

/** A page that says what ends, with its action. `read` makes the order of what the form or the address names. */
function defineEnding(
  { path, title, effect, label, done }: Kind,
  names: readonly string[],
  build: (read: (name: string) => string) => ConsoleCommand,
): ConsolePage {
  return {
    path,
    title,
    under: CLIENTS_PATH,
    show: async ({ query, forms }) => {
      const fields = Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']));
      const isWhole = Object.values(fields).every((text) => text !== '' && text.length <= MAX_ID_CHARS);
      if (!isWhole) return NO_SUCH_CLIENT;
      const facts = Object.entries(fields).map(([name, text]) => [TITLES[name] ?? name, text] as const);
      return renderConfirmation({ facts, effect, forms, action: path, fields, label, back: CLIENTS_PATH });
    },
    actions: [
      {
        path,
        title,
        target: (form: ConsoleFormInput) => names.map((name) => form.get(name) ?? '').join(' '),
        about: describeReason,
        run: (c, form) =>
          executeCommand(c, form, { command: build((name) => form.get(name) ?? ''), to: CLIENTS_PATH, done }),
      },
    ],
  };
}

const TITLES: Readonly<Record<string, string>> = { account: 'Service account', key: 'Key', client: 'Client' };
const ENDS = 'Tokens end within seconds, wherever they are held. This cannot be taken back: make a new one instead.';

export const clientPages: readonly ConsolePage[] = [
  clientsPage,
  defineEnding(
    {
      path: REVOKE_KEY_PATH,
      title: 'Revoke a key',
      effect: `The file of this key gets no further token. ${ENDS}`,
      label: 'Revoke the key',
      done: 'The key was revoked, and its tokens with it.',
    },
    ['account', 'key'],
    (read) => ({ do: 'revoke_key', id: read('account'), keyId: read('key') }),
  ),
  defineEnding(
    {
      path: DELETE_ACCOUNT_PATH,
      title: 'Delete a service account',
      effect: `The account ends with all of its keys. ${ENDS}`,
      label: 'Delete the account',
      done: 'The service account was deleted, with its keys and tokens.',
    },
    ['account'],
    (read) => ({ do: 'delete_service_account', id: read('account') }),
  ),
  defineEnding(
    {
      path: DELETE_CLIENT_PATH,
      title: 'Delete a client',
      effect: `The client ends with its secret and with what people granted it. ${ENDS}`,
      label: 'Delete the client',
      done: 'The client was deleted, and its tokens with it.',
    },
    ['client'],
    (read) => ({ do: 'delete_client', id: read('client') }),
  ),
];

async function askRegistered(c: ConsoleContext, after: string) {
  const asked = after === '' ? {} : { after };
  const found = await askWorker(c.env.CONSOLE_ACCESS, 'registeredClients', c.session.hash, asked);
  if (!found.known) return 'older';
  return found.value ?? 'over';
}

type ListCommand = 'list_service_accounts' | 'list_clients';

async function list(c: ConsoleContext, command: ListCommand): Promise<Operated | 'older' | 'over'> {
  const found = await askWorker(c.env.CONSOLE_ACCESS, 'operate', c.session.hash, { do: command });
  if (!found.known) return 'older';
  return found.value.ok ? found.value : 'over';
}

const readAccounts = (answer: Operated): readonly ServiceAccountLine[] =>
  answer.did === 'listed_service_accounts'
    ? answer.accounts.map(({ id, name, scopes, keys }) => ({ id, name, scopes, keys }))
    : [];

const readOwnClients = (answer: Operated): readonly OwnClientLine[] =>
  answer.did === 'listed_clients'
    ? answer.clients.map((client) => {
        const { id, name, grant, method, createdAtMs } = client;
        return { id, name, grant, method, createdAtMs, ...('usedAtMs' in client ? { usedAtMs: client.usedAtMs } : {}) };
      })
    : [];

async function readRegisteredFile(c: ConsoleContext) {
  const registered = await askRegistered(c, '');
  if (registered === 'older') return OLDER_WORKER;
  if (registered === 'over') return SESSION_OVER;
  const { clients, next } = registered;
  const name = `clients-${next === undefined ? '' : 'first-'}${clients.length}.csv`;
  return { name, type: CSV_TYPE, text: formatRegisteredCsv(registered) };
}

function defineListFile(
  name: 'keys' | 'own',
  command: ListCommand,
  format: (answer: Operated) => string,
): ConsoleDownload {
  return {
    path: `${CLIENTS_PATH}/${name}.csv`,
    read: async (c) => {
      const answer = await list(c, command);
      if (answer === 'older') return OLDER_WORKER;
      if (answer === 'over') return SESSION_OVER;
      return { name: name === 'keys' ? 'keys.csv' : 'own-clients.csv', type: CSV_TYPE, text: format(answer) };
    },
  };
}

/** The key that ends next. */
async function readKeysSignal(c: ConsoleContext): Promise<Signal> {
  const answer = await list(c, 'list_service_accounts');
  if (answer === 'older') return { mood: 'idle', text: 'Cannot say', figure: '', note: OLDER_WORKER.title };
  if (answer === 'over') throw new Error('The session is over');
  const keys = readAccounts(answer).flatMap((account) => account.keys.map((key) => ({ account, key })));
  const [next] = keys.toSorted((left, right) => left.key.expiresAtMs - right.key.expiresAtMs);
  if (next === undefined) return { mood: 'idle', text: 'None', figure: '0', note: 'No service account has a key.' };
  const leftMs = next.key.expiresAtMs - c.now();
  const isSoon = leftMs < SOON_MS;
  const note = `The next key to end is of ${next.account.name}. Its tokens end with it.`;
  return {
    mood: isSoon ? 'warn' : 'good',
    text: isSoon ? 'Ends soon' : 'Valid',
    figure: formatTimeLeft(leftMs),
    note,
  };
}

const NO_SUCH_CLIENT: NothingToShow = {
  status: 400,
  title: 'There is no such client or key',
  detail: 'Choose one of the lists of clients and keys.',
};
