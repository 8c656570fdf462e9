import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { kCurrentWorker } from 'miniflare';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/runner/longest-first.ts';

const workersTest = cloudflareTest({
  remoteBindings: false,
  main: './test/support/workers/worker.ts',
  wrangler: { configPath: './wrangler.toml' },
  miniflare: {
    cf: false,
    compatibilityFlags: ['global_fetch_strictly_public', 'enable_request_signal'],
    serviceBindings: { MODELS: { name: kCurrentWorker, entrypoint: 'Models' } },
    bindings: {
      BASE_URL: 'https://sightline.test',
      PAY_TO: '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c',
      RPC_URL: 'https://rpc.test',
      FACILITATOR_URL: 'https://facilitator.test',
      PAYMENTS_SINCE: '1700000000',
      LEDGER_SECRET: 'test-ledger-secret-of-32-bytes-or-more',
      ANSWER_ENGINE: 'simulated',
      WEBHOOK_URL: 'https://webhook.sightline.test',
      CONTROL_URL: 'https://control.sightline.test',
      OPERATOR_SECRET: 'test-operator-secret-of-43-base64url-chars-0123',
    },
    outboundService(request: { url: string }) {
      return new Response(`unmocked ${request.url}`, { status: 599 });
    },
  },
});

/** The control Worker by itself. Tokens are judged by a stand-in for the api Worker's entrypoint: see the file. */
const controlTest = cloudflareTest({
  remoteBindings: false,
  main: './test/support/workers/control-worker.ts',
  wrangler: { configPath: './wrangler.control.toml' },
  miniflare: {
    cf: false,
    serviceBindings: {
      AUTHORIZATION: { name: kCurrentWorker, entrypoint: 'TestAuthorization' },
      CONSOLE_ACCESS: { name: kCurrentWorker, entrypoint: 'TestConsoleAccess' },
      OPERATIONS: { name: kCurrentWorker, entrypoint: 'TestOperations' },
      CONSOLE_DESK: { name: kCurrentWorker, entrypoint: 'TestConsoleDesk' },
      PDF_READER: { name: kCurrentWorker, entrypoint: 'PdfReader' },
    },
    bindings: {
      BASE_URL: 'https://sightline.test',
      CONTROL_URL: 'https://control.sightline.test',
      EMULATOR: '1',
      OPERATOR_TENANT: 'C0000live',
    },
    outboundService(request: { url: string }) {
      return new Response(`unmocked ${request.url}`, { status: 599 });
    },
  },
});

/** The webhook Worker by itself. Tokens, operators' access and the directory are stand-ins: see the file. */
const webhookTest = cloudflareTest({
  remoteBindings: false,
  main: './test/support/workers/webhook-worker.ts',
  wrangler: { configPath: './wrangler.webhook.toml' },
  miniflare: {
    cf: false,
    serviceBindings: {
      AUTHORIZATION: { name: kCurrentWorker, entrypoint: 'TestAuthorization' },
      REVOCATION: { name: kCurrentWorker, entrypoint: 'TestRevocation' },
    },
    bindings: {
      BASE_URL: 'https://sightline.test',
      WEBHOOK_URL: 'https://webhook.sightline.test',
      CHANNEL_TOKEN_KEYS: '2:the-second-channel-secret-of-32-chars,1:the-first-channel-secret-of-32-characters',
      DIRECTORY_URL: 'https://directory.test',
      DIRECTORY_TOKEN: 'directory-token',
      DESTINATIONS: JSON.stringify([
        {
          name: 'audit',
          url: 'https://receiver.example.com/hooks',
          secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA=',
        },
      ]),
    },
    outboundService(request: { url: string }) {
      return new Response(`unmocked ${request.url}`, { status: 599 });
    },
  },
});

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // What a test that passes logs on purpose is noise.
    silent: 'passed-only',
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/routes/**',
            'test/durable-objects/**',
            'test/e2e/**',
            'test/conformance/**',
            'test/soak/**',
            'test/regexes.test.ts',
          ],
          // Modules are loaded once per worker, not once per file: nearly half of the time otherwise.
          isolate: false,
          // Together with the end-to-end tests, which wait more than they work.
          maxWorkers: 4,
          sequence: { groupOrder: 4 },
          testTimeout: 30_000,
        },
      },
      {
        test: {
          // It listens to every expression that is built while modules load, so they load for it alone.
          name: 'regexes',
          environment: 'node',
          include: ['test/regexes.test.ts'],
          maxWorkers: 4,
          sequence: { groupOrder: 4 },
          testTimeout: 30_000,
        },
      },
      {
        plugins: [workersTest],
        test: {
          name: 'workers',
          include: ['test/routes/**/*.test.ts', 'test/durable-objects/**/*.test.ts'],
          exclude: [
            'test/routes/control/**',
            'test/durable-objects/control/**',
            'test/routes/webhook/**',
            'test/durable-objects/webhook/**',
          ],
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          setupFiles: ['./test/support/workers/reset.ts', './test/support/workers/forget-shards.ts'],
          testTimeout: 30_000,
          deps: {
            optimizer: {
              ssr: { enabled: true, include: ['hono', 'hono/route', 'zod', 'viem', 'viem/utils', 'viem/actions'] },
            },
          },
        },
      },
      {
        plugins: [controlTest],
        test: {
          name: 'control',
          include: ['test/routes/control/**/*.test.ts', 'test/durable-objects/control/**/*.test.ts'],
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          setupFiles: ['./test/support/workers/reset.ts'],
          testTimeout: 30_000,
        },
      },
      {
        plugins: [webhookTest],
        test: {
          name: 'webhook',
          include: ['test/routes/webhook/**/*.test.ts', 'test/durable-objects/webhook/**/*.test.ts'],
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
          setupFiles: ['./test/support/workers/reset.ts', './test/support/workers/empty-registry.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          globalSetup: [
            './test/support/stack/build-cli.ts',
            './test/support/stack/shared-control-stack.ts',
            './test/support/stack/shared-browser.ts',
          ],
          environment: 'node',
          include: ['test/e2e/**/*.test.ts', 'test/conformance/**/*.test.ts'],
          // Telemetry has tests of its own, which switch it on: each line would be an entry in every stack.
          env: { TELEMETRY: 'none' },
          // As above; each file stops what it started.
          isolate: false,
          setupFiles: ['./test/support/runner/restore-env.ts'],
          // More than there are cores: most of them wait, for chains, leases and restarts.
          maxWorkers: 4,
          sequence: { groupOrder: 4 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
