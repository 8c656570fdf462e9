import type { CheckPorts, CheckReport, WorkerAddresses } from '../../deploy/checks/check.ts';
import { runSmokeTest } from '../../deploy/checks/run.ts';
import { createCheckPorts } from '../doctor/check-ports.ts';

/** A new address takes some time until it answers everywhere: so often it is asked, and so long apart. */
const MAX_LOOKS = 24;
const LOOK_EVERY_MS = 5_000;
/** What is bought on a test network. */
const SITE = 'https://example.com/';

export type SmokeOrder = {
  addresses: WorkerAddresses;
  operatorSecret: string | undefined;
  payTo: string | undefined;
  network: string | undefined;
  /** Settings that the deployment may have otherwise, since this run did not set them. */
  kept: ReadonlySet<string>;
  isSecretKept: boolean;
  version: string;
  /** Whether a new address may still be unknown to the network. */
  isNew: boolean;
  /** Whether one result is bought. */
  isBuying: boolean;
};

/** Asks a deployment from outside, as its users do. @param resolve where hosts answer that are a stand-in's */
export async function checkDeployment(
  { addresses, operatorSecret, isSecretKept, payTo, network, kept, version, isNew, isBuying }: SmokeOrder,
  resolve: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckReport> {
  const ports = createCheckPorts(resolve);
  if (isNew) await awaitAddresses(addresses, ports);
  const buy = async () => (await import('../doctor/purchase.ts')).tryPurchase(addresses.api, SITE, env);
  return runSmokeTest(
    { addresses, expected: { network, payTo, kept, version } },
    { ...ports, operatorSecret, isSecretKept, ...(isBuying ? { buy } : {}) },
  );
}

async function awaitAddresses(
  addresses: WorkerAddresses,
  { ask, wait }: Pick<CheckPorts, 'ask' | 'wait'>,
): Promise<void> {
  const origins = Object.values(addresses).flatMap((origin) => origin ?? []);
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const answers = await Promise.all(
      origins.map(async (origin) => {
        try {
          return (await ask(`${origin}/health`)).status;
        } catch {
          return 0; // No answer yet.
        }
      }),
    );
    if (answers.every((status) => status === 200)) return;
    await wait(LOOK_EVERY_MS);
  }
}
