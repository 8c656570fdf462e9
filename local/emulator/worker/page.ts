import * as z from 'zod';
import { buildPageHeaders } from '../../../routes/shared/page-headers.ts';
import { readControlSettings } from '../../../routes/control/bindings/env.ts';
import { askTenant, ensureTenant } from '../../../routes/control/bindings/tenants.ts';
import type { Call } from '../../../src/management/core/engine/operation.ts';
import { buildEmulatorCaller } from '../../../src/management/emulator/made-up.ts';
import { isTenantId } from '../../../src/management/core/tenants.ts';
import { toControlEnv } from './environment.ts';
import { listContainers, NAMES_A_LIST } from './tenant-entries.ts';
import type { EmulatorParts } from './parts.ts';
import { PAGE_STYLE } from './page-style-data.ts';
import { renderPage, SHOWN, STYLE_PATH, type Table } from './page-view.ts';
import { getEmulatorStore } from './tenant-states.ts';

const PAGES: readonly string[] = ['/', '/emulator'];
const MAX_CELL_CHARS = 200;

export const isPagePath = (path: string): boolean => PAGES.includes(path) || path === STYLE_PATH;

/**
 * The page of what is in the emulator: read only, without scripts, and nothing from elsewhere. Where a token is asked for,
 * it is the password that the browser asks for.
 */
export async function answerPage(request: Request, parts: EmulatorParts): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const headers = buildPageHeaders();
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response('GET only', { status: 405, headers });
  if (pathname === STYLE_PATH)
    return new Response(PAGE_STYLE, { headers: { ...headers, 'content-type': 'text/css; charset=utf-8' } });
  const caller = await parts.identify(withPassword(request.headers));
  if (caller === undefined) {
    const challenge = { 'www-authenticate': 'Basic realm="emulator", charset="UTF-8"' };
    return new Response('The password is the token of this emulator.', {
      status: 401,
      headers: { ...headers, ...challenge },
    });
  }
  const named = searchParams.get('tenant') ?? caller.tenant;
  const tenant = caller.isOperator && isTenantId(named) ? named : caller.tenant;
  const tenants = caller.isOperator ? [...new Set([...parts.states.all(), tenant])] : [tenant];
  const tables = await readTables(tenant, parts);
  const page = renderPage({ tenant, tenants, tables });
  return new Response(String(await page), { headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } });
}

/** A token that came as a password (RFC 7617). */
function withPassword(headers: Headers): Headers {
  const [, basic] = /^basic ([\w+/=]{1,5000})$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (basic === undefined) return headers;
  const own = new Headers(headers);
  own.set('authorization', `Bearer ${decodePassword(basic)}`);
  return own;
}

function decodePassword(basic: string): string {
  try {
    return atob(basic)
      .replace(/^[^:]*:/, '')
      .replaceAll(/[^\x21-\x7e]/g, '');
  } catch {
    return ''; // No base64: no token.
  }
}

/** Kinds of rows that the page shows, in its order: a method that lists them, and what of each. */
const LISTS = [
  {
    title: 'Users',
    collection: 'directory.users',
    method: 'directory.users.list',
    query: { customer: 'my_customer', maxResults: SHOWN },
    member: 'users',
    columns: ['primaryEmail', 'name.fullName', 'orgUnitPath', 'suspended', 'id'],
  },
  {
    title: 'Groups',
    collection: 'directory.groups',
    method: 'directory.groups.list',
    query: { customer: 'my_customer', maxResults: SHOWN },
    member: 'groups',
    columns: ['email', 'name', 'directMembersCount', 'id'],
  },
  {
    title: 'ChromeOS devices',
    collection: 'directory.chromeosdevices',
    method: 'directory.chromeosdevices.list',
    path: { customerId: 'my_customer' },
    query: { maxResults: SHOWN },
    member: 'chromeosdevices',
    columns: ['serialNumber', 'model', 'status', 'orgUnitPath', 'deviceId'],
  },
  {
    title: 'Mobile devices',
    collection: 'directory.mobiledevices',
    method: 'directory.mobiledevices.list',
    path: { customerId: 'my_customer' },
    query: { maxResults: SHOWN },
    member: 'mobiledevices',
    columns: ['model', 'os', 'status', 'email', 'resourceId'],
  },
] as const;

async function readTables(id: string, parts: EmulatorParts): Promise<readonly Table[]> {
  const { calls } = parts;
  const ask = await createReader(id, parts);
  const lists = await Promise.all(
    LISTS.map(async ({ title, collection, method, query, member, columns, ...more }) => {
      const answer = await ask.list(method, 'path' in more ? more.path : {}, query, {});
      const rows = answer === undefined ? undefined : toRows(answer[member], columns);
      return { title, count: ask.counts[collection] ?? 0, columns, rows };
    }),
  );
  const received = calls.find({ tenant: id });
  const callColumns = ['number', 'time', 'httpMethod', 'path', 'method', 'status'];
  return [
    ...lists,
    await readEntries(ask),
    {
      title: 'AI Search instances',
      count: ask.instances.length,
      columns: ['account', 'id'],
      rows: ask.instances.slice(0, SHOWN),
    },
    {
      title: 'Received calls',
      count: received.length,
      columns: callColumns,
      rows: toRows(received.slice(-SHOWN).toReversed(), callColumns),
    },
  ];
}

type Reader = {
  counts: Readonly<Record<string, number>>;
  containers: readonly string[];
  instances: string[][];
  /** Undefined for a list that is refused. */
  list: (method: string, path: object, query: object, body: object) => Promise<Record<string, unknown> | undefined>;
};

/** Reads a tenant as the service itself does: no fault strikes, and nothing is counted. */
async function createReader(id: string, { env }: EmulatorParts): Promise<Reader> {
  const control = toControlEnv(env);
  const tenant = await ensureTenant(id, control, readControlSettings(control));
  const list: Reader['list'] = async (method, path, query, body) => {
    const call = { method, path, query, body, caller: buildEmulatorCaller(tenant), isOwn: true } as unknown as Call;
    const answer = await askTenant(tenant, call, control);
    return 'ok' in answer && answer.ok && answer.status === 200 ? answer.body : undefined;
  };
  const status = await getEmulatorStore(tenant, env).status(tenant);
  const containers = await listContainers(id, env);
  const accounts = containers.all.filter((name) => name.startsWith(ACCOUNTS));
  const instances = await Promise.all(accounts.map((name) => listInstances(name.slice(ACCOUNTS.length), list)));
  return {
    counts: status.ok ? status.value.rows : {},
    containers: containers.withEntries,
    instances: instances.flat(),
    list,
  };
}

const ACCOUNTS = 'accounts/';

async function listInstances(account: string, list: Reader['list']): Promise<string[][]> {
  const parsed = instancesSchema.safeParse(await list('aisearch.instances.list', { account_id: account }, {}, {}));
  return parsed.success ? parsed.data.result.map((one) => [account, one.id]) : []; // An account of ads has none.
}

const instancesSchema = z.object({ result: z.array(z.object({ id: z.string() })) });

/** The newest entries of all containers, which are asked for by as many as one list may name. */
async function readEntries({ containers, list }: Reader): Promise<Table> {
  const columns = ['timestamp', 'severity', 'logName', 'textPayload', 'jsonPayload'];
  const title = 'Log entries';
  const found: unknown[] = [];
  let goesOn = false;
  for (let at = 0; at < containers.length; at += NAMES_A_LIST) {
    const body = { resourceNames: containers.slice(at, at + NAMES_A_LIST), orderBy: 'timestamp desc', pageSize: SHOWN };
    for (let [pageToken, rows] = ['', 0]; ;) {
      const answer = await list(
        'logging.entries.list',
        {},
        {},
        { ...body, ...(pageToken === '' ? {} : { pageToken }) },
      );
      if (answer === undefined) return { title, count: undefined, columns, rows: undefined };
      const { entries = [], nextPageToken = '' } = entriesSchema.parse(answer);
      found.push(...entries);
      [pageToken, rows] = [nextPageToken, rows + entries.length];
      goesOn ||= rows >= SHOWN && pageToken !== '';
      if (rows >= SHOWN || pageToken === '') break; // A page may be empty and have a token.
    }
  }
  const newest = toRows(found, columns).toSorted(([one = ''], [other = '']) => other.localeCompare(one));
  return { title, count: goesOn ? undefined : found.length, columns, rows: newest.slice(0, SHOWN) };
}

const entriesSchema = z.object({ entries: z.array(z.unknown()).optional(), nextPageToken: z.string().optional() });

/** A member that is not there is an empty list. */
function toRows(list: unknown, columns: readonly string[]): string[][] {
  const rows = Array.isArray(list) ? list : [];
  return rows.map((row) => columns.map((column) => formatCell(readMember(row, column))));
}

const readMember = (row: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      row,
    );

function formatCell(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS)}...` : text;
}
