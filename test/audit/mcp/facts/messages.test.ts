import { describe, expect, test } from 'vitest';
import { readRpcReply, listSseData } from '../../../../src/audit/mcp/facts/messages.ts';

describe('JSON-RPC replies', () => {
  const ok = '{"jsonrpc":"2.0","id":1,"result":{"a":1}}';

  test.each([
    { name: 'JSON', body: ok, type: 'application/json', via: 'json' },
    { name: 'JSON with a charset', body: ok, type: 'Application/JSON; charset=utf-8', via: 'json' },
    { name: 'a batch of one', body: `[${ok}]`, type: 'application/json', via: 'json' },
    { name: 'a stream', body: `event: message\ndata: ${ok}\n\n`, type: 'text/event-stream', via: 'sse' },
    {
      name: 'a stream that begins with an event without data',
      body: `id: 0\ndata: \n\nevent: message\ndata: ${ok}\n\n`,
      type: 'text/event-stream',
      via: 'sse',
    },
    {
      name: 'a stream with CRLF, comments and a notification',
      body: `: hi\r\n\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\r\ndata:${ok}\r\n\r\n`,
      type: 'text/event-stream',
      via: 'sse',
    },
    {
      name: 'data over several lines',
      body: 'data: {"jsonrpc":"2.0",\ndata: "id":1,"result":{"a":1}}\n\n',
      type: 'text/event-stream',
      via: 'sse',
    },
  ])('$name holds the result', ({ body, type, via }) => {
    expect(readRpcReply(body, type, 1)).toEqual({ kind: 'result', result: { a: 1 }, via });
  });

  test.each([
    { name: 'an error without id', body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}' },
    { name: 'an error with id null', body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}' },
    { name: 'an error with our id', body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}' },
  ])('$name is an error', ({ body }) => {
    expect(readRpcReply(body, 'application/json', 1)).toMatchObject({ kind: 'error', code: -32_000, message: 'no' });
  });

  test.each([
    { body: '', type: 'application/json', reason: 'empty' },
    { body: '<!DOCTYPE html><p>', type: 'text/html', reason: 'html' },
    { body: '{"jsonrpc":', type: 'application/json', reason: 'not_json' },
    { body: '{"ok":true}', type: 'application/json', reason: 'not_json_rpc' },
    { body: '{"jsonrpc":"2.0","id":2,"result":{}}', type: 'application/json', reason: 'not_json_rpc' },
    { body: '{"jsonrpc":"2.0","id":2,"error":{"code":1}}', type: 'application/json', reason: 'not_json_rpc' },
    { body: '{"jsonrpc":"2.0","id":1,"result":[]}', type: 'application/json', reason: 'not_json_rpc' },
    { body: 'data: {"jsonrpc":"2.0","method":"x"}\n\n', type: 'text/event-stream', reason: 'no_reply_in_stream' },
    { body: `data: ${ok}`, type: 'text/event-stream', reason: 'no_reply_in_stream' },
  ])('$body as $type is none: $reason', ({ body, type, reason }) => {
    expect(readRpcReply(body, type, 1)).toEqual({ kind: 'none', reason });
  });

  test('a data field keeps all but one leading space, and other fields are no data', () => {
    expect(listSseData('\uFEFFdata:  a\nretry: 5\ndatax: b\ndata\n\ndata:c\n\n')).toEqual([' a\n', 'c']);
  });
});
