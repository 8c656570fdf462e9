import * as z from 'zod';
import { parseJson } from '../../lib/json.ts';
import { type CommandEnd, refuseCommand } from '../core/failure.ts';
import { type OutputValues, writeResult } from '../core/output.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { formatSalesPath } from './order.ts';
import { parseBaseUrl, readServiceProblem, request, type ServiceRefusal } from './service.ts';

const dryRunSchema = z.looseObject({
  capability: z.string(),
  price: z.looseObject({ usd: z.string(), currency: z.string() }),
  sale: z.looseObject({ open: z.boolean(), detail: z.string().optional() }),
  rails: z.array(z.looseObject({ rail: z.string() })),
  targets: z.array(
    z.looseObject({
      url: z.string(),
      reachable: z.boolean().nullable(),
      status: z.number().optional(),
      detail: z.string().optional(),
    }),
  ),
});
type DryRun = z.infer<typeof dryRunSchema>;

export type DryOrder = { baseUrl: string; capability: string; body: Record<string, unknown> };

/** `sightline buy --dry-run`: asks the service what the same purchase would cost. No wallet is read, and nothing is signed. */
export async function printDryRun(
  { baseUrl, capability, body }: DryOrder,
  values: OutputValues,
  fetcher: typeof fetch,
): Promise<CommandEnd> {
  const base = parseBaseUrl(baseUrl);
  if (!base.ok) return refuseService(base);
  const asked = new Request(`${base.origin}${formatSalesPath(capability)}?dry=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await request(base.origin, asked, fetcher);
  if (!answer.ok) return refuseService(answer);
  const read = dryRunSchema.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !read.success) {
    const { code, detail } = readServiceProblem(answer);
    return refuseCommand(formatSafeLine(code), `${code}: ${detail}`, EXIT.below);
  }
  return writeResult(values.json === true ? `${formatSafeJson(read.data)}\n` : formatDryRun(read.data), values);
}

const refuseService = ({ reason, detail }: ServiceRefusal) =>
  refuseCommand(reason, `${reason}: ${detail}`, reason === 'service_unreachable' ? EXIT.unreachable : EXIT.below);

function formatDryRun({ capability, price, sale, rails, targets }: DryRun): string {
  const lines = [
    `${capability} costs ${price.usd} ${price.currency}. Nothing was signed or paid.`,
    `Paid by: ${rails.map(({ rail }) => rail).join(', ') || 'nothing now'}.`,
    ...(sale.open ? [] : [`Not for sale now: ${sale.detail ?? ''}`]),
    ...targets.map(({ url, reachable, status, detail }) =>
      reachable === true
        ? `${url} answers ${status}.`
        : `${url}: ${reachable === false ? 'not reachable' : 'not asked'}. ${detail ?? ''}`,
    ),
  ];
  return `${lines.map((line) => formatSafeLine(line)).join('\n')}\n`;
}
