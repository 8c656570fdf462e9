import { findBlockServiceAccount, ACCOUNT_FLAGS, ACCOUNT_BLOCKS, listMissingAccounts } from '../core/accounts.ts';
import type { MigrateOptions } from '../core/options.ts';
import { findBlockEntry, type Overrides, detectOverridesVersion, type VirtualHost } from '../core/overrides.ts';
import { buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import { findMapEntry, isEmpty, normaliseVariables, readEntryText } from '../core/tree.ts';
import { findFlagContradiction } from './instance.ts';

/** Each virtual host has a secret, or a certificate with its key. */
export const findCertificateProblems = ({ source, virtualHosts }: Overrides): readonly OverridesProblem[] =>
  virtualHosts.flatMap(({ map, name, place }: VirtualHost) => {
    const has = (key: string): boolean => readEntryText(source, findMapEntry(source, map, key)) !== undefined;
    const [secret, certificate, key] = [has('sslSecret'), has('sslCertPath'), has('sslKeyPath')];
    const isRight = secret ? !certificate && !key : certificate && key;
    if (isRight) return [];
    const seen = [
      ...(secret ? ['sslSecret'] : []),
      ...(certificate ? ['sslCertPath'] : []),
      ...(key ? ['sslKeyPath'] : []),
    ];
    const message = `This virtual host has ${seen.length === 0 ? 'neither a secret nor a certificate' : seen.join(' and ')}.`;
    return [buildOverridesProblem('certificates', name?.place ?? place, message)];
  });

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'on']);

/** Connect runs in every 1.3 installation. */
export function connectProblems(
  overrides: Overrides,
  { enableConnect = false }: MigrateOptions,
): readonly OverridesProblem[] {
  const enabled = findBlockEntry(overrides, 'connectAgent', 'enabled');
  const isOn = enabled === undefined || YES.has(readEntryText(overrides.source, enabled)?.value.toLowerCase() ?? '');
  const connect = findBlockServiceAccount(overrides, 'connectAgent');
  const mart = findBlockServiceAccount(overrides, 'mart');
  const secret = findBlockEntry(overrides, 'mart', 'sslSecret');
  const differs = connect && mart && normaliseVariables(connect.text.value) !== normaliseVariables(mart.text.value);
  return [
    ...(isOn || enableConnect
      ? []
      : [buildOverridesProblem('connect-disabled', enabled.place, 'Connect is not switched on here.')]),
    ...(secret
      ? [buildOverridesProblem('mart-secret-unused', secret.place, 'MART has a secret for an ingress of its own.')]
      : []),
    ...(differs
      ? [buildOverridesProblem('connect-account-differs', connect.text.place, 'Its account is not that of `mart`.')]
      : []),
  ];
}

/** Accounts that 1.3 requires: those of a 1.3 file must be there, others are proposed. */
export function findAccountProblems(overrides: Overrides, options: MigrateOptions): readonly OverridesProblem[] {
  const { org, orgPlace, entries } = overrides;
  if (org === undefined) return [];
  const missing = listMissingAccounts(overrides, options);
  const contradicted = ACCOUNT_BLOCKS.flatMap((block) =>
    findFlagContradiction(
      findBlockServiceAccount(overrides, block)?.text,
      options[ACCOUNT_FLAGS[block].option],
      ACCOUNT_FLAGS[block].flag,
    ),
  );
  if (detectOverridesVersion(overrides) === '1.3')
    return missing.map(({ block }) =>
      buildOverridesProblem(
        'missing-key',
        entries.get(block)?.place ?? orgPlace,
        `\`${block}\` has no service account.`,
      ),
    );
  return [
    ...contradicted,
    ...missing.flatMap(({ block, flag, proposal }) => {
      const place = entries.get(block)?.place ?? entries.get('mart')?.place ?? orgPlace;
      if (proposal === undefined)
        return [
          buildOverridesProblem(
            'service-account-missing',
            place,
            `There is no account for \`${block}\`, and none of \`mart\`.`,
            `Give it with ${flag}.`,
          ),
        ];
      const message = `The account of \`mart\` is proposed for \`${block}\`, because its name does not show a role.`;
      return proposal.isDerived
        ? []
        : [buildOverridesProblem('account-not-derived', place, message, `Give another with ${flag}.`)];
    }),
  ];
}

/** Lists without which there is no group or no environment. */
export function findMissingLists({
  org,
  orgPlace,
  entries,
  virtualHosts,
  environments,
}: Overrides): readonly OverridesProblem[] {
  if (org === undefined) return [];
  const missing = (key: string, what: string): OverridesProblem => {
    const entry = entries.get(key);
    const message = entry && !isEmpty(entry) ? `\`${key}\` has ${what}.` : `There is no \`${key}\`: ${what}.`;
    return buildOverridesProblem('missing-key', entry?.place ?? orgPlace, message);
  };
  return [
    ...(virtualHosts.length === 0
      ? [missing('virtualhosts', 'no virtual host, and 1.3 needs an environment group')]
      : []),
    ...(environments.length === 0 ? [missing('envs', 'no environment')] : []),
  ];
}
