import { accountIn, ACCOUNT_FLAGS, ACCOUNT_BLOCKS, missingAccounts } from '../core/accounts.ts';
import type { MigrateOptions } from '../core/options.ts';
import { entryAt, type Overrides, versionOf, type VirtualHost } from '../core/overrides.ts';
import { problem, type Problem } from '../core/problem.ts';
import { entryOf, isEmpty, plainVariables, textIn } from '../core/tree.ts';
import { against } from './instance.ts';

/** Each virtual host has a secret, or a certificate with its key. */
export const certificateProblems = ({ source, virtualHosts }: Overrides): readonly Problem[] =>
  virtualHosts.flatMap(({ map, name, place }: VirtualHost) => {
    const has = (key: string): boolean => textIn(source, entryOf(source, map, key)) !== undefined;
    const [secret, certificate, key] = [has('sslSecret'), has('sslCertPath'), has('sslKeyPath')];
    const isRight = secret ? !certificate && !key : certificate && key;
    if (isRight) return [];
    const seen = [
      ...(secret ? ['sslSecret'] : []),
      ...(certificate ? ['sslCertPath'] : []),
      ...(key ? ['sslKeyPath'] : []),
    ];
    const message = `This virtual host has ${seen.length === 0 ? 'neither a secret nor a certificate' : seen.join(' and ')}.`;
    return [problem('certificates', name?.place ?? place, message)];
  });

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'on']);

/** Connect runs in every 1.3 installation. */
export function connectProblems(overrides: Overrides, { enableConnect = false }: MigrateOptions): readonly Problem[] {
  const enabled = entryAt(overrides, 'connectAgent', 'enabled');
  const isOn = enabled === undefined || YES.has(textIn(overrides.source, enabled)?.value.toLowerCase() ?? '');
  const connect = accountIn(overrides, 'connectAgent');
  const mart = accountIn(overrides, 'mart');
  const secret = entryAt(overrides, 'mart', 'sslSecret');
  const differs = connect && mart && plainVariables(connect.text.value) !== plainVariables(mart.text.value);
  return [
    ...(isOn || enableConnect ? [] : [problem('connect-disabled', enabled.place, 'Connect is not switched on here.')]),
    ...(secret ? [problem('mart-secret-unused', secret.place, 'MART has a secret for an ingress of its own.')] : []),
    ...(differs ? [problem('connect-account-differs', connect.text.place, 'Its account is not that of `mart`.')] : []),
  ];
}

/** Accounts that 1.3 requires: those of a 1.3 file must be there, others are proposed. */
export function accountProblems(overrides: Overrides, options: MigrateOptions): readonly Problem[] {
  const { org, orgPlace, entries } = overrides;
  if (org === undefined) return [];
  const missing = missingAccounts(overrides, options);
  const contradicted = ACCOUNT_BLOCKS.flatMap((block) =>
    against(accountIn(overrides, block)?.text, options[ACCOUNT_FLAGS[block].option], ACCOUNT_FLAGS[block].flag),
  );
  if (versionOf(overrides) === '1.3')
    return missing.map(({ block }) =>
      problem('missing-key', entries.get(block)?.place ?? orgPlace, `\`${block}\` has no service account.`),
    );
  return [
    ...contradicted,
    ...missing.flatMap(({ block, flag, proposal }) => {
      const place = entries.get(block)?.place ?? entries.get('mart')?.place ?? orgPlace;
      if (proposal === undefined)
        return [
          problem(
            'service-account-missing',
            place,
            `There is no account for \`${block}\`, and none of \`mart\`.`,
            `Give it with ${flag}.`,
          ),
        ];
      const message = `The account of \`${block}\` is proposed to be that of \`mart\`, whose name tells no role.`;
      return proposal.isDerived ? [] : [problem('account-not-derived', place, message, `Give another with ${flag}.`)];
    }),
  ];
}

/** Lists without which there is no group or no environment. */
export function requiredLists({ org, orgPlace, entries, virtualHosts, environments }: Overrides): readonly Problem[] {
  if (org === undefined) return [];
  const missing = (key: string, what: string): Problem => {
    const entry = entries.get(key);
    const message = entry && !isEmpty(entry) ? `\`${key}\` has ${what}.` : `There is no \`${key}\`: ${what}.`;
    return problem('missing-key', entry?.place ?? orgPlace, message);
  };
  return [
    ...(virtualHosts.length === 0
      ? [missing('virtualhosts', 'no virtual host, and 1.3 needs an environment group')]
      : []),
    ...(environments.length === 0 ? [missing('envs', 'no environment')] : []),
  ];
}
