import * as z from 'zod';
import { connect } from '../../conformance/support/mcp-client.ts';
import { ORIGINS } from './stack.ts';

const resultSchema = z.looseObject({
  structuredContent: z.looseObject({
    report_id: z.string(),
    payment: z.looseObject({ balance_usd: z.string() }),
  }),
});

/** A tool called with credits: the same key and arguments are one debit. */
export async function callOnCredits(
  token: string,
  { url, key }: { url: string; key: string },
): Promise<{ reportId: string; balance: string }> {
  const client = await connect(`${ORIGINS.api}/mcp-account`, 'modern', { authorization: `Bearer ${token}` });
  try {
    const result = await client.callTool({
      name: 'check_health',
      arguments: { url },
      _meta: { 'sightline/idempotency-key': key },
    });
    const { structuredContent } = resultSchema.parse(result);
    return { reportId: structuredContent.report_id, balance: structuredContent.payment.balance_usd };
  } finally {
    await client.close();
  }
}
