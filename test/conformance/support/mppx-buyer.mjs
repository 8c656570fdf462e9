// The official client of the Machine Payments Protocol in a process of its own: a task a line on standard input, its
// outcome a line on standard output.
import { createInterface } from 'node:readline';
import { Challenge, Receipt } from 'mppx';
import { charge } from 'mppx/evm/client';
import { Mppx } from 'mppx/client';
import { McpClient } from 'mppx/mcp/client';
import { privateKeyToAccount } from 'viem/accounts';

const createBuyer = ({ key, domain }) =>
  Mppx.create({
    polyfill: false,
    methods: [charge({ account: privateKeyToAccount(key), authorization: domain })],
  });

const tasks = {
  /** Challenges of a WWW-Authenticate value. */
  read: ({ header }) => Challenge.deserializeList(header),
  /** A credential for the first challenge. */
  sign: async ({ header, ...buyer }) =>
    createBuyer(buyer).createCredential(new Response(null, { status: 402, headers: { 'www-authenticate': header } })),
  receipt: ({ value }) => Receipt.deserialize(value),
  /** One purchase, as a program with this client makes it. */
  buy: async ({ url, init, ...buyer }) => {
    const answer = await createBuyer(buyer).fetch(url, init);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  },
  /** A call of a tool through a payment-aware MCP client, whose own transport is the caller's: only what it adds is judged. */
  callTool: async ({ result, paid, ...buyer }) => {
    const calls = [];
    const client = {
      callTool: async (params) => {
        calls.push(params);
        return calls.length === 1 ? result : (paid ?? { content: [] });
      },
    };
    const wallet = privateKeyToAccount(buyer.key);
    McpClient.wrap(client, { methods: [charge({ account: wallet, authorization: buyer.domain })] });
    return { outcome: (await client.callTool({ name: 'tool', arguments: {} })) ?? null, calls };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, task, given } = JSON.parse(line);
  const done = await Promise.resolve()
    .then(() => tasks[task](given))
    .then(
      (value) => ({ id, value }),
      (error) => ({ id, error: `${error.name}: ${error.message}` }),
    );
  process.stdout.write(`${JSON.stringify(done)}\n`);
}
