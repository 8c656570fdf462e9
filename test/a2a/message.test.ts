import { describe, expect, test } from 'vitest';
import { MAX_MESSAGE_PARTS, readA2aMessage, readTaskId } from '../../src/a2a/message.ts';
import { readWantedSkill } from '../../src/a2a/order-text.ts';
import { buildRpcError, isDeeperThan, MAX_BODY_DEPTH, readRpcCall } from '../../src/a2a/rpc.ts';
import { chooseMethod } from '../../src/a2a/versions.ts';

const current = (message: object = {}, configuration?: object) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'index' }], ...message },
  ...(configuration === undefined ? {} : { configuration }),
});
const older = (message: object = {}, configuration?: object) => ({
  message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'index' }], ...message },
  ...(configuration === undefined ? {} : { configuration }),
});

describe('the version of a call', () => {
  test.each([
    ['1.0', 'SendMessage', { kind: 'known', version: '1.0', method: 'send' }],
    ['1.0.1', 'GetTask', { kind: 'known', version: '1.0', method: 'get' }],
    ['0.3', 'message/stream', { kind: 'known', version: '0.3', method: 'stream' }],
    ['0.3.0', 'tasks/cancel', { kind: 'known', version: '0.3', method: 'cancel' }],
    [undefined, 'message/send', { kind: 'known', version: '0.3', method: 'send' }],
    ['', 'tasks/get', { kind: 'known', version: '0.3', method: 'get' }],
    [undefined, 'SendMessage', { kind: 'known', version: '1.0', method: 'send' }],
    ['1.0', 'message/send', { kind: 'unknown_method' }],
    ['0.3', 'SendMessage', { kind: 'unknown_method' }],
    ['2.0', 'SendMessage', { kind: 'unknown_version' }],
    ['0.5', 'message/send', { kind: 'unknown_version' }],
    ['one', 'SendMessage', { kind: 'unknown_version' }],
    ['1.0', 'constructor', { kind: 'unknown_method' }],
    [undefined, '__proto__', { kind: 'unknown_method' }],
  ])('%s %s', (header, name, chosen) => {
    expect(chooseMethod(header, name)).toEqual(chosen);
  });
});

describe('a message', () => {
  test('is the same in both forms', () => {
    const data = { skill: 'index' };
    const [now, before] = [
      readA2aMessage('1.0', current({ parts: [{ data }, { text: 'x' }, { url: 'https://a.example/' }], taskId: '' })),
      readA2aMessage('0.3', older({ parts: [{ kind: 'data', data }, { kind: 'text', text: 'x' }, { kind: 'file' }] })),
    ];
    expect(now).toEqual(before);
    expect(now).toMatchObject({
      ok: true,
      message: { parts: [{ kind: 'data' }, { kind: 'text' }, { kind: 'other' }] },
    });
  });

  test('says whether its sender waits, in the words of its version', () => {
    expect(readA2aMessage('1.0', current({}, { returnImmediately: true }))).toMatchObject({
      message: { isImmediate: true },
    });
    expect(readA2aMessage('0.3', older({}, { blocking: false }))).toMatchObject({ message: { isImmediate: true } });
    expect(readA2aMessage('0.3', older({}, { blocking: true }))).toMatchObject({ message: { isImmediate: false } });
    expect(readA2aMessage('0.3', older())).toMatchObject({ message: { isImmediate: false } });
  });

  test.each([
    ['no params', undefined],
    ['no message', {}],
    ['the role of an agent', current({ role: 'ROLE_AGENT' })],
    ['no id', current({ messageId: '' })],
    ['no parts', current({ parts: [] })],
    ['too many parts', current({ parts: Array.from({ length: MAX_MESSAGE_PARTS + 1 }, () => ({ text: 'x' })) })],
    ['parts that are texts', current({ parts: ['index'] })],
    ['metadata that is a list', current({ metadata: [] })],
    ['a context of spaces', current({ contextId: 'a b' })],
    ['the form of 0.3', older()],
  ])('with %s is refused with the field', (_what, params) => {
    const read = readA2aMessage('1.0', params);
    expect(read).toMatchObject({
      ok: false,
      fault: { error: 'invalid_params', fields: [{ field: expect.any(String) }] },
    });
  });

  test('that wants answers in other media types, or pushes, is refused', () => {
    const pictures = readA2aMessage('1.0', current({}, { acceptedOutputModes: ['image/png'] }));
    expect(pictures).toMatchObject({ fault: { error: 'content_type_not_supported' } });
    expect(readA2aMessage('1.0', current({}, { acceptedOutputModes: ['image/png', 'text/plain'] })).ok).toBe(true);
    const pushed = readA2aMessage('0.3', older({}, { pushNotificationConfig: { url: 'https://a.example/' } }));
    expect(pushed).toMatchObject({ fault: { error: 'push_not_supported' } });
  });
});

describe('what a message asks for', () => {
  const wanted = { skill: 'check_health', input: { url: 'https://a.example/' } };
  test.each([
    ['data', [{ kind: 'data', data: wanted }]],
    ['data under other names', [{ kind: 'data', data: { capability: wanted.skill, arguments: wanted.input } }]],
    [
      'data beside words',
      [
        { kind: 'text', text: 'Please.' },
        { kind: 'data', data: wanted },
      ],
    ],
    ['JSON as text', [{ kind: 'text', text: ` ${JSON.stringify(wanted)}\n` }]],
    ['a skill and an address', [{ kind: 'text', text: 'check_health https://a.example/' }]],
  ] as const)('is understood as %s', (_what, parts) => {
    expect(readWantedSkill(parts)).toEqual({ ok: true, wanted });
  });

  test.each([
    ['prose', [{ kind: 'text', text: 'How healthy is a.example?' }]],
    ['a skill and two addresses', [{ kind: 'text', text: 'compare https://a.example/ https://b.example/' }]],
    [
      'two orders',
      [
        { kind: 'data', data: wanted },
        { kind: 'data', data: wanted },
      ],
    ],
    [
      'two texts',
      [
        { kind: 'text', text: 'index' },
        { kind: 'text', text: 'index' },
      ],
    ],
    ['a file', [{ kind: 'other' }]],
    ['a list', [{ kind: 'data', data: [wanted] }]],
    ['broken JSON', [{ kind: 'text', text: '{"skill": ' }]],
    ['a name of the prototype', [{ kind: 'data', data: { skill: '__proto__' } }]],
    ['an input that is a text', [{ kind: 'data', data: { skill: 'index', input: 'x' } }]],
  ] as const)('is not guessed from %s', (_what, parts) => {
    expect(readWantedSkill(parts)).toMatchObject({ ok: false, why: expect.any(String) });
  });
});

describe('a call', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'GetTask' };
  test.each([
    ['a batch', [call]],
    ['a text', 'x'],
    ['null', null],
    ['without an id', { jsonrpc: '2.0', method: 'GetTask' }],
    ['of JSON-RPC 1', { ...call, jsonrpc: '1.0' }],
    ['with an id that is an object', { ...call, id: {} }],
    ['with an id of 1 KB', { ...call, id: 'x'.repeat(1024) }],
    ['with params that are a list', { ...call, params: [] }],
  ])('%s is no request', (_what, body) => {
    expect(readRpcCall(body)).toMatchObject({ ok: false, id: null, fault: { error: 'invalid_request' } });
  });

  test('is refused when it is nested deep, at any depth, without recursion', () => {
    const nest = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(isDeeperThan(nest(MAX_BODY_DEPTH), MAX_BODY_DEPTH)).toBe(false);
    expect(isDeeperThan(nest(MAX_BODY_DEPTH + 1), MAX_BODY_DEPTH)).toBe(true);
    expect(isDeeperThan(nest(5_000), MAX_BODY_DEPTH)).toBe(true);
  });

  test('names a task by 32 hex digits; nothing else is looked up', () => {
    expect(readTaskId({ id: 'ab'.repeat(16) })).toMatchObject({ ok: true });
    for (const id of ['', 'AB'.repeat(16), '../x', 'a'.repeat(33)])
      expect(readTaskId({ id })).toMatchObject({ fault: { error: 'task_not_found' } });
    expect(readTaskId({})).toMatchObject({ fault: { error: 'invalid_params' } });
  });

  test('errors of A2A say their reason as clients of 1.0 read it', () => {
    expect(buildRpcError({ error: 'task_not_found' })).toEqual({
      code: -32_001,
      message: 'Task not found',
      data: [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
      ],
    });
    expect(buildRpcError({ error: 'parse' })).toEqual({ code: -32_700, message: 'Invalid JSON payload' });
  });
});
