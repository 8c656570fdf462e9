import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { makeDate } from './account.ts';
import { type ApiCall, type ApiRoute, ListedAnswer, readJson } from './calls.ts';
import { RefusedCall } from './refusals-data.ts';

const databaseSchema = z.object({ name: z.string() });
const querySchema = z.object({
  sql: z.string(),
  params: z.array(z.union([z.string(), z.number(), z.null()])).default([]),
});

function createDatabase(call: ApiCall) {
  const { name } = databaseSchema.parse(readJson(call));
  if (call.account.databases.some((database) => database.name === name)) throw new RefusedCall('databaseTaken', [name]);
  const made = { uuid: randomUUID(), name, created_at: makeDate(), rows: new DatabaseSync(':memory:') };
  call.account.databases.push(made);
  return showDatabase(made);
}

const showDatabase = ({ uuid, name, created_at }: ApiCall['account']['databases'][number]) => ({
  uuid,
  name,
  created_at,
  version: 'production',
});

function queryDatabase(call: ApiCall) {
  const database = call.account.databases.find(({ uuid }) => uuid === call.names[1]);
  if (database === undefined) throw new RefusedCall('databaseMissing', [call.names[1] ?? '']);
  const { sql, params } = querySchema.parse(readJson(call));
  return [{ results: database.rows.prepare(sql).all(...params), success: true, meta: {} }];
}

function listDatabases({ account, query }: ApiCall): ListedAnswer {
  // The platform finds a part of a name as well.
  const found = account.databases.filter(({ name }) => name.includes(query.get('name') ?? ''));
  return new ListedAnswer(found.map(showDatabase));
}

/** D1 databases and their queries. */
export const DATABASE_ROUTES: readonly ApiRoute[] = [
  ['GET', '/accounts/*/d1/database', listDatabases],
  ['POST', '/accounts/*/d1/database', createDatabase],
  ['POST', '/accounts/*/d1/database/*/query', queryDatabase],
];
