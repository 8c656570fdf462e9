import { afterEach, describe, expect, test } from 'vitest';
import { doing, migrated, planFor, undoing } from './example.ts';
import { fakeCluster, hasJq, type FakeCluster } from './fake-cluster.ts';
import { GCLOUD_OF_PROJECT, placeProject } from './fake-gcloud.ts';

const clusters: FakeCluster[] = [];
afterEach(() => {
  for (const one of clusters.splice(0)) one.remove();
});

const plan = planFor(migrated({ martServiceAccountPath: './mart.json' }));
const MART = 'mart@acme-project.iam.gserviceaccount.com';
const WATCHER = 'apigee-watcher@acme-project.iam.gserviceaccount.com';

/** What the plan makes. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  public: ['api.example.com', '*.example.org'],
  partners: ['partners.example.com'],
};

/** An organization with these groups, and a project in which MART has these roles. */
function service({
  roles,
  groups,
  accounts = [],
}: {
  roles: readonly string[];
  groups: readonly string[];
  accounts?: readonly string[];
}): FakeCluster {
  const all = JSON.stringify({ environmentGroups: groups.map((name) => ({ name, hostnames: HOSTS[name] ?? [] })) });
  const made = JSON.stringify({
    environmentGroups: Object.entries(HOSTS).map(([name, hostnames]) => ({ name, hostnames })),
  });
  const cluster = fakeCluster({
    gcloud: GCLOUD_OF_PROJECT,
    curl: `case "$*" in *POST*envgroups) : > ../made;; *envgroups[?]*) [ -e ../made ] && printf %s '${made}' || printf %s '${all}';; *attachments*) printf %s '{"environmentGroupAttachments":[{"name":"a1","environment":"test"},{"name":"a2","environment":"prod"}]}';; *) printf %s '{"name":"acme","properties":{}}';; esac`,
    sightline: 'exit 0',
  });
  clusters.push(cluster);
  placeProject(
    cluster,
    accounts,
    roles.map((role) => ({ role, email: MART })),
  );
  cluster.run(`printf %s '{"client_email":"${MART}"}' > mart.json`);
  return cluster;
}

describe.skipIf(!hasJq)('undos go by what was there before (needs jq)', () => {
  test.each([
    [[], true],
    [['roles/apigeeconnect.Agent'], false],
    [['roles/other'], true],
  ] as const)('MART with the roles %j: the role of Connect is taken away: %s', (roles, isTaken) => {
    const cluster = service({ roles, groups: [] });
    cluster.run(doing(plan, 'connect'));
    cluster.run(undoing(plan, 'connect'));
    expect(cluster.calls().includes('remove-iam-policy-binding')).toBe(isTaken);
  });

  test('an account of its own for Connect gets the role and loses it again; that of MART is left alone', () => {
    const own = planFor(
      migrated({ martServiceAccountPath: './mart.json', connectAgentServiceAccountPath: './connect.json' }),
    );
    const cluster = service({ roles: ['roles/apigeeconnect.Agent'], groups: [] });
    cluster.run(`printf %s '{"client_email":"connect@acme"}' > connect.json`);
    cluster.run(doing(own, 'connect'));
    expect(cluster.calls()).toMatch(/add-iam-policy-binding> .*<serviceAccount:connect@acme>/);
    cluster.run(undoing(own, 'connect'));
    expect(cluster.calls()).toMatch(/remove-iam-policy-binding> .*<serviceAccount:connect@acme>/);
    expect(cluster.calls()).not.toContain(`<serviceAccount:${MART}>`);
  });

  test.each([
    [[], ['public', 'partners']],
    [['public'], ['partners']],
    [['public', 'partners', 'x'], []],
  ] as const)('groups %j stay, and %j go', (groups, gone) => {
    const cluster = service({ roles: [], groups });
    cluster.run(doing(plan, 'groups'));
    const before = cluster.calls().length;
    cluster.run(undoing(plan, 'groups'));
    const deleted = [
      ...cluster
        .calls()
        .slice(before)
        .matchAll(/<DELETE> <[^>]*\/envgroups\/([^>/]*)>/g),
    ].map(([, name]) => name);
    expect(deleted.toSorted()).toEqual([...gone].toSorted());
  });

  test.each([
    [[], true],
    [[WATCHER], false],
  ] as const)('accounts %j: that of the watcher goes again: %s', (accounts, isGone) => {
    const cluster = service({ roles: [], groups: [], accounts });
    cluster.run(doing(plan, 'watcher'));
    cluster.run(undoing(plan, 'watcher'));
    expect(/<service-accounts> <delete>/.test(cluster.calls())).toBe(isGone);
  });

  test.each([
    ['connect', '-first-'],
    ['watcher', 'accounts-first-'],
    ['groups', '-first-'],
  ])('a second attempt of %s begins with what is there then', (id, name) => {
    const cluster = service({ roles: [], groups: [] });
    const copies = (): readonly string[] => cluster.files().filter((file) => file.includes(name));
    cluster.run(doing(plan, id));
    expect(copies()).not.toEqual([]);
    cluster.run(undoing(plan, id));
    expect(copies()).toEqual([]);
  });

  test('an account that another one made after the undo stays at the next', () => {
    const cluster = service({ roles: [], groups: [] });
    cluster.run(doing(plan, 'watcher'));
    cluster.run(undoing(plan, 'watcher'));
    placeProject(cluster, [WATCHER], []);
    cluster.run(doing(plan, 'watcher'));
    expect(cluster.run(undoing(plan, 'watcher')).stderr).toContain('it stays, with its key');
    expect(cluster.calls().match(/<service-accounts> <delete>/g)).toHaveLength(1);
  });

  test('without what was there before nothing is taken away', () => {
    const cluster = service({ roles: [], groups: [] });
    cluster.run(undoing(plan, 'connect'));
    cluster.run(undoing(plan, 'watcher'));
    cluster.run(undoing(plan, 'groups'));
    expect(cluster.calls()).not.toMatch(/remove-iam-policy-binding|DELETE|PUT|<delete>/);
  });
});
