import { afterEach, describe, expect, test } from 'vitest';
import { checking, doing, migrated, planFor, stepNamed, undoing } from './example.ts';
import { fakeCluster, hasJq, type FakeCluster } from './fake-cluster.ts';

const clusters: FakeCluster[] = [];
afterEach(() => {
  for (const one of clusters.splice(0)) one.remove();
});

type Property = { name: string; value: string };
const ours = (value: string): readonly Property[] => [
  { name: 'features.hybrid.enabled', value },
  { name: 'features.mart.connect.enabled', value },
];
const organization = (name: string, property: readonly Property[]): object => ({ name, properties: { property } });

/** A service that has organizations as files, and takes what is PUT. */
function service(...organizations: readonly object[]): FakeCluster {
  const cluster = fakeCluster({
    curl: 'for word in "$@"; do case $word in https:*) name=${word##*/};; esac; done\ncase "$*" in *PUT*) cat > "../$name.json";; *) cat "../$name.json";; esac',
    gcloud: 'exit 0',
    sightline: 'exit 0',
  });
  clusters.push(cluster);
  for (const each of organizations)
    cluster.run(`printf %s '${JSON.stringify(each)}' > "../${(each as { name: string }).name}.json"`);
  return cluster;
}

const propertiesOf = (cluster: FakeCluster, name: string): readonly Property[] =>
  (JSON.parse(cluster.read(`../${name}.json`)) as { properties: { property: Property[] } }).properties.property;

const put = (cluster: FakeCluster): number => (cluster.calls().match(/<PUT>/g) ?? []).length;
const check = (org: string): string =>
  stepNamed(planFor(migrated({ org })), 'connect').check.commands.find(({ command }) => command?.includes('slurpfile'))
    ?.command ?? '';

describe.skipIf(!hasJq)('step 2 (needs jq)', () => {
  const x = { name: 'x', value: 'y' };

  test('keeps all other properties, and its undo restores the two alone', () => {
    const plan = planFor();
    const cluster = service(organization('acme', [x, ...ours('false').slice(0, 1)]));
    cluster.run(doing(plan, 'connect'));
    expect(propertiesOf(cluster, 'acme')).toEqual([x, ...ours('true')]);
    expect(cluster.run(check('acme')).status).toBe(0);
    const later = { name: 'features.isCpsEnabled', value: 'true' };
    cluster.run(`printf %s '${JSON.stringify(organization('acme', [x, later, ...ours('true')]))}' > ../acme.json`);
    cluster.run(doing(plan, 'connect'));
    expect(propertiesOf(cluster, 'acme')).toEqual([x, later, ...ours('true')]);
    expect(cluster.run(undoing(plan, 'connect')).status).toBe(0);
    expect(propertiesOf(cluster, 'acme')).toEqual([x, later, ...ours('false').slice(0, 1)]);
  });

  test('of one organization leaves another alone, in the same folder', () => {
    const [dev, prod] = [[{ name: 'of', value: 'dev' }], [{ name: 'of', value: 'prod' }]];
    const cluster = service(organization('acme-dev', dev), organization('acme-prod', prod));
    for (const org of ['acme-dev', 'acme-prod']) cluster.run(doing(planFor(migrated({ org })), 'connect'));
    expect(propertiesOf(cluster, 'acme-dev')).toEqual([...dev, ...ours('true')]);
    expect(propertiesOf(cluster, 'acme-prod')).toEqual([...prod, ...ours('true')]);
    for (const org of ['acme-prod', 'acme-dev']) cluster.run(undoing(planFor(migrated({ org })), 'connect'));
    expect(propertiesOf(cluster, 'acme-prod')).toEqual(prod);
    expect(propertiesOf(cluster, 'acme-dev')).toEqual(dev);
  });

  test('sends nothing where the answer is of another organization, or none', () => {
    for (const answer of [JSON.stringify(organization('other', [x])), '', '{}', 'Sign in']) {
      const cluster = service();
      cluster.run(`printf %s '${answer}' > ../acme.json`);
      cluster.run(doing(planFor(), 'connect'));
      cluster.run(undoing(planFor(), 'connect'));
      expect(put(cluster)).toBe(0);
    }
  });

  test('undoes nothing by a first copy of another organization', () => {
    const cluster = service(organization('acme', [x, ...ours('true')]));
    cluster.run(`printf %s '${JSON.stringify(organization('other', []))}' > organization-first-acme.json`);
    expect(cluster.run(undoing(planFor(), 'connect').split('\nif [ -n')[0] ?? '').status).not.toBe(0);
    expect(put(cluster)).toBe(0);
  });

  test('is checked: a property that was lost is seen', () => {
    const cluster = service(organization('acme', [x]));
    cluster.run(doing(planFor(), 'connect'));
    cluster.run(`printf %s '${JSON.stringify(organization('acme', ours('true')))}' > ../acme.json`);
    expect(cluster.run(check('acme')).status).not.toBe(0);
    expect(checking(planFor(), 'connect')).toContain('--step 2');
  });
});
