import type { Hex } from 'viem';
import { type Attack, callProtected, mcpHeaders, rpc, rpcAnswer, type Scene } from './attack.ts';
import { fromFreshCaller } from './caller.ts';
import { connect, PAYMENT, PAYMENT_RESPONSE, signTerms, termsOf } from './mcp-client.ts';

/** A tool, its price in micro-USDC, and another of the same price. */
export const TOOL = 'check_llms_txt';
const PRICE = 70_000n;
const OTHER_TOOL_OF_THE_PRICE = 'check_schema';

export const paymentAttacks: Attack[] = [
  {
    id: '$1',
    what: 'one payment presented five times at once, and once more: one sale',
    attack: async (scene) => {
      const args = { url: scene.stack.sites.good };
      const meta = { [PAYMENT]: await payment(scene, args) };
      const outcomes: unknown[] = [];
      const total = await moved(scene, async () => {
        outcomes.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => buy(scene, TOOL, args, meta)))));
        outcomes.push(await buy(scene, TOOL, args, meta));
      });
      const known = outcomes.every((one) => one === 'sold' || one === 'payment_in_progress');
      return { total, known, last: outcomes.at(-1) };
    },
    refused: { total: PRICE, known: true, last: 'sold' },
  },
  {
    id: '$2',
    what: 'a payment for one tool, used on another of the same price',
    attack: async (scene) => {
      const args = { url: scene.stack.sites.good };
      const { resource: _named, ...paid } = await payment(scene, args);
      const meta = { [PAYMENT]: paid };
      const outcomes: unknown[] = [];
      const total = await moved(scene, async () => {
        outcomes.push(await buy(scene, TOOL, args, meta), await buy(scene, OTHER_TOOL_OF_THE_PRICE, args, meta));
      });
      return { total, outcomes };
    },
    refused: { total: PRICE, outcomes: ['sold', 'payment_already_used'] },
  },
  {
    id: '$3',
    what: 'a payment with other arguments than it bought',
    attack: async (scene) => {
      const args = { url: scene.stack.sites.good };
      const meta = { [PAYMENT]: await payment(scene, args) };
      const outcomes: unknown[] = [];
      const total = await moved(scene, async () => {
        outcomes.push(await buy(scene, TOOL, args, meta));
        outcomes.push(await buy(scene, TOOL, { url: scene.stack.sites.poor }, meta));
      });
      return { total, outcomes };
    },
    refused: { total: PRICE, outcomes: ['sold', 'payment_already_used'] },
  },
  {
    id: '$6',
    what: 'a payment without a token at the protected endpoint: 401 comes before 402, and the payment stays good',
    attack: async (scene) => {
      const args = { url: scene.stack.sites.good };
      const meta = { [PAYMENT]: await payment(scene, args) };
      let status = 0;
      const before = await moved(scene, async () => {
        const answer = await callProtected(scene, undefined, {
          headers: mcpHeaders('tools/call', TOOL),
          body: rpc('tools/call', { name: TOOL, arguments: args, _meta: meta }),
        });
        await answer.body?.cancel();
        status = answer.status;
      });
      return { status, before, afterwards: await buy(scene, TOOL, args, meta) };
    },
    refused: { status: 401, before: 0n, afterwards: 'sold' },
  },
  {
    id: '$7',
    what: 'the hash of a transfer that paid for something else',
    attack: async (scene) => {
      const args = { url: scene.stack.sites.good };
      const client = await connect(`${scene.world.base}/mcp`, 'modern');
      const paid = await signTerms(scene.stack.buyer, termsOf(await client.callTool({ name: TOOL, arguments: args })));
      const sold = await client.callTool({ name: TOOL, arguments: args, _meta: { [PAYMENT]: paid } });
      const { transaction } = Object(sold._meta?.[PAYMENT_RESPONSE]) as { transaction: Hex };
      const other = await connect(`${scene.world.base}/mcp`, 'modern', { 'payment-signature': transaction });
      const result = await other.callTool({ name: TOOL, arguments: { url: scene.stack.sites.poor } });
      await Promise.all([client.close(), other.close()]);
      return { isError: result.isError, sold: 'report_id' in Object(result.structuredContent) };
    },
    refused: { isError: true, sold: false },
  },
];

/** What an attack moves from the stack's buyer to its seller. */
export async function moved({ stack }: Scene, during: () => Promise<unknown>): Promise<bigint> {
  const before = await stack.chain.balance(stack.seller.address);
  await during();
  return (await stack.chain.balance(stack.seller.address)) - before;
}

/** A payment for the tool, signed by the stack's buyer over fresh terms. */
export async function payment({ stack, world }: Scene, args: Record<string, unknown>) {
  const client = await connect(`${world.base}/mcp`, 'modern');
  const unpaid = await client.callTool({ name: TOOL, arguments: args });
  await client.close();
  return signTerms(stack.buyer, termsOf(unpaid));
}

/** One call of a tool at the open endpoint; a result's error code, `sold`, or `unpaid`. */
async function buy(
  { world }: Scene,
  name: string,
  args: Record<string, unknown>,
  meta: Record<string, unknown>,
): Promise<unknown> {
  const answer = await fetch(`${world.base}/mcp`, {
    method: 'POST',
    headers: { ...fromFreshCaller(), ...mcpHeaders('tools/call', name) },
    body: rpc('tools/call', { name, arguments: args, _meta: meta }),
  });
  const { result, error } = await rpcAnswer(answer);
  if (error !== undefined) return error.code;
  const structured = result?.['structuredContent'] as { code?: string } | undefined;
  if (result?.['isError'] !== true) return 'sold';
  return structured?.code ?? 'unpaid';
}
