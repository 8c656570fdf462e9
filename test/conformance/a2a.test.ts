import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { LOOPBACK } from '../../local/ports.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { SLOTS } from '../../src/fixes/core/fix-slots.ts';
import { generateMcpFiles } from '../../src/fixes/files/mcp-json.ts';
import { formatFactSlot } from '../../src/lib/slots.ts';
import { auditedSite } from '../support/audit/audited.ts';
import { html, type SiteMap } from '../support/audit/site-fetch.ts';

const CLIENT = fileURLToPath(new URL('support/a2a-client.ts', import.meta.url));
const MAX_CLIENT_MS = 60_000;
const asked = z.strictObject({ answer: z.unknown(), error: z.string() }).partial();
type Era = '1.0' | '0.2';
const ERAS = ['1.0', '0.2'] as const;

/** What the official client of an era makes of an origin. */
async function ask(era: Era, origin: string): Promise<z.infer<typeof asked>> {
  const run = await promisify(execFile)(process.execPath, [CLIENT, era, origin], { timeout: MAX_CLIENT_MS });
  return asked.parse(JSON.parse(run.stdout));
}

describe('our own service', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack?.stop());

  test.each(ERAS)('answers a text that it does not understand with what to send, to the client of %s', async (era) => {
    const { error, answer } = await ask(era, stack.api.url);
    expect(error).toBeUndefined();
    expect(JSON.stringify(answer)).toContain('check_health');
  });
});

/** The draft of both cards for a site that shows no agent, as generate_mcp_json sells it. */
const drafts = async (): Promise<ReadonlyMap<string, string>> => {
  const shop: SiteMap = {
    '/': html(
      '<!doctype html><html lang="en"><title>Anvils | Acme</title><meta name="description" content="Acme forges anvils.">',
    ),
  };
  const files = await generateMcpFiles(await auditedSite(shop), { asked: true });
  return new Map(files.map(({ path, content }) => [`/${path}`, content]));
};

/** An agent that knows the messages of both eras, each at its own address, on the site with these files. */
async function startAgent(files: ReadonlyMap<string, string>): Promise<Server> {
  const methods: Readonly<Record<string, Readonly<Record<string, object>>>> = {
    '/a2a': { SendMessage: { message: { messageId: '2', role: 'ROLE_AGENT', parts: [{ text: '40 kg' }] } } },
    '/a2a/older': {
      'message/send': { kind: 'message', messageId: '2', role: 'agent', parts: [{ kind: 'text', text: '40 kg' }] },
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const file = files.get(path);
    if (file !== undefined) return void response.setHeader('content-type', 'application/json').end(file);
    const bytes: Buffer[] = [];
    for await (const piece of request) bytes.push(Buffer.from(piece as Uint8Array));
    const known = methods[path];
    if (known === undefined) return void response.writeHead(404).end();
    const { id, method } = z
      .looseObject({ id: z.unknown(), method: z.string() })
      .parse(JSON.parse(Buffer.concat(bytes).toString()));
    const result = known[method];
    const body = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, LOOPBACK, resolve));
  return server;
}

describe('the cards that generate_mcp_json writes, filled in and served as they say', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  /** Fills in each slot with what its owner would, once the port is known. */
  async function serve(change: (files: Map<string, string>) => void = () => undefined): Promise<string> {
    const files = new Map(await drafts());
    server = await startAgent(files);
    const origin = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
    const facts = { agentUrl: `${origin}/a2a`, olderAgentUrl: `${origin}/a2a/older`, agentVersion: '1.2.0' } as const;
    for (const [path, content] of files) {
      const filled = Object.entries(facts).reduce(
        (text, [slot, fact]) => text.replaceAll(formatFactSlot(SLOTS[slot as keyof typeof facts]), fact),
        content,
      );
      files.set(path, filled);
    }
    change(files);
    return origin;
  }

  test.each(ERAS)('lead the official client of %s to the agent, which answers it', async (era) => {
    const { error, answer } = await ask(era, await serve());
    expect(error).toBeUndefined();
    expect(JSON.stringify(answer)).toContain('40 kg');
  });

  test('a copy of the present card at agent.json would not: the client of 0.2 refuses it', async () => {
    const origin = await serve((files) =>
      files.set('/.well-known/agent.json', files.get('/.well-known/agent-card.json') ?? ''),
    );
    expect((await ask('0.2', origin)).error).toMatch(/does not contain a valid 'url'/);
  });
});
