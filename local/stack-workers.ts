import { type Request, Response } from 'miniflare';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ResolveName } from '../src/cli/core/node-fetch.ts';
import { PDF_OWNER_HEADER } from '../src/search/pdf/reader.ts';
import { createLocalBrowsers } from './browser-service.ts';
import { TENANT } from './operator.ts';
import { answerMails } from './mail/mail-page.ts';
import { createLocalPdfs, type LocalPdfs } from './pdf/pdf-service.ts';
import { LOOPBACK } from './ports.ts';
import { type BesideWorker, type LocalWorker, startWorker, type WorkerLog } from './worker.ts';
import { CONTROL_RESOURCES, WEBHOOK_RESOURCES } from './worker-resources-data.ts';

const API_ENTRY = fileURLToPath(new URL('api-worker.ts', import.meta.url));
const CONTROL_ENTRY = fileURLToPath(new URL('control-worker.ts', import.meta.url));
const WEBHOOK_ENTRY = fileURLToPath(new URL('webhook-worker.ts', import.meta.url));
const API_NAME = 'sightline-api';
const WEBHOOK_NAME = 'sightline-webhook';
const SECRET_BYTES = 32;
/** Nothing is sent: mails become files. */
const MAIL_FROM = 'monitors@sightline.example';
const SIGN_IN_MAIL_FROM = 'sign-in@sightline.example';
/** The Workers write their logs and spans to the control Worker, unless the environment says `none`. */
const getTelemetryDestination = (): string => (process.env['TELEMETRY'] === 'none' ? 'none' : 'control');

/** What a stack runs instead of its own entries, and adds to their settings. */
export type WorkerChoices = {
  /** Entry module of the api Worker; the local stack's own when absent. */
  entry?: string;
  /** Entry module of the control Worker. Absent: the local stack's own, and none at all beside an api entry of the caller's. */
  controlEntry?: string;
  /** The same of the webhook Worker. */
  webhookEntry?: string;
  log?: WorkerLog;
  /** Resolves names that the Workers read; the system's resolver when absent. */
  resolve?: ResolveName;
  /** Gives the api Worker a browser: Chromium of this machine. Audits with scores render the start page then. */
  render?: boolean;
  /** Text bindings of the api Worker that are added or replaced. */
  bindings?: Record<string, string>;
  /** The same of the control Worker. */
  controlBindings?: Record<string, string>;
  /** The same of the webhook Worker. */
  webhookBindings?: Record<string, string>;
};

export type WorkersSettings = WorkerChoices & {
  /** Without a port for it there is no webhook Worker. */
  ports: { api: number; control: number; webhook?: number };
  /** Folder of the state. */
  persistTo: string;
  /** Ports of the stack that no Worker may read for someone else (rule F3). */
  blockedPorts: readonly number[];
  /** The key file that the webhook Worker reads the directory with; undefined while there is none. */
  directoryKey?: () => string | undefined;
};

export type StackWorkers = {
  api: LocalWorker;
  /** Origin of the control Worker, which lives in the same process as the api; undefined where the stack has none. */
  controlUrl: string | undefined;
  /** The same of the webhook Worker. */
  webhookUrl: string | undefined;
  /** Does what the webhook Worker's cron trigger does each minute. @throws Error when that fails */
  webhookCron: () => Promise<void>;
  /** The same of the api Worker, more often than deployed; undefined where its entry is the caller's. */
  apiCron: (() => Promise<void>) | undefined;
};

/** Starts the Workers in one workerd: the others ask the api Worker about tokens over a service binding. */
export async function startWorkers(settings: WorkersSettings): Promise<StackWorkers> {
  const { ports, entry, log, resolve } = settings;
  const pdfs = createLocalPdfs();
  const browsers = createLocalBrowsers(process.env);
  const control = buildControlWorker(settings, pdfs);
  const webhook = buildWebhookWorker(settings);
  const beside = [control, webhook].filter((worker) => worker !== undefined);
  const api = await startWorker({
    entry: entry ?? API_ENTRY,
    port: ports.api,
    persistTo: settings.persistTo,
    blockedPorts: [...settings.blockedPorts, ...beside.map(({ port }) => port)],
    bindings: {
      BASE_URL: formatNamedOrigin(ports.api),
      MONITOR_MAIL_FROM: MAIL_FROM,
      SIGN_IN_MAIL_FROM,
      ...(control === undefined
        ? {}
        : { CONTROL_URL: formatOrigin(ports.control), EMULATOR: '1', TELEMETRY: getTelemetryDestination() }),
      ...(webhook === undefined ? {} : { WEBHOOK_URL: formatOrigin(webhook.port) }),
      ...settings.bindings,
    },
    beside,
    // Reports are printed here as they are where a browser is bound.
    services: {
      LOCAL_MAILS: async () => answerMails(settings.persistTo),
      PDF_BROWSER: browsers.answer,
      ...(settings.render === true ? { BROWSER: browsers.answer } : {}),
    },
    ...(log === undefined ? {} : { logs: log }),
    ...(resolve === undefined ? {} : { resolve }),
  });
  return {
    api: {
      ...api,
      url: settings.bindings?.['BASE_URL'] === undefined ? formatNamedOrigin(ports.api) : api.url,
      stop: () => Promise.all([api.stop(), pdfs.stop(), browsers.stop()]).then(() => undefined),
    },
    controlUrl: control && formatOrigin(ports.control),
    webhookUrl: webhook && formatOrigin(webhook.port),
    webhookCron: () => api.cron(WEBHOOK_NAME),
    apiCron: entry === undefined ? () => api.cron(API_NAME) : undefined,
  };
}

/** Pushes to loopback, and so to the webhook Worker, but to nothing else of the stack. */
function buildControlWorker(settings: WorkersSettings, pdfs: LocalPdfs): BesideWorker | undefined {
  const { ports, entry, controlEntry } = settings;
  if (controlEntry === undefined && entry !== undefined) return undefined;
  return {
    name: 'sightline-control',
    entry: controlEntry ?? CONTROL_ENTRY,
    port: ports.control,
    blockedPorts: [...settings.blockedPorts, ports.api, ports.control],
    bindings: {
      BASE_URL: formatNamedOrigin(ports.api),
      CONTROL_URL: formatOrigin(ports.control),
      ...(ports.webhook === undefined ? {} : { WEBHOOK_URL: formatOrigin(ports.webhook) }),
      EMULATOR: 'all',
      BATCH_FULL_URLS: 'own-origin',
      OPERATOR_TENANT: TENANT.customerId,
      OPERATOR_PROJECT: TENANT.project,
      TELEMETRY: getTelemetryDestination(),
      ...readChatEngineSettings(process.env),
      ...settings.controlBindings,
    },
    resources: CONTROL_RESOURCES,
    services: { PDF_READER: async (request) => answerPdf(request, pdfs) },
  };
}

/** Its directory is the control Worker's, unless the caller names another; its secrets are made at each start. */
function buildWebhookWorker(settings: WorkersSettings): BesideWorker | undefined {
  const { ports, entry, controlEntry, webhookEntry, directoryKey } = settings;
  const { webhook: port } = ports;
  if (port === undefined || (webhookEntry === undefined && entry !== undefined)) return undefined;
  return {
    name: WEBHOOK_NAME,
    entry: webhookEntry ?? WEBHOOK_ENTRY,
    port,
    blockedPorts: [...settings.blockedPorts, ports.api, ports.control, port],
    bindings: {
      BASE_URL: formatNamedOrigin(ports.api),
      WEBHOOK_URL: formatOrigin(port),
      CHANNEL_TOKEN_KEYS: `1:${randomBytes(SECRET_BYTES).toString('base64url')}`,
      DIRECTORY_URL: formatOrigin(ports.control),
      ...(entry === undefined || controlEntry !== undefined ? { TELEMETRY: getTelemetryDestination() } : {}),
      ...settings.webhookBindings,
    },
    resources: WEBHOOK_RESOURCES,
    ...(directoryKey === undefined ? {} : { texts: { LOCAL_DIRECTORY_KEY: directoryKey } }),
  };
}

/** Answers as `PdfReader` of src/pdf-worker.ts does; what ended has no answer there either. */
async function answerPdf(request: Request, pdfs: LocalPdfs): Promise<Response> {
  const owner = request.headers.get(PDF_OWNER_HEADER) ?? '';
  const answer = await pdfs.read(new Uint8Array(await request.arrayBuffer()), owner);
  return answer.ok ? Response.json(answer.read) : new Response(answer.reason, { status: 503 });
}

const formatOrigin = (port: number): string => `http://${LOOPBACK}:${port}`;

/** Of the api Worker, whose pages take passkeys: those belong to a name, never to an address. Its socket is on the same loopback. */
const formatNamedOrigin = (port: number): string => `http://localhost:${port}`;

/** Settings of the api Worker, in addition to those of its answer engine, that the environment of the stack may choose. */
export const OWN_SETTINGS = [
  'CONTACT_EMAIL',
  'OPERATOR_IDENTITIES',
  'BOT_SIGNING_KEY',
  'MCP_ALLOWED_ORIGINS',
  'TRANSFER_MAX_AGE_S',
  'REQUIRE_PAYER_PROOF_ABOVE_USD',
  'UNPAID_ENGINE_USD_PER_HOUR',
  'MONITOR_FREE_HOSTS',
  'MONITOR_FREE_ENGINE_USD_PER_DAY',
] as const;

/**
 * What the stack takes from its environment for the api Worker. No model can be shipped, so a simulated one is used
 * where none is named. A Worker reads no files: the transcripts that ANSWER_ENGINE_FILE names go along as text.
 */
export function readOwnSettings(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isOwn = (name: string): boolean =>
    /^(ANSWER_|VISIBILITY_)/.test(name) || OWN_SETTINGS.some((own) => own === name);
  const given = Object.entries(environment).flatMap(([name, value]) =>
    isOwn(name) && value !== undefined ? [[name, value] as const] : [],
  );
  const transcripts = environment['ANSWER_ENGINE_FILE'];
  const recording = transcripts === undefined ? {} : { ANSWER_ENGINE_RECORDING: readFileSync(transcripts, 'utf8') };
  return { ANSWER_ENGINE: 'simulated', ...Object.fromEntries(given), ...recording };
}

/**
 * The same for chats and vectors of the control Worker, whose chats cost nothing as long as no engine is named; and where
 * telemetry goes besides.
 */
function readChatEngineSettings(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(environment).flatMap(([name, value]) =>
    CONTROL_VARIABLES.has(name) && value !== undefined ? [[name, value] as const] : [],
  );
  const free = environment['ANSWER_ENGINE'] === undefined ? { CHAT_USD: '0' } : {};
  return { ANSWER_ENGINE: 'simulated', ...free, ...Object.fromEntries(given) };
}

const CONTROL_VARIABLES: ReadonlySet<string> = new Set([
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'ANSWER_ENGINE',
  'ANSWER_ENGINE_URL',
  'ANSWER_ENGINE_MODEL',
  'ANSWER_ENGINE_KEY',
  'ANSWER_ENGINE_MAX_TOKENS',
  'CHAT_USD',
  'UNPAID_ENGINE_USD_PER_HOUR',
  'EMBEDDING_ENGINE',
  'EMBEDDING_ENGINE_URL',
  'EMBEDDING_ENGINE_MODEL',
  'EMBEDDING_ENGINE_KEY',
]);
