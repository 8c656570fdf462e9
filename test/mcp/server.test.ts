import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { createMcpServer } from '../../src/mcp/server.ts';
import { judgeAdmission, isIdle, isSessionId, getSessionRegistryName } from '../../src/mcp/session.ts';
import type { ToolCall, ToolHost } from '../../src/mcp/tool-host.ts';
import { buildToolTable } from '../../src/mcp/tools.ts';

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const host = (over: Partial<ToolHost> = {}): ToolHost => ({
  callTool: async ({ name }) => ({ content: [{ type: 'text', text: name }] }),
  listResources: async () => ({ resources: [], isShared: true }),
  readResource: async () => undefined,
  ...over,
});

/** The official client of the 2025 era, connected in memory. */
async function connected(over: Partial<ToolHost> = {}): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMcpServer(host(over), { tools: buildToolTable({ payTo: undefined, door: 'open' }) }).connect(far);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  open.push(client);
  return client;
}

const call = { name: 'check_health', arguments: { url: 'https://a.example/' } };

describe('the server around a host', () => {
  test('introduces itself and lists the tools it was given', async () => {
    const client = await connected();
    expect(client.getServerVersion()).toMatchObject({ name: 'sightline', version: '0.1.0' });
    expect((await client.listTools()).tools).toHaveLength(buildToolTable({ payTo: undefined, door: 'open' }).length);
  });

  test('a host sees good calls only, with their meta and a signal', async () => {
    const seen: ToolCall[] = [];
    const client = await connected({
      callTool: async (one) => {
        seen.push(one);
        return { content: [] };
      },
    });
    await client.callTool({ ...call, _meta: { 'x402/payment': 'x' } });
    await client.callTool({ name: 'check_health', arguments: { url: 'ftp://a.example/' } });
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ ...call, meta: { 'x402/payment': 'x' } });
    expect(seen[0]?.signal?.aborted).toBe(false);
    expect(seen[0]?.progress).toBeUndefined();
  });

  test('progress is sent to who asked, as done of total', async () => {
    const client = await connected({
      callTool: async ({ progress }) => {
        progress?.({ done: 1, total: 3 });
        progress?.({ done: 2 });
        return { content: [] };
      },
    });
    const got: unknown[] = [];
    await client.callTool(call, { onprogress: (one) => void got.push(one) });
    expect(got).toEqual([{ progress: 1, total: 3 }, { progress: 2 }]);
  });

  test('Y8: a call that is called off aborts the signal of its work', async () => {
    const aborted = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const client = await connected({
      callTool: ({ signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            aborted.resolve();
            reject(new Error('called off'));
          });
        });
      },
    });
    const controller = new AbortController();
    const running = client.callTool(call, { signal: controller.signal });
    await started.promise;
    controller.abort();
    await expect(running).rejects.toThrow(/abort/i);
    await aborted.promise;
  });

  test('a bug of a host is told without its message', async () => {
    const boom = async (): Promise<never> => {
      throw new Error('secret of the stack');
    };
    const client = await connected({ callTool: boom, listResources: boom, readResource: boom });
    for (const ask of [
      () => client.callTool(call),
      () => client.listResources(),
      () => client.readResource({ uri: 'sightline://catalogue' }),
    ]) {
      const error = await ask().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code: -32_603 });
      expect(String(error)).not.toContain('secret');
    }
  });
});

describe('sessions', () => {
  test.each([
    [{ ofHolder: 99, ofNetwork: 199 }, 'admitted'],
    [{ ofHolder: 100, ofNetwork: 100 }, 'full'],
    [{ ofHolder: 0, ofNetwork: 200 }, 'full'],
  ] as const)('A7: with %o one more is %s', (counts, verdict) => {
    expect(judgeAdmission(counts)).toBe(verdict);
  });

  test.each([
    ['open:2001:db8:1:2::/64', 'open:2001:db8:1::/48'],
    ['open:2001:db8:1:3::/64', 'open:2001:db8:1::/48'],
    ['open:2001:db8:2:3::/64', 'open:2001:db8:2::/48'],
    ['open:203.0.113.7', 'open:203.0.113.7'],
    ['open:direct', 'open:direct'],
    ['account:0123456789abcdef', 'account:0123456789abcdef'],
  ])('B6: %s is counted by the registry %s', (holder, registry) => {
    expect(getSessionRegistryName(holder)).toBe(registry);
  });

  test('A7: ten minutes without a sign end one', () => {
    expect(isIdle(0, 599_999)).toBe(false);
    expect(isIdle(0, 600_000)).toBe(true);
  });

  test.each([
    ['0123456789abcdef0123456789abcdef', true],
    ['0123456789ABCDEF0123456789ABCDEF', false],
    ['0123', false],
    [`${'a'.repeat(32)}\n`, false],
  ])('A7: %j is an id of ours: %s', (id, expected) => {
    expect(isSessionId(id)).toBe(expected);
  });
});
