import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeCluster } from './fake-cluster.ts';

/**
 * Body of a gcloud with the accounts and roles of a project, one a line in files beside the folder. Like the real one it
 * takes no role away that an account does not have. A file `cut-off` breaks the connection after a deletion, a file
 * `no-accounts` before a list.
 */
export const GCLOUD_OF_PROJECT = `case "$2 $3" in
'service-accounts list'*) [ ! -e ../no-accounts ] && jq -s 'map({email: .})' < ../accounts;;
'service-accounts describe') grep -qxF "\\"$4\\"" ../accounts;;
'service-accounts create') echo "\\"$4@acme-project.iam.gserviceaccount.com\\"" >> ../accounts;;
'service-accounts delete') grep -vxF "\\"$4\\"" ../accounts > ../accounts.new
  mv ../accounts.new ../accounts && [ ! -e ../cut-off ];;
'get-iam-policy '*) jq -s '{bindings: map({role, members: [.member]})}' < ../roles;;
'add-iam-policy-binding '*) jq -nc --arg member "$5" --arg role "$7" '{role: $role, member: $member}' >> ../roles;;
'remove-iam-policy-binding '*) line=$(jq -nc --arg member "$5" --arg role "$7" '{role: $role, member: $member}')
  grep -qxF "$line" ../roles || exit 1
  grep -vxF "$line" ../roles > ../roles.new
  mv ../roles.new ../roles;;
esac`;

/** The project as it is before the plan. */
export function placeProject(
  cluster: FakeCluster,
  accounts: readonly string[],
  roles: readonly { role: string; email: string }[],
): void {
  const write = (name: string, lines: readonly unknown[]): void =>
    writeFileSync(join(cluster.folder, '..', name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  write('accounts', accounts);
  write(
    'roles',
    roles.map(({ role, email }) => ({ role, member: `serviceAccount:${email}` })),
  );
}
