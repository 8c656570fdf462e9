import * as z from 'zod';
import type { PlatformApi } from './api.ts';
import type { DeployCall, PlannedCall, PlannedStep } from './calls.ts';
import {
  type DeployRefusal,
  isPassingFailure,
  refuseByPlatform,
  refuseByWrangler,
  refuseDeploy,
  RUN_AGAIN,
} from './refusal.ts';

/** So often wrangler is started for one call, where the platform is busy. */
const MAX_STARTS = 3;
const RESTART_WAIT_MS = 2_000;

export type WranglerRun = {
  args: readonly string[];
  /** For standard input. */
  input?: string | undefined;
  files?: Readonly<Record<string, string>> | undefined;
};
/** How it ended. `output`: both streams, without colours. */
export type WranglerEnd = { code: number; output: string };

/** Whether this run still holds the lock. */
export type AskHeld = () => Promise<boolean>;

export type StepPorts = {
  api: PlatformApi;
  /** Address of the API, for messages. */
  apiBase: string;
  runWrangler: (run: WranglerRun) => Promise<WranglerEnd>;
  /** Runs a script of the clone with Node. */
  runScript: (script: string) => Promise<WranglerEnd>;
  /** The value of a setting; the same for every Worker of a run. */
  readSetting: (name: string) => string | undefined;
  askHeld: AskHeld;
  /** Whether a signal asked the run to end. */
  isStopped: () => boolean;
  wait: (ms: number) => Promise<void>;
  say: (event: DeployEvent) => void;
};

/** What a deployment says while it goes on. `did`: done in this run; `found`: was there. */
export type DeployEvent = {
  step: string;
  title: string;
  kind: 'found' | 'did' | 'would' | 'note' | 'doing';
  text: string;
};

/** What a step did, for the end of a run. `would`: the calls of a dry run. */
export type EndedStep = {
  id: string;
  title: string;
  found: readonly string[];
  did: readonly string[];
  would?: readonly string[];
};

/** Does the calls of each step in their order, and stops at the first that fails. */
export async function runSteps(
  steps: readonly PlannedStep[],
  ports: StepPorts,
): Promise<{ ok: true; ended: readonly EndedStep[] } | (DeployRefusal & { ended: readonly EndedStep[] })> {
  const ended: EndedStep[] = [];
  for (const step of steps) {
    const did: string[] = [];
    const say = (kind: DeployEvent['kind'], text: string): void =>
      ports.say({ step: step.id, title: step.title, kind, text });
    for (const text of step.found) say('found', text);
    for (const planned of step.calls) {
      say('doing', planned.doing);
      const failed = (await refuseToGoOn(planned, ports)) ?? (await runUnlessStopped(planned, ports));
      if (failed !== undefined) return { ...failed, ended: [...ended, { ...step, did }] };
      did.push(planned.did);
      say('did', planned.did);
    }
    ended.push({ id: step.id, title: step.title, found: step.found, did });
  }
  return { ok: true, ended };
}

async function refuseToGoOn(
  { doing }: PlannedCall,
  { askHeld, isStopped }: StepPorts,
): Promise<DeployRefusal | undefined> {
  if (isStopped()) return refuseDeploy('stopped', `Stopped before it could ${doing}.`, RUN_AGAIN);
  if (await askHeld()) return undefined;
  return refuseDeploy(
    'lock_lost',
    `Stopped before it could ${doing}: this run was away for too long, and another one may have taken over the deployment.`,
    'Wait until that run has ended, then run the same command again.',
  );
}

/** A signal ends what runs: what comes of that is no fault of the platform. */
async function runUnlessStopped(planned: PlannedCall, ports: StepPorts): Promise<DeployRefusal | undefined> {
  const failed = await runCall(planned, ports);
  if (failed === undefined || !ports.isStopped()) return failed;
  return refuseDeploy('stopped', `Stopped while it was to ${planned.doing}.`, RUN_AGAIN);
}

async function runCall({ call, doing }: PlannedCall, ports: StepPorts): Promise<DeployRefusal | undefined> {
  if (call.via === 'api') {
    const answer = await ports.api.send(call.method, call.path, call.body, z.unknown());
    return answer.ok ? undefined : refuseByPlatform(answer, doing);
  }
  if (call.via === 'node') {
    const { code, output } = await ports.runScript(call.script);
    if (code === 0) return undefined;
    const lines = output.trim().split('\n').slice(-10);
    return refuseDeploy('build_failed', `Could not ${doing}.`, `Run npm ci in this clone. ${RUN_AGAIN}`, lines);
  }
  return runWranglerCall(call, doing, ports);
}

async function runWranglerCall(
  { args, files, settings, doneBy = [] }: Extract<DeployCall, { via: 'wrangler' }>,
  doing: string,
  { runWrangler, readSetting, apiBase, isStopped, wait }: StepPorts,
): Promise<DeployRefusal | undefined> {
  let input: string | undefined;
  if (settings !== undefined) {
    const values = settings.map(({ name }) => [name, readSetting(name)] as const);
    input = JSON.stringify(Object.fromEntries(values));
  }
  for (let starts = 1; ; starts += 1) {
    const { code, output } = await runWrangler({ args, input, files });
    if (code === 0 || doneBy.some((known) => output.includes(`[code: ${known}]`))) return undefined;
    if (starts >= MAX_STARTS || isStopped() || !isPassingFailure(output))
      return refuseByWrangler(output, doing, apiBase);
    await wait(RESTART_WAIT_MS * starts);
  }
}
