import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Keeps a number, and has one of everything that our Workers bind. */
const STORE = `import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
export class Counter extends DurableObject {
  async add(n) {
    const sum = ((await this.ctx.storage.get('sum')) ?? 0) + n;
    await this.ctx.storage.put('sum', sum);
    return sum;
  }
}
const counter = (env, name) => env.COUNTER.get(env.COUNTER.idFromName(name));
export class Sums extends WorkerEntrypoint {
  read(name) { return counter(this.env, name).add(0); }
}
export default {
  async fetch(request, env) {
    const { pathname, hostname, protocol } = new URL(request.url);
    if (pathname === '/add') return Response.json(await counter(env, 'http').add(1));
    if (pathname === '/send') { await env.JOBS.send('job'); return new Response('sent'); }
    if (pathname === '/put') { await env.FILES.put('a', 'in the bucket'); return new Response('put'); }
    if (pathname === '/get') return new Response((await env.FILES.get('a'))?.body ?? 'nothing');
    if (pathname === '/limit') return Response.json(await env.LIMIT.limit({ key: 'a' }));
    if (pathname === '/outside') return fetch('https://outside.example/page');
    return Response.json({ version: VERSION, secret: env.SECRET ?? null, hostname, protocol });
  },
  async queue(batch, env) { await counter(env, 'queue').add(batch.messages.length); },
  async scheduled(_, env) { await counter(env, 'cron').add(1); },
};
`;

const CALLER = `export default {
  async fetch(request, env) {
    const own = await fetch('https://toy-store.tester.workers.dev/');
    const names = ['http', 'queue', 'cron'];
    const sums = await Promise.all(names.map((name) => env.SUMS.read(name)));
    return Response.json({ ...Object.fromEntries(names.map((name, i) => [name, sums[i]])), own: await own.json() });
  },
};
`;

const STORE_TOML = `name = "toy-store"
main = "store.js"
compatibility_date = "2026-10-20"
send_metrics = false
workers_dev = true
triggers = { crons = ["* * * * *"] }
limits = { cpu_ms = 1000 }
[assets]
directory = "public"
binding = "ASSETS"
html_handling = "none"
run_worker_first = ["/add", "/get"]
[[durable_objects.bindings]]
name = "COUNTER"
class_name = "Counter"
[[migrations]]
tag = "v1"
new_sqlite_classes = ["Counter"]
[[queues.producers]]
binding = "JOBS"
queue = "toy-jobs"
[[queues.consumers]]
queue = "toy-jobs"
max_batch_size = 1
max_batch_timeout = 0
dead_letter_queue = "toy-dead"
[[r2_buckets]]
binding = "FILES"
bucket_name = "toy-files"
[[ratelimits]]
name = "LIMIT"
namespace_id = "1"
simple = { limit = 1, period = 60 }
`;

const CALLER_TOML = `name = "toy-caller"
main = "caller.js"
compatibility_date = "2026-10-20"
send_metrics = false
workers_dev = true
[[services]]
binding = "SUMS"
service = "toy-store"
entrypoint = "Sums"
`;

/** Two small Workers in a folder, which wrangler uploads in a second. */
export type ToyProject = {
  readonly folder: string;
  /** Writes a file; `change` gets what is there. */
  readonly write: (name: keyof typeof FILES, change: (text: string) => string) => void;
  readonly remove: () => void;
};

const FILES = {
  'store.js': STORE.replace('VERSION', '1'),
  'caller.js': CALLER,
  'store.toml': STORE_TOML,
  'caller.toml': CALLER_TOML,
  'public/page.txt': 'a static page',
} as const;

export function createToyProject(): ToyProject {
  const folder = mkdtempSync(join(tmpdir(), 'toy-project-'));
  const texts = new Map<string, string>(Object.entries(FILES));
  const write = (name: string, text: string): void => {
    texts.set(name, text);
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of texts) write(name, text);
  return {
    folder,
    write: (name, change) => write(name, change(texts.get(name) ?? '')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
