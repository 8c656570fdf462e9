import { DurableObject } from 'cloudflare:workers';

type Env = {
  PAYMENT_LEDGER: DurableObjectNamespace<PaymentLedger>;
  REPORTS: R2Bucket;
  FREE_LIMIT: RateLimit;
  FAILED_PAYMENT_LIMIT: RateLimit;
  BASE_URL: string;
  PAY_TO: string;
  LOCAL_BLOCKED_PORTS: string;
};

/** A counter in SQLite: the smallest thing that shows whether state survives. */
export class PaymentLedger extends DurableObject<Env> {
  override async fetch(): Promise<Response> {
    const { sql } = this.ctx.storage;
    sql.exec('CREATE TABLE IF NOT EXISTS hits (n INTEGER)');
    sql.exec('INSERT INTO hits VALUES (1)');
    return Response.json({ hits: sql.exec<{ n: number }>('SELECT count(*) AS n FROM hits').one().n });
  }
}

const routes: Record<string, (env: Env, request: Request) => Promise<Response>> = {
  '/hit': (env, request) => env.PAYMENT_LEDGER.get(env.PAYMENT_LEDGER.idFromName('one')).fetch(request),
  '/base-url': async (env) => new Response(env.BASE_URL),
  '/api/agent/index': async (env) => Response.json({ payment: { payTo: env.PAY_TO }, capabilities: {} }),
  '/blocked-ports': async (env) => new Response(env.LOCAL_BLOCKED_PORTS),
  '/cf': async (_env, request) => Response.json({ country: request.cf?.country ?? null }),
  '/write': async (env) => {
    await env.REPORTS.put('report', 'kept');
    return new Response(null, { status: 204 });
  },
  '/read': async (env) => new Response((await (await env.REPORTS.get('report'))?.text()) ?? 'absent'),
  '/limited': async (env) =>
    new Response(null, { status: (await env.FAILED_PAYMENT_LIMIT.limit({ key: 'k' })).success ? 200 : 429 }),
  '/log': async () => {
    console.warn('a line from the Worker');
    return new Response(null, { status: 204 });
  },
};

export default {
  async fetch(request, env) {
    const route = routes[new URL(request.url).pathname];
    return route ? route(env, request) : new Response('no such route', { status: 404 });
  },
} satisfies ExportedHandler<Env>;
