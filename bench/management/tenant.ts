import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { TOKEN } from './token.ts';

/** How much a tenant is loaded with; memberships are spread evenly over the groups. */
export type Size = { users: number; groups: number; memberships: number; orgUnits?: number };
/** Keys that calls go round over. */
export type Keys = { users: readonly string[]; groups: readonly string[] };

const TENANT = 'C00000001';
const LOAD_TIMEOUT_MS = 900_000;
const POLL_MS = 500;
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

const statusSchema = z.object({
  databaseBytes: z.number(),
  rows: z.record(z.string(), z.number()),
  seeding: z.object({ state: z.string(), reason: z.string().optional() }).nullable(),
});

/** Makes up the data and waits until all of it is there. @throws Error when the tenant says that it failed */
export async function loaded(origin: string, { users, groups, memberships, orgUnits = 0 }: Size): Promise<void> {
  const body = JSON.stringify({ generate: { users, groups, membersPerGroup: memberships / groups, orgUnits } });
  const begun = await fetch(`${origin}/v1/tenants/${TENANT}:seed`, { method: 'POST', headers, body });
  if (!begun.ok) throw new Error(`seed answers ${begun.status}: ${await begun.text()}`);
  const deadline = Date.now() + LOAD_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { seeding, rows } = await readStatus(origin);
    if (seeding?.state === 'done') {
      if ((rows['directory.members'] ?? 0) < memberships) throw new Error('the tenant has fewer memberships');
      return;
    }
    if (seeding?.state !== 'running') throw new Error(`the seed ${JSON.stringify(seeding)}`);
    await sleep(POLL_MS);
  }
  throw new Error('the seed took too long');
}

const namedSchema = z.object({
  users: z.array(z.object({ primaryEmail: z.string() })).optional(),
  groups: z.array(z.object({ email: z.string() })).optional(),
});

/** A page of users and one of groups. */
export async function keysOf(origin: string): Promise<Keys> {
  const read = async (path: string) =>
    namedSchema.parse(await (await fetch(`${origin}/admin/directory/v1/${path}`, { headers })).json());
  const { users = [] } = await read('users?customer=my_customer&maxResults=500');
  const { groups = [] } = await read('groups?customer=my_customer&maxResults=200');
  if (users.length === 0 || groups.length === 0) throw new Error('the tenant is empty');
  return { users: users.map(({ primaryEmail }) => primaryEmail), groups: groups.map(({ email }) => email) };
}

/** Changes users one by one. @throws Error for the first that cannot be */
export async function patchUsers(origin: string, keys: readonly string[], body: object): Promise<void> {
  for (const key of keys) {
    const url = `${origin}/admin/directory/v1/users/${key}`;
    const answer = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`users.patch answers ${answer.status}: ${await answer.text()}`);
    await answer.body?.cancel();
  }
}

/** The pages of a list of users: how many, and the users on them. */
export async function readUserPages(
  origin: string,
  search: Record<string, string>,
): Promise<{ pages: number; users: number }> {
  const seen = { pages: 0, users: 0 };
  for (let pageToken = ''; seen.pages < MAX_PAGES;) {
    const query = new URLSearchParams({ customer: 'my_customer', ...search, ...(pageToken !== '' && { pageToken }) });
    const answer = await fetch(`${origin}/admin/directory/v1/users?${query}`, { headers });
    const page = pageSchema.parse(await answer.json());
    seen.pages += 1;
    seen.users += page.users?.length ?? 0;
    pageToken = page.nextPageToken ?? '';
    if (pageToken === '') break;
  }
  return seen;
}

/** Pages that are read of one list. */
const MAX_PAGES = 300;
const pageSchema = z.object({ users: z.array(z.unknown()).optional(), nextPageToken: z.string().optional() });

/** Size of the tenant's database and how many users it has. */
export async function statusOf(origin: string): Promise<Record<string, number>> {
  const { databaseBytes, rows } = await readStatus(origin);
  return { databaseMiB: Math.round(databaseBytes / 1024 / 1024), users: rows['directory.users'] ?? 0 };
}

async function readStatus(origin: string): Promise<z.infer<typeof statusSchema>> {
  const answer = await fetch(`${origin}/v1/tenants/${TENANT}`, { headers });
  if (!answer.ok) throw new Error(`status answers ${answer.status}: ${await answer.text()}`);
  return statusSchema.parse(await answer.json());
}
