import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LOOPBACK } from './ports.ts';
import { type BesideWorker, type LocalWorker, startWorker, type WorkerLog } from './worker.ts';
import { CONTROL_RESOURCES } from './worker-resources-data.ts';

const API_ENTRY = fileURLToPath(new URL('api-worker.ts', import.meta.url));
const CONTROL_ENTRY = fileURLToPath(new URL('control-worker.ts', import.meta.url));

/** What a stack runs instead of its own entries, and adds to their settings. */
export type WorkerChoices = {
  /** Entry module of the api Worker; the local stack's own when absent. */
  entry?: string;
  /** Entry module of the control Worker. Absent: the local stack's own, and none at all beside an api entry of the caller's. */
  controlEntry?: string;
  log?: WorkerLog;
  /** Text bindings of the api Worker that are added or replaced. */
  bindings?: Record<string, string>;
  /** The same of the control Worker. */
  controlBindings?: Record<string, string>;
};

export type WorkersSettings = WorkerChoices & {
  ports: { api: number; control: number };
  /** Folder of the state. */
  persistTo: string;
  /** Ports of the stack that no Worker may read for somebody else (rule F3). */
  blockedPorts: readonly number[];
};

export type StackWorkers = {
  api: LocalWorker;
  /** Origin of the control Worker, which lives in the same process as the api; undefined where the stack has none. */
  controlUrl: string | undefined;
};

/** Starts the Workers in one workerd: control asks the api Worker about tokens over a service binding. */
export async function startWorkers(settings: WorkersSettings): Promise<StackWorkers> {
  const { ports, entry, log } = settings;
  const control = controlWorker(settings);
  const api = await startWorker({
    entry: entry ?? API_ENTRY,
    port: ports.api,
    persistTo: settings.persistTo,
    blockedPorts: [...settings.blockedPorts, ...(control === undefined ? [] : [ports.control])],
    bindings: {
      BASE_URL: originOf(ports.api),
      ...(control === undefined ? {} : { CONTROL_URL: originOf(ports.control), EMULATOR: '1' }),
      ...settings.bindings,
    },
    ...(control === undefined ? {} : { beside: [control] }),
    ...(log === undefined ? {} : { logs: log }),
  });
  return { api, controlUrl: control && originOf(ports.control) };
}

function controlWorker(settings: WorkersSettings): BesideWorker | undefined {
  const { ports, entry, controlEntry } = settings;
  if (controlEntry === undefined && entry !== undefined) return undefined;
  return {
    name: 'sightline-control',
    entry: controlEntry ?? CONTROL_ENTRY,
    port: ports.control,
    blockedPorts: [...settings.blockedPorts, ports.api, ports.control],
    bindings: {
      BASE_URL: originOf(ports.api),
      CONTROL_URL: originOf(ports.control),
      EMULATOR: '1',
      ...settings.controlBindings,
    },
    resources: CONTROL_RESOURCES,
  };
}

const originOf = (port: number): string => `http://${LOOPBACK}:${port}`;

/**
 * The settings of the answer engine are the one thing that the stack takes from its environment; no model can be
 * shipped, so one that is simulated stands in. A Worker reads no files: the transcripts that ANSWER_ENGINE_FILE names
 * go along as text.
 */
export function answerEngineOf(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(environment).flatMap(([name, value]) =>
    /^(ANSWER_|VISIBILITY_)/.test(name) && value !== undefined ? [[name, value] as const] : [],
  );
  const transcripts = environment['ANSWER_ENGINE_FILE'];
  const recording = transcripts === undefined ? {} : { ANSWER_ENGINE_RECORDING: readFileSync(transcripts, 'utf8') };
  return { ANSWER_ENGINE: 'simulated', ...Object.fromEntries(given), ...recording };
}
