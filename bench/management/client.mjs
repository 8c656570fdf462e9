/**
 * One round of calls through the official client in a process of its own: `client.mjs <job.json>`, the job being
 * `{ rootUrl, call, connections, seconds, names, prefix }`: `call` names what is called, or is a list with its parameters
 * (`users?query=isAdmin%3Dtrue`); `names` are keys of users and groups. Prints one JSON line: `{ requests, elapsedS }`. A refused call ends it with an error.
 */
import { google } from '../../test/conformance/packages/googleapis.ts';
import { readFileSync } from 'node:fs';
import { TOKEN } from './token.ts';

const { rootUrl, call, connections, seconds, names, prefix } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const auth = new google.auth.OAuth2();
auth.setCredentials({ access_token: TOKEN });
const admin = google.admin({ version: 'directory_v1', rootUrl, auth, retry: false });
let turn = 0;
const next = (list) => list[turn % list.length];

const CALLS = {
  'users.insert': () =>
    admin.users.insert({
      requestBody: {
        primaryEmail: `${prefix}-${turn}@example.com`,
        password: 'a password of the benchmark',
        name: { givenName: 'Bench', familyName: `User ${turn}` },
      },
    }),
  'users.get': () => admin.users.get({ userKey: next(names.users) }),
  'users.list(500)': () => admin.users.list({ customer: 'my_customer', maxResults: 500 }),
  'members.insert': () =>
    admin.members.insert({ groupKey: names.groups[0], requestBody: { email: `${prefix}-${turn}@outside.example` } }),
  'members.list': () => admin.members.list({ groupKey: next(names.groups), maxResults: 200 }),
  'members.hasMember': () => admin.members.hasMember({ groupKey: next(names.groups), memberKey: next(names.users) }),
};

/** `users?query=...`: the list of a resource. */
function listOf(asked) {
  const [resource, search] = asked.split('?');
  const params = { customer: 'my_customer', ...Object.fromEntries(new URLSearchParams(search)) };
  return () => admin[resource].list(params);
}

const work = CALLS[call] ?? listOf(call);
const startedMs = performance.now();
const endMs = startedMs + seconds * 1000;
let requests = 0;
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (performance.now() < endMs) {
      turn += 1;
      await work();
      requests += 1;
    }
  }),
);
console.log(JSON.stringify({ requests, elapsedS: (performance.now() - startedMs) / 1000 }));
