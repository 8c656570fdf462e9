import type { SettingChange } from './secrets.ts';

/** One thing that a deployment does at the platform or on this machine. */
export type DeployCall =
  | {
      via: 'wrangler';
      args: readonly string[];
      /** Files that it reads, by the name that `args` has with an @ before it. None has a secret. */
      files?: Readonly<Record<string, string>>;
      /** Settings that go to its standard input. */
      settings?: readonly SettingChange[];
      /** Codes of the platform that mean: done already. */
      doneBy?: readonly number[];
    }
  | { via: 'api'; method: 'PUT'; path: string; body: unknown }
  | { via: 'node'; script: string };

export type PlannedCall = {
  call: DeployCall;
  /** What it is about, for a failure: `make the queue sightline-push`. */
  doing: string;
  /** What is true afterwards. */
  did: string;
};

export type PlannedStep = {
  /** Stable: `queues`, `worker:api`. */
  id: string;
  title: string;
  /** What is there already. */
  found: readonly string[];
  calls: readonly PlannedCall[];
};

/** Settings that steps give to Workers. */
export const listGivenSettings = (steps: readonly PlannedStep[]): readonly SettingChange[] =>
  steps.flatMap(({ calls }) => calls.flatMap(({ call }) => (call.via === 'wrangler' ? (call.settings ?? []) : [])));

/** A call as `--dry-run` shows it. Values of settings are in none. */
export function formatCall(call: DeployCall): string {
  if (call.via === 'node') return `node ${call.script}`;
  if (call.via === 'api') return `${call.method} ${call.path} ${JSON.stringify(call.body)}`;
  const files = Object.entries(call.files ?? {}).map(
    ([name, text]) => `  with ${name}: ${text.trim().replaceAll('\n', ' ')}`,
  );
  const settings = (call.settings ?? []).map(({ name, from }) => `${name} (${from})`).join(', ');
  return [
    `npx wrangler ${call.args.map(quoteWord).join(' ')}`,
    ...files,
    ...(settings === '' ? [] : [`  with standard input: ${settings}; values are not shown`]),
  ].join('\n');
}

const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
