/**
 * The least that a paid request with a kept result can be, frozen: the official middleware with its two facilitator calls,
 * our body schema and our engine call, one put of the same bytes, and one of 256 objects that writes claim, begin and
 * settled, each awaited. It knows no repeat, no signature, no lease, no limit and no log.
 */
import { DurableObject } from 'cloudflare:workers';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/hono';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { CapabilityTools } from '../../src/capabilities/capability.ts';
import { formatUsd } from '../../src/capabilities/catalog.ts';
import { parseBody } from '../../src/capabilities/parse-body.ts';
import { sellConstant } from './constant-row.ts';
import { createMemoryBucket } from './bucket-worker.ts';

type FloorEnv = {
  Bindings: { PAYMENT_LEDGER: DurableObjectNamespace<PaymentLedger>; FACILITATOR_URL: string; PAY_TO: string };
  Variables: { sale: { key: string; ledger: DurableObjectStub<PaymentLedger> } };
};

const NETWORK = 'eip155:8453';
const PATH = '/api/agent/check_health';
/** A row of ours is as long. */
const ROW = 'r'.repeat(700);

const constantRow = sellConstant('check_health');
/** The constant audit uses none of them. */
const NO_TOOLS = {} as CapabilityTools;

/** The ledger that keeps no rule: a row and its state. */
export class PaymentLedger extends DurableObject {
  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    state.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, state INTEGER NOT NULL, row TEXT NOT NULL) WITHOUT ROWID',
    );
  }

  async claim(key: string): Promise<boolean> {
    this.ctx.storage.sql.exec('INSERT INTO rows VALUES (?, 1, ?)', key, ROW);
    return true;
  }

  async beginSettle(key: string): Promise<boolean> {
    this.ctx.storage.sql.exec('UPDATE rows SET state = 2 WHERE key = ?', key);
    return true;
  }

  async settled(key: string): Promise<boolean> {
    this.ctx.storage.sql.exec('UPDATE rows SET state = 3 WHERE key = ?', key);
    return true;
  }
}

const bucket = createMemoryBucket();
const app = new Hono<FloorEnv>();
let middleware: MiddlewareHandler | undefined;

app.get('/health', (c) => c.text('ok'));
app.use(async (c, next) => {
  if (c.req.header('payment-signature') === undefined) return next();
  const key = crypto.randomUUID();
  const ledger = c.env.PAYMENT_LEDGER.getByName(key.slice(0, 2));
  await ledger.claim(key);
  c.set('sale', { key, ledger });
  await next();
  await ledger.settled(key);
});
app.use((c, next) => (middleware ??= build(c.env))(c, next));
app.post(PATH, (c) => sell(c));

async function sell(c: Context<FloorEnv>): Promise<Response> {
  const parsed = parseBody(constantRow, await c.req.json());
  if (!parsed.ok) return c.json({ error: 'invalid_body' }, 400);
  const outcome = await constantRow.run(parsed.input, NO_TOOLS);
  if (!outcome.ok) return c.json({ error: outcome.reason }, 502);
  const { key, ledger } = c.get('sale');
  const reportId = key.replaceAll('-', '');
  const { result, warnings } = outcome;
  const about = { capability: constantRow.name, url: parsed.input['url'], report_id: reportId };
  const json = JSON.stringify({ ...about, ...result, warnings });
  await bucket.put(`reports/${reportId}.json`, json, { httpMetadata: { contentType: 'application/json' } });
  await ledger.beginSettle(key);
  return new Response(json, { headers: { 'content-type': 'application/json' } });
}

function build({ FACILITATOR_URL, PAY_TO }: FloorEnv['Bindings']): MiddlewareHandler {
  const price = `$${formatUsd(constantRow.priceMicroUsdc)}`;
  const accepts = { scheme: 'exact', price, network: NETWORK, payTo: PAY_TO } as const;
  const facilitator = new HTTPFacilitatorClient({ url: FACILITATOR_URL });
  return paymentMiddleware(
    { [`POST ${PATH}`]: { accepts, description: constantRow.summary, mimeType: 'application/json' } },
    new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmScheme()),
  );
}

export default app;
