import { env as bindings } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type ControlEnv, readControlSettings } from '../../../routes/control/bindings/env.ts';
import type { CallContext } from '../../../routes/control/call-context.ts';
import { answerOtlp } from '../../../routes/control/otlp.ts';
import { textValue } from '../../support/management/otlp.ts';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { bytesOf, call, json } from './world.ts';

const env = bindings as unknown as ControlEnv; // The project's settings hold all that it names.

/** Of each project alone: what is remembered of a tenant outlives its test. */
const tokenOf = (project: string): string => tokenFor({ tenant: `C0${project.replaceAll('-', '')}` });
const RECORDS = 1_500;

/** The control Worker's bindings, but for the tenant's object: it fails when it is asked for the nth time. */
function breakStore(nth: number, error: Error): ControlEnv {
  let asked = 0;
  const store = env.RESOURCE_STORE;
  const get: typeof store.get = (id) => {
    asked += 1;
    if (asked === nth) throw error;
    return store.get(id);
  };
  // Of the namespace no more is asked.
  const broken: Pick<typeof store, 'get' | 'idFromName'> = { get, idFromName: (name) => store.idFromName(name) };
  return { ...env, RESOURCE_STORE: broken as typeof store };
}

async function exportLogs(project: string, broken: ControlEnv) {
  const headers = new Headers({
    authorization: `Bearer ${tokenOf(project)}`,
    'content-type': 'application/json',
  });
  const logRecords = Array.from({ length: RECORDS }, (_, at) => ({ body: { stringValue: String(at) } }));
  const resource = { attributes: [textValue('gcp.project_id', project)] };
  const value = bytesOf(JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }));
  const logged: Record<string, unknown>[] = [];
  const world: CallContext = {
    env: broken,
    settings: readControlSettings(env),
    requestId: 'r',
    from: '192.0.2.1',
    signal: new AbortController().signal,
    log: (line) => void logged.push(line),
    chats: { list: [] } as unknown as CallContext['chats'], // No chat is asked here.
    rate: { headers: {} },
  };
  const asked = {
    method: 'POST',
    path: '/v1/logs',
    query: '',
    headers,
    body: async () => ({ ok: true, value }) as const,
  };
  const answer = await answerOtlp(asked, world);
  const [body = ''] = answer?.body ?? [];
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return { status: answer?.status, headers: answer?.headers, said: JSON.parse(text) as unknown, logged };
}

/** How many entries a project has: of the first page. */
async function countEntries(project: string): Promise<number> {
  const body = { resourceNames: [`projects/${project}`], pageSize: 1_000 };
  const token = tokenOf(project);
  const { entries = [] } = await json<{ entries?: unknown[] }>(
    call('/v2/entries:list', { method: 'POST', token, body }),
  );
  return entries.length;
}

const reset = (): Error => Object.assign(new Error('reset'), { retryable: true });

test('an object that fails at the first part refuses the whole: it can be sent again', async () => {
  const { status, headers } = await exportLogs('otlp-part-one', breakStore(1, reset()));
  expect([status, headers]).toMatchObject([503, { 'retry-after': expect.stringMatching(/^\d+$/) }]);
  expect(await countEntries('otlp-part-one')).toBe(0);
});

test.each([
  ['is reset', reset(), []],
  ['has a bug', new TypeError('no text of this is shown'), [{ event: 'management_failed', error: 'TypeError' }]],
])(
  'an object that %s at the second part has that part rejected: what is kept is not sent again',
  async (_how, error, lines) => {
    const project = lines.length === 0 ? 'otlp-part-reset' : 'otlp-part-bug';
    const { status, said, logged } = await exportLogs(project, breakStore(2, error));
    expect([status, said]).toMatchObject([200, { partialSuccess: { rejectedLogRecords: '500' } }]);
    expect(JSON.stringify(said)).not.toContain('no text of this');
    expect(logged).toMatchObject(lines);
    expect(await countEntries(project)).toBe(1_000);
  },
);
