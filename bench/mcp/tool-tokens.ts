import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { buildSharedTerms, buildToolTable } from '../../src/mcp/tools.ts';
import { type Aim, atMost } from '../aims.ts';

/** Definitions of all tools at one door, as `tools/list` sends them. */
export type ToolTokens = { door: string; tokens: number; bytes: number; tools: number };

const MAX_TOKENS = 6_000;
const PAY_TO = '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c';

/** Counts by the tokenizer of o200k what a client reads before its first call. */
export function countToolTokens(say: (line: string) => void): { lists: readonly ToolTokens[]; aims: readonly Aim[] } {
  const lists = (['open', 'account', 'stdio'] as const).map((door) => {
    const tools = buildToolTable({ payTo: PAY_TO, door });
    const text = JSON.stringify({ tools, _meta: { x402: buildSharedTerms(PAY_TO) } });
    return { door, tokens: encode(text).length, bytes: Buffer.byteLength(text), tools: tools.length };
  });
  for (const { door, tokens, bytes, tools } of lists)
    say(`tools/list, ${door}: ${tools} tools, ${tokens} tokens, ${bytes} bytes`);
  const most = Math.max(...lists.map(({ tokens }) => tokens));
  return { lists, aims: [atMost('MCP, definitions of all tools', most, MAX_TOKENS, 'tokens')] };
}
