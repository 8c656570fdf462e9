import { Client, type ElicitResult, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { buildServerOptions, createMcpServer } from '../../src/mcp/server.ts';
import type { ToolDoor } from '../../src/mcp/tool-host.ts';

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

type Asked = { message: string }[];
type Setting = { door?: ToolDoor; answer?: ElicitResult };

/** The official client of the 2025 era at a server that only counts calls. Without `answer` it cannot ask its user. */
async function connect({
  door = 'account',
  answer,
}: Setting): Promise<{ client: Client; asked: Asked; bought: string[] }> {
  const bought: string[] = [];
  const asked: Asked = [];
  const host = {
    callTool: async ({ name }: { name: string }) => {
      bought.push(name);
      return { content: [], structuredContent: { capability: name, evidence: { untrusted: true } } };
    },
    listResources: async () => ({ resources: [], isShared: true }),
    readResource: async () => undefined,
  };
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMcpServer(host, buildServerOptions({ payTo: undefined, door }, undefined)).connect(far);
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  if (answer) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push({ message: params.message });
      return answer;
    });
  }
  await client.connect(near);
  open.push(client);
  return { client, asked, bought };
}

const site = { url: 'https://a.example/' };
const FULL_REPORT = { name: 'full_report', arguments: site };

describe('the price is asked about before credits are spent', () => {
  test('a yes buys, and the question names tool and price', async () => {
    const { client, asked, bought } = await connect({ answer: { action: 'accept', content: { buy: true } } });
    expect((await client.callTool(FULL_REPORT)).isError).toBeUndefined();
    expect(asked).toEqual([{ message: expect.stringMatching(/^full_report costs 1\.55 USD.*Buy it\?$/) }]);
    expect(bought).toEqual(['full_report']);
  });

  test.each([
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { buy: false } },
  ] as const satisfies ElicitResult[])('%j buys nothing', async (answer) => {
    const { client, bought } = await connect({ answer });
    const result = await client.callTool(FULL_REPORT);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'declined' } });
    expect(bought).toEqual([]);
  });

  test.each([
    ['a client that cannot ask', {}, FULL_REPORT],
    ['a price below the threshold', { answer: { action: 'decline' } }, { name: 'check_health', arguments: site }],
    ['a free tool', { answer: { action: 'decline' } }, { name: 'index', arguments: {} }],
    ['a payment of its own', { answer: { action: 'decline' } }, { ...FULL_REPORT, _meta: { 'x402/payment': 'x' } }],
    ['the endpoint without credits', { door: 'open', answer: { action: 'decline' } }, FULL_REPORT],
  ] as const satisfies readonly (readonly [string, Setting, object])[])(
    'no one is asked: %s',
    async (_why, setting, call) => {
      const { client, asked, bought } = await connect(setting);
      await client.callTool(call);
      expect(asked).toEqual([]);
      expect(bought).toEqual([call.name]);
    },
  );

  test('arguments that do not do are refused before the question', async () => {
    const { client, asked } = await connect({ answer: { action: 'accept', content: { buy: true } } });
    expect(await client.callTool({ name: 'full_report', arguments: {} })).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });
});
