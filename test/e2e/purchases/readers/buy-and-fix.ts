import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { x402Client } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';

/**
 * A program of a buyer: official SDKs, and nothing of this repository. It buys an audit at `/mcp`, finds the first fix and
 * fetches it, and prints what it found. How it reads results is the first argument:
 * `claude` sees everything and cuts a result at 25,000 tokens; `text` sees text alone; `structured` sees structuredContent alone.
 */
const [how = '', endpoint = '', site = ''] = process.argv.slice(2);
const key = z.templateLiteral(['0x', z.string()]).parse(process.env['BUYER_KEY']);
const MAX_TOKENS = 25_000;
/** Bytes of a token at worst: a client that counts so cuts earlier than any real one. */
const BYTES_PER_TOKEN = 2;
const TOOL = 'full_audit';

type Result = Awaited<ReturnType<Client['callTool']>>;

const client = new Client({ name: `${how}-like`, version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
await client.listTools(); // The official client checks results against the schemas that it read here.

const readText = ({ content }: Result): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** What of a result this kind of client has before it. */
function see(result: Result): string {
  if (how === 'structured') return JSON.stringify(result.structuredContent);
  const text = how === 'text' ? readText(result) : `${readText(result)}\n${JSON.stringify(result.structuredContent)}`;
  return Buffer.from(text)
    .subarray(0, MAX_TOKENS * BYTES_PER_TOKEN)
    .toString();
}

const bought = z.object({ report_id: z.string(), do_first: z.array(z.object({ id: z.string(), title: z.string() })) });

function findFirstFix(seen: string): { reportId: string; fixId: string } {
  if (how === 'structured') {
    const { report_id: reportId, do_first: first } = bought.parse(JSON.parse(seen));
    return { reportId, fixId: first[0]?.id ?? '' };
  }
  const reportId = /^Report ([0-9a-f]{32})/m.exec(seen)?.[1] ?? '';
  return { reportId, fixId: /^1\. ([a-z0-9.-]+): /m.exec(seen)?.[1] ?? '' };
}

const call = { name: TOOL, arguments: { url: site } };
const unpaid = await client.callTool(call);
const terms = how === 'structured' ? unpaid.structuredContent : JSON.parse(readText(unpaid));
const wallet = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(key)));
const payment = await wallet.createPaymentPayload(terms);
const sold = await client.callTool({ ...call, _meta: { 'x402/payment': payment } });
const { reportId, fixId } = findFirstFix(see(sold));
const fix = await client.callTool({ name: 'get_fix', arguments: { report_id: reportId, fix_id: fixId } });
const page = await client.callTool({ name: 'read_report', arguments: { report_id: reportId, section: 'fixes' } });
const seen = see(fix);
console.log(
  JSON.stringify({
    reportId,
    fixId,
    isFix: seen.includes(fixId) && fix.isError !== true,
    hasInstructions: /instructions/.test(seen),
    bytes: { sold: Buffer.byteLength(see(sold)), page: Buffer.byteLength(see(page)) },
    structured: Buffer.byteLength(JSON.stringify(sold.structuredContent)),
  }),
);
await client.close();
