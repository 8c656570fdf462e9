import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_OPEN_TASKS_OF_NETWORK } from '../../../../src/a2a/protocol.ts';
import { MAX_AGENT_BODY_BYTES } from '../../../../routes/api/a2a/app.ts';
import { call as callTool } from '../mcp/world.ts';
import { decode, ledgerRows, PAYER, post, signedCredential, type World, world } from '../world.ts';
import { call, eventsOf, EXTENSION, order, pay, quote, say, send, taskOf } from './world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const payload = async (capability = 'check_health', changes = {}): Promise<unknown> =>
  decode(await signedCredential(capability, changes));
const metadataOf = (task: ReturnType<typeof taskOf>) => task.status.message.metadata;

describe('a task', () => {
  test('is opened with its price, and nothing is claimed for it', async () => {
    const before = await ledgerRows();
    const answer = await send({ jsonrpc: '2.0', id: 'a', method: 'SendMessage', params: say({ data: order() }) });
    expect([answer.status, answer.headers.get('a2a-extensions')]).toEqual([200, EXTENSION]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const task = taskOf((await answer.json()) as never);
    expect(task.id).toMatch(/^[0-9a-f]{32}$/);
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(metadataOf(task)).toMatchObject({
      'x402.payment.status': 'payment-required',
      'x402.payment.required': {
        x402Version: 2,
        resource: { url: `${env.BASE_URL}/api/agent/check_health` },
        accepts: [{ amount: '60000', payTo: env.PAY_TO }],
      },
    });
    expect([await ledgerRows(), seen.calls.verify, seen.calls.site]).toEqual([before, [], []]);
  });

  test('is completed by its payment: the result is an artifact without the payer, the receipt is its buyer’s', async () => {
    const { id, contextId } = await quote();
    const paid = taskOf(await pay(id, await payload()));
    expect([paid.id, paid.contextId, paid.status.state]).toEqual([id, contextId, 'TASK_STATE_COMPLETED']);
    expect(metadataOf(paid)['x402.payment.receipts']).toMatchObject([{ success: true, payer: PAYER }]);
    const data = paid.artifacts?.[0]?.parts.find((part) => part.data !== undefined)?.data;
    expect(data).toMatchObject({ capability: 'check_health', evidence: { untrusted: true } });
    expect(JSON.stringify(paid.artifacts).toLowerCase()).not.toContain(PAYER);
    expect(JSON.stringify(paid.artifacts)).not.toContain('publish_token');
    expect(taskOf(await call('GetTask', { id }))).toEqual(paid);
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('P23: a payment is one sale over HTTP, MCP and A2A', async () => {
    const credential = await signedCredential();
    const byHttp = (await (await post({ credential })).json()) as { report_id: string };
    const { id } = await quote();
    const paid = taskOf(await pay(id, decode(credential)));
    expect(JSON.stringify(paid.artifacts)).toContain(byHttp.report_id);
    const byMcp = await callTool(
      'check_health',
      { url: 'https://shop.example/' },
      { meta: { 'x402/payment': credential } },
    );
    expect(byMcp.structuredContent).toMatchObject({ report_id: byHttp.report_id });
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('P23: a payment that bought another task buys no second one', async () => {
    const given = await payload();
    await pay((await quote()).id, given);
    const other = await quote(order('check_health', 'https://other.example/'));
    const refused = taskOf(await pay(other.id, given));
    expect(refused.status.state).toBe('TASK_STATE_FAILED');
    expect(metadataOf(refused)).toMatchObject({
      'x402.payment.status': 'payment-failed',
      'x402.payment.error': 'DUPLICATE_NONCE',
    });
    expect(metadataOf(refused)['x402.payment.required']).toBeUndefined(); // Its buyer would pay twice (rule P13).
    expect(refused.artifacts).toBeUndefined();
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('P2: of payments that come at the same time one is carried out, and the others see what it came to', async () => {
    const { id } = await quote();
    const payments = await Promise.all(Array.from({ length: 8 }, () => payload()));
    const answers = await Promise.all(payments.map((given) => pay(id, given)));
    const states = answers.map((answer) => answer.error?.code ?? taskOf(answer).status.state);
    for (const state of states) expect([-32_004, 'TASK_STATE_COMPLETED']).toContain(state);
    expect(states).toContain('TASK_STATE_COMPLETED');
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('takes another payment after one that was refused, with fresh terms and both receipts', async () => {
    const { id } = await quote();
    seen.verify = { isValid: false, invalidReason: 'insufficient_funds' };
    const refused = taskOf(await pay(id, await payload()));
    expect(refused.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(metadataOf(refused)).toMatchObject({
      'x402.payment.status': 'payment-failed',
      'x402.payment.error': 'INSUFFICIENT_FUNDS',
      'x402.payment.required': { accepts: [{ amount: '60000' }] },
      'x402.payment.receipts': [{ success: false, transaction: '' }],
    });
    seen.verify = { isValid: true, payer: PAYER };
    const paid = taskOf(await pay(id, await payload()));
    expect(paid.status.state).toBe('TASK_STATE_COMPLETED');
    expect(metadataOf(paid)['x402.payment.receipts']).toMatchObject([{ success: false }, { success: true }]);
  });

  test('P13: whose payment is in doubt waits for the same payment, and shows no terms for another', async () => {
    const { id } = await quote();
    seen.verify = () => new Response('busy', { status: 503 });
    const given = await payload();
    const doubted = taskOf(await pay(id, given));
    expect(doubted.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(metadataOf(doubted)['x402.payment.status']).toBe('payment-submitted');
    expect(metadataOf(doubted)['x402.payment.required']).toBeUndefined();
    seen.verify = { isValid: true, payer: PAYER };
    expect(taskOf(await pay(id, given)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('fails without a charge where the site cannot be read', async () => {
    seen.site = () => {
      throw new Error('connection refused');
    };
    const { id } = await quote(order('check_health', 'https://gone.example/'));
    const failed = taskOf(await pay(id, await payload()));
    expect(failed.status.state).toBe('TASK_STATE_FAILED');
    expect(failed.status.message.parts[0]?.text).not.toContain('gone.example'); // X4: our words alone.
    expect(seen.calls.settle).toEqual([]);
  });

  test.each([
    ['garbage', 'garbage'],
    ['a number', 7],
    ['x402 version 1', { x402Version: 1, scheme: 'exact', network: 'base', payload: {} }],
    ['an empty object', {}],
    ['20 KB', 'x'.repeat(20_000)],
  ])('meets %s as a payment with fresh terms, and asks no service about it', async (_what, given) => {
    const { id } = await quote();
    const refused = taskOf(await pay(id, given));
    expect(refused.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(metadataOf(refused)).toMatchObject({
      'x402.payment.error': 'INVALID_PAYLOAD',
      'x402.payment.required': { accepts: [{ amount: '60000' }] },
    });
    expect(seen.calls.verify).toEqual([]);
  });

  test('fails when its client rejects the terms', async () => {
    const { id } = await quote();
    const metadata = { 'x402.payment.status': 'payment-rejected' };
    const rejected = taskOf(await call('SendMessage', say({ taskId: id, text: 'No.', metadata })));
    expect(rejected.status.state).toBe('TASK_STATE_FAILED');
    expect(metadataOf(rejected)).toMatchObject(metadata);
  });

  test('is answered when its work is done, although its client would not wait: work that is left is stopped', async () => {
    const { id } = await quote();
    const paid = taskOf(await pay(id, await payload(), { returnImmediately: true }));
    expect(paid.status.state).toBe('TASK_STATE_COMPLETED');
    const parts = [{ kind: 'text', text: 'Paid.' }];
    const older = { 'a2a-version': '0.3', 'x-a2a-extensions': EXTENSION };
    const { id: taskId } = await quote();
    const metadata = { 'x402.payment.payload': await payload() };
    const message = { messageId: 'm', role: 'user', taskId, parts, metadata };
    const answer = await call('message/send', { message, configuration: { blocking: false } }, { headers: older });
    expect(answer.result).toMatchObject({ id: taskId, status: { state: 'completed' } });
  });

  test('is shown as it is to a second payment that would not wait', async () => {
    const { id } = await quote();
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    seen.site = async () => {
      await isOpen;
      return new Response('not found', { status: 404 });
    };
    const paying = pay(id, await payload());
    await vi.waitFor(() => expect(seen.calls.site).not.toEqual([]));
    const second = taskOf(await pay(id, await payload(), { returnImmediately: true }));
    expect(second.status.state).toBe('TASK_STATE_WORKING');
    open();
    await paying;
    expect(seen.calls.settle.length).toBeLessThanOrEqual(1);
  });
});

describe('canceling', () => {
  test('ends a task that is not paid; its payment is not taken any more', async () => {
    const { id } = await quote();
    expect(taskOf(await call('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
    expect((await pay(id, await payload())).error?.code).toBe(-32_004);
    expect(seen.calls.verify).toEqual([]);
  });

  test('Y8: stops work before its settlement, and nothing is charged', async () => {
    const { id } = await quote();
    const { promise: isCanceled, resolve } = Promise.withResolvers<void>();
    seen.site = async () => {
      await isCanceled;
      return new Response('not found', { status: 404 });
    };
    const paying = pay(id, await payload());
    await vi.waitFor(() => expect(seen.calls.site).not.toEqual([]));
    const canceling = call('CancelTask', { id });
    // The purchase looks for a wish to cancel every 2 s.
    await new Promise((done) => setTimeout(done, 2_500));
    resolve();
    expect(taskOf(await canceling).status.state).toBe('TASK_STATE_CANCELED');
    expect(taskOf(await paying).status.state).toBe('TASK_STATE_CANCELED');
    expect(seen.calls.settle).toEqual([]);
  });

  test('does not take a sale back', async () => {
    const { id } = await quote();
    await pay(id, await payload());
    expect((await call('CancelTask', { id })).error?.code).toBe(-32_002);
  });
});

describe('streams', () => {
  const stream = async (params: unknown, headers: Record<string, string> = {}) =>
    send(
      {
        jsonrpc: '2.0',
        id: 7,
        method: headers['a2a-version'] === '0.3' ? 'message/stream' : 'SendStreamingMessage',
        params,
      },
      { headers },
    );

  test('P11: begin when the payment is good, say counts alone, and end with the result', async () => {
    const { id } = await quote();
    const given = await payload();
    const answer = await stream(say({ taskId: id, text: 'Paid.', metadata: { 'x402.payment.payload': given } }));
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = await eventsOf(answer);
    expect(events[0]).toMatchObject({ task: { id, status: { state: 'TASK_STATE_WORKING' } } });
    const last = events.at(-1);
    expect(last).toMatchObject({ statusUpdate: { taskId: id, status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(events.filter((event) => 'artifactUpdate' in event)).toHaveLength(1);
    for (const event of events.slice(0, -2)) expect(JSON.stringify(event)).not.toMatch(/report_id|evidence|0x/);
  });

  test('that are refused are one error, and none begins for a payment that is not good', async () => {
    const unknown = await stream(say({ taskId: 'ab'.repeat(16), text: 'x' }));
    expect(unknown.headers.get('content-type')).toBe('application/json');
    expect(await unknown.json()).toMatchObject({ id: 7, error: { code: -32_001 } });
    const { id } = await quote();
    const events = await eventsOf(
      await stream(say({ taskId: id, text: '', metadata: { 'x402.payment.payload': 'x' } })),
    );
    expect(events).toMatchObject([{ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } }]);
  });

  test('of 0.3 end with an event that says so', async () => {
    const parts = [{ kind: 'data', data: order() }];
    const answer = await stream({ message: { messageId: 'm', role: 'user', parts } }, { 'a2a-version': '0.3' });
    const events = await eventsOf(answer);
    expect(events).toMatchObject([
      { kind: 'task', status: { state: 'input-required' } },
      { kind: 'status-update', final: true, status: { state: 'input-required' } },
    ]);
  });

  test('follow a task that is paid elsewhere', async () => {
    const { id } = await quote();
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    seen.site = async () => {
      await isOpen;
      return new Response('not found', { status: 404 });
    };
    const paying = pay(id, await payload());
    await vi.waitFor(() => expect(seen.calls.site).not.toEqual([]));
    const subscribe = { jsonrpc: '2.0', id: 7, method: 'SubscribeToTask', params: { id } };
    const answer = await send(subscribe);
    open();
    const ended = taskOf(await paying).status.state;
    expect((await eventsOf(answer)).at(-1)).toMatchObject({ statusUpdate: { status: { state: ended } } });
  });

  test('follow no task that is over', async () => {
    const { id } = await quote();
    expect(taskOf(await pay(id, await payload())).status.state).toBe('TASK_STATE_COMPLETED');
    const subscribe = { jsonrpc: '2.0', id: 7, method: 'SubscribeToTask', params: { id } };
    expect(await (await send(subscribe)).json()).toMatchObject({ error: { code: -32_004 } });
  });
});

describe('messages that are not understood', () => {
  test('open a task that says what to send, and go on in it', async () => {
    const asked = taskOf(await call('SendMessage', say({ text: 'How healthy is my site?' })));
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(asked.status.message.parts[0]?.text).toContain('"skill": "check_health"');
    const { id: taskId, contextId } = asked;
    const free = await call('SendMessage', say({ taskId, text: 'index' }));
    expect(free.result).toMatchObject({ message: { contextId } });
    const priced = taskOf(await call('SendMessage', say({ taskId, contextId, data: order() })));
    expect([priced.id, metadataOf(priced)['x402.payment.status']]).toEqual([taskId, 'payment-required']);
    expect(taskOf(await pay(taskId, await payload())).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test.each([
    ['an unknown skill', { skill: 'check_everything', input: {} }, 'No skill has this name'],
    ['an input without its address', { skill: 'check_health', input: {} }, 'invalid_body'],
    ['a private address', order('check_health', 'http://127.0.0.1/'), 'target_refused'],
    [
      'an input of 70 KB',
      { skill: 'check_health', input: { url: `https://a.example/${'x'.repeat(70_000)}` } },
      'body_too_large',
    ],
  ])('%s is said before anyone pays', async (_what, data, word) => {
    const task = taskOf(await call('SendMessage', say({ data })));
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(JSON.stringify(task.status.message)).toContain(word);
    expect(metadataOf(task)['x402.payment.required']).toBeUndefined();
  });

  test('free skills are answered with a message, and their faults too', async () => {
    const index = await call('SendMessage', say({ text: 'index' }));
    expect(index.result).toMatchObject({ message: { role: 'ROLE_AGENT' } });
    const report = await call(
      'SendMessage',
      say({ data: { skill: 'read_report', input: { report_id: 'ab'.repeat(16) } } }),
    );
    expect(JSON.stringify(report.result)).toContain('not_found');
    const wrong = await call('SendMessage', say({ data: { skill: 'get_fix', input: { report_id: 'x' } } }));
    expect(JSON.stringify(wrong.result)).toContain('/report_id');
  });
});

describe('the extension', () => {
  test('must be activated before a price is named; free skills do not need it', async () => {
    const headers = { 'a2a-extensions': '' };
    const refused = await call('SendMessage', say({ data: order() }), { headers });
    expect(refused.error).toMatchObject({ code: -32_008, message: expect.stringContaining(EXTENSION) });
    expect((await call('SendMessage', say({ text: 'index' }), { headers })).error).toBeUndefined();
  });

  test('is activated by either header, among others, and confirmed in the one that named it', async () => {
    const headers = { 'a2a-extensions': '', 'x-a2a-extensions': `https://a.example/x, ${EXTENSION}` };
    const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: say({ data: order() }) };
    const answer = await send(body, { headers });
    expect([answer.headers.get('x-a2a-extensions'), answer.headers.get('a2a-extensions')]).toEqual([EXTENSION, null]);
    expect(taskOf((await answer.json()) as never).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });
});

describe('hostile calls', () => {
  const rpcError = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { error: { code: number } }).error.code,
  ];

  test('that are no call are refused as JSON-RPC says', async () => {
    expect(await rpcError(await send(null, { text: '{' }))).toEqual([400, -32_700]);
    expect(await rpcError(await send([{ jsonrpc: '2.0', id: 1, method: 'GetTask' }]))).toEqual([400, -32_600]);
    expect(await rpcError(await send(null, { text: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }))).toEqual([
      400, -32_600,
    ]);
    const deep = {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`),
    };
    expect(await rpcError(await send(deep))).toEqual([400, -32_600]);
    expect(await rpcError(await send(null, { text: 'x'.repeat(MAX_AGENT_BODY_BYTES + 1) }))).toEqual([413, -32_000]);
    expect(await rpcError(await send({}, { headers: { 'content-type': 'text/plain' } }))).toEqual([415, -32_000]);
  });

  test.each([
    ['an unknown method', 'DropTasks', {}, '1.0', -32_601],
    ['a method of another version', 'message/send', {}, '1.0', -32_601],
    ['an unknown version', 'SendMessage', {}, '9.9', -32_009],
    ['pushes', 'CreateTaskPushNotificationConfig', { url: 'https://a.example/' }, '1.0', -32_003],
    ['pushes of 0.3', 'tasks/pushNotificationConfig/set', {}, '0.3', -32_003],
    ['a list of tasks, which would be those of others', 'ListTasks', {}, '1.0', -32_004],
    ['an extended card', 'GetExtendedAgentCard', {}, '1.0', -32_004],
    ['an extended card of 0.3', 'agent/getAuthenticatedExtendedCard', {}, '0.3', -32_007],
    ['a task that does not exist', 'GetTask', { id: 'ab'.repeat(16) }, '1.0', -32_001],
    ['a task by another name', 'GetTask', { id: '../../x' }, '1.0', -32_001],
    ['no task', 'CancelTask', {}, '1.0', -32_602],
    ['a message without parts', 'SendMessage', { message: { messageId: 'm', role: 'ROLE_USER' } }, '1.0', -32_602],
  ])('%s', async (_what, method, params, version, code) => {
    expect((await call(method, params, { headers: { 'a2a-version': version } })).error?.code).toBe(code);
  });

  test('for a task of another context are refused', async () => {
    const { id } = await quote();
    expect((await call('SendMessage', say({ taskId: id, contextId: 'other', text: 'x' }))).error?.code).toBe(-32_602);
  });

  test('to other methods of HTTP meet 405, which says that the endpoint is there', async () => {
    const answer = await post({ path: '/a2a', method: 'GET' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('F7: an audit of ours buys nothing', async () => {
    const { id } = await quote();
    const metadata = { 'x402.payment.payload': await payload() };
    const refused = await call('SendMessage', say({ taskId: id, text: '', metadata }), {
      headers: { via: '1.1 sightline' },
    });
    expect(refused.error?.code).toBe(-32_000);
    expect(seen.calls.verify).toEqual([]);
  });

  test('X9: ids of tasks and payments are in no log', async () => {
    const { id } = await quote();
    const given = await signedCredential();
    await pay(id, decode(given));
    await pay(id, decode(given));
    const logs = seen.logs.join('\n');
    expect(logs).not.toContain(id);
    expect(logs).not.toContain(given.slice(40, 120));
  });
});

describe('limits', () => {
  test('a network opens so many unpaid tasks, whichever of its addresses asks; another network goes on', async () => {
    const open = (n: number): Promise<Response> =>
      send(
        { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: say({ text: 'what is this' }) },
        { headers: { 'cf-connecting-ip': `2001:db8:77:${(n % 64).toString(16)}::1` } },
      );
    let refused: Response | undefined;
    for (let n = 0; n < MOST && refused === undefined; n += 1) {
      const answer = await open(n);
      if (answer.status === 429) refused = answer;
    }
    expect(refused?.headers.get('retry-after')).toBe('60');
    expect(await refused?.json()).toMatchObject({
      error: { code: -32_000, message: expect.stringContaining('unpaid tasks') },
    });
    expect((await quote()).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });
});

/** More than all objects together take of one network. */
const MOST = 64 * MAX_OPEN_TASKS_OF_NETWORK + 1;
