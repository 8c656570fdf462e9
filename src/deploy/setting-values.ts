import type { PlatformAccount } from './account.ts';
import { listGivenSettings, type PlannedStep } from './calls.ts';
import type { DeployEnvironment } from './configuration.ts';
import { type DeployRefusal, refuseDeploy } from './refusal.ts';
import { isHandedOver, makeSetting, type MakingPorts } from './secrets.ts';
import { deploySettings } from './settings-data.ts';

/** Secrets that are made are written into a file of the operator before the platform gets them, so that no break loses one. */
export type HandOverPorts = {
  /** What the file of this deployment has, or nothing. */
  readHandedOver: (of: {
    env: DeployEnvironment;
    accountId: string;
  }) => Promise<{ ok: true; values: ReadonlyMap<string, string> } | DeployRefusal>;
  /** Writes the file, mode 0600, outside git. @returns where it is */
  writeHandedOver: (
    of: { env: DeployEnvironment; accountId: string },
    values: ReadonlyMap<string, string>,
  ) => Promise<{ ok: true; file: string } | DeployRefusal>;
};

export type KnownSettings = {
  order: { env: DeployEnvironment; settings: ReadonlyMap<string, string> };
  account: PlatformAccount;
  asked: ReadonlyMap<string, string>;
  addresses: ReadonlyMap<string, string>;
};

/** Values of the settings of a run. Each is made once, whatever number of Workers gets it. */
export function createSettingValues(
  known: KnownSettings,
  ports: HandOverPorts & MakingPorts & { judgeSettings: (values: ReadonlyMap<string, string>) => readonly string[] },
) {
  const made = new Map<string, string>();
  let kept: ReadonlyMap<string, string> = new Map();
  const of = { env: known.order.env, accountId: known.account.id };
  const read = (name: string): string | undefined =>
    known.order.settings.get(name) ??
    known.asked.get(name) ??
    known.addresses.get(name) ??
    made.get(name) ??
    kept.get(name);
  return {
    read,
    /** Makes what the steps need, and hands it to the operator first. */
    async handOver(steps: readonly PlannedStep[]): Promise<{ ok: true; file: string | undefined } | DeployRefusal> {
      const stored = await ports.readHandedOver(of);
      if (!stored.ok) return stored;
      kept = stored.values;
      const faults = ports.judgeSettings(kept);
      if (faults.length > 0)
        return refuseDeploy(
          'secrets_file_unusable',
          'The file of secrets that an earlier run made was changed, and cannot be used.',
          'Put the values back from your password manager, or move the file away. Nothing was changed.',
          faults,
        );
      const names = new Set(
        listGivenSettings(steps)
          .filter(({ from }) => from === 'made')
          .map(({ name }) => name),
      );
      for (const { name, made: how } of deploySettings)
        // One that an earlier run wrote down and could not set is taken again: it may be in a password manager already.
        if (how !== undefined && names.has(name) && !kept.has(name)) made.set(name, makeSetting(how, ports));
      const toKeep = deploySettings.filter((one) => isHandedOver(one) && names.has(one.name));
      if (toKeep.length === 0) return { ok: true, file: undefined };
      const values = new Map(toKeep.flatMap(({ name }) => [[name, read(name) ?? ''] as const]));
      return ports.writeHandedOver(of, new Map([...kept, ...values]));
    },
  };
}
