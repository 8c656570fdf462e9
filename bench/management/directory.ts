import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Aim, atMost } from '../aims.ts';
import { inTurns, shown, type Side, startOurs } from './sides.ts';
import { patchUsers, readUserPages, type Size } from './tenant.ts';

/** Figures of one comparison: CPU per call in microseconds, and how they stand to each other. */
export type Compared = { call: string; firstUs: number; otherUs: number; ratio: number };
export type DirectoryResults = {
  partial: readonly Compared[];
  growth: readonly Compared[];
  /** Pages of searches that find no one, among 100,000 users. */
  empty: readonly { search: string; pages: number }[];
  aims: readonly Aim[];
};

const SMALL: Size = { users: 1_000, groups: 100, memberships: 100, orgUnits: 10 };
const LARGE: Size = { users: 100_000, groups: 10_000, memberships: 10_000, orgUnits: 10 };
/** CPU of a list with one field against the same with all. */
const MAX_PARTIAL = 0.4;
/** CPU of a query with 100,000 users against 1,000. */
const MAX_GROWTH = 1.5;
/** Users of either tenant that are suspended, and that are archived. */
const MARKED = 50;

const ALL = 'users?maxResults=500';
/** The first has the aim; the others show what more fields cost. */
const PARTS = [
  'users(primaryEmail)',
  'nextPageToken,users(id,primaryEmail,name)',
  'users(primaryEmail,emails,orgUnitPath)',
];

const listUsers = (params: Record<string, string>): string => `users?${new URLSearchParams(params)}`;
/** What tools ask: each finds as many on its page with both sizes. */
const QUERIES = [
  listUsers({ query: 'isSuspended=true' }),
  listUsers({ query: 'isSuspended=true', orderBy: 'familyName' }),
  listUsers({ query: 'isArchived=true isGuest=false', orderBy: 'email' }),
  listUsers({ query: 'isAdmin=true' }),
  listUsers({ query: 'isSuspended=False isGuest=False', orderBy: 'email' }),
  listUsers({
    query: 'isSuspended=False isGuest=False',
    orderBy: 'email',
    maxResults: '500',
    fields: 'users(primaryEmail)',
  }),
  listUsers({ query: "orgUnitPath='/Accounting 1'", orderBy: 'email' }),
  listUsers({ query: "orgUnitPath='/Accounting 1' isSuspended=False", orderBy: 'email' }),
  listUsers({ query: 'email:a*', maxResults: '10' }),
  listUsers({ orderBy: 'givenName' }),
  `groups?${new URLSearchParams({ query: 'name:accounting*', maxResults: '5' })}`,
  `groups?${new URLSearchParams({ query: 'email:accounting-1@*' })}`,
];
const NOBODY = ['isDelegatedAdmin=true', "orgUnitPath='/Nowhere'", 'orgName=Nowhere', 'name:Nobody', 'phone=5550100'];

/** Partial answers against whole ones, and queries of a tenant of 1,000 users against one of 100,000, through the official client. */
export async function measureDirectory(say: (line: string) => void): Promise<DirectoryResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const sides: Side[] = [];
  const start = async (name: string, size: Size): Promise<Side> => {
    const side = await startOurs(name, size, folder, say);
    sides.push(side);
    await patchUsers(side.origin, side.keys.users.slice(0, MARKED), { suspended: true });
    await patchUsers(side.origin, side.keys.users.slice(MARKED, 2 * MARKED), { archived: true });
    return side;
  };
  const compare = async (calls: readonly [string, string], of: readonly [Side, Side]): Promise<Compared> => {
    const [first, other] = await inTurns(calls, of, folder);
    const ratio = other.cpuUs / first.cpuUs;
    const call = decodeURIComponent(calls[1].replaceAll('+', ' '));
    say(`${call}: ${shown(first)}, then ${shown(other)}: ${ratio.toFixed(2)} x`);
    return { call, firstUs: first.cpuUs, otherUs: other.cpuUs, ratio };
  };
  try {
    const small = await start('small', SMALL);
    const partial: Compared[] = [];
    for (const fields of PARTS)
      partial.push(await compare([ALL, `${ALL}&${new URLSearchParams({ fields })}`], [small, small]));
    const large = await start('large', LARGE);
    const growth: Compared[] = [];
    for (const call of QUERIES) growth.push(await compare([call, call], [small, large]));
    const empty: { search: string; pages: number }[] = [];
    for (const search of NOBODY) {
      const { pages, users } = await readUserPages(large.origin, { query: search });
      if (users > 0) throw new Error(`${search} finds users`);
      say(`${search}: no one, ${pages} page(s)`);
      empty.push({ search, pages });
    }
    return { partial, growth, empty, aims: aimsOf({ partial, growth, empty }) };
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function aimsOf({ partial, growth, empty }: Omit<DirectoryResults, 'aims'>): readonly Aim[] {
  const [one] = partial;
  return [
    ...(one === undefined
      ? []
      : [atMost('directory, users.list(500) with one field against all, CPU per call', one.ratio, MAX_PARTIAL, 'x')]),
    ...growth.map(({ call, ratio }) =>
      atMost(`directory, ${call} with 100,000 users against 1,000, CPU per call`, ratio, MAX_GROWTH, 'x'),
    ),
    ...empty.map(({ search, pages }) =>
      atMost(`directory, pages of ${search}, which finds no one of 100,000`, pages, 1, ''),
    ),
  ];
}
