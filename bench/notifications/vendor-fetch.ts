import type { FetchFunction } from '../../src/net/guarded-fetch.ts';

const CHANNEL_LIFE_MS = 6 * 3_600_000;
const USERS = '/admin/directory/v1/users';

/** A directory that answers at once, inside the process: grants every channel, and has every user that is asked for. */
export const vendorFetch: FetchFunction = async (url, { body }) => {
  const { pathname } = new URL(url);
  if (pathname === `${USERS}/watch`) return grant(JSON.parse(body ?? '{}'));
  if (pathname === USERS) return Response.json({ kind: 'admin#directory#users', users: [] });
  if (!pathname.startsWith(USERS)) return new Response(null, { status: 204 });
  const id = pathname.slice(USERS.length + 1);
  return Response.json({ kind: 'admin#directory#user', id, primaryEmail: `${id}@example.com`, orgUnitPath: '/' });
};

function grant({ id }: { id: string }): Response {
  const expiration = String(Date.now() + CHANNEL_LIFE_MS);
  return Response.json({ kind: 'api#channel', id, resourceId: `resource-${id}`, resourceUri: '', expiration });
}
