type Row = {
  severity: 'error' | 'warning';
  /** What it means, for the README. */
  title: string;
  /** What to do where nothing better is known. */
  fix: string;
};

const error = (title: string, fix: string): Row => ({ severity: 'error', title, fix });
const warning = (title: string, fix: string): Row => ({ severity: 'warning', title, fix });

/** Every problem that `check` knows (version pages and property reference of the runtime, 1.0 to 1.16). */
const rows = {
  // The file itself
  'too-large': error('The file is larger than an overrides file can be.', 'Name the overrides file itself.'),
  'not-utf8': error('The file is no UTF-8 text.', 'Save it as UTF-8.'),
  'control-character': error('A character that YAML does not allow.', 'Remove it.'),
  'yaml-syntax': error('The file is not valid YAML.', 'Correct it at this place.'),
  'duplicate-key': error('A mapping has the same key twice.', 'Keep one of them.'),
  'several-documents': error('The file has several YAML documents.', 'Put each into a file of its own.'),
  tab: error('A tab indents a line.', 'Indent with spaces.'),
  anchor: error('An anchor, alias or merge key in a part that is read or changed.', 'Write the values out.'),
  tag: error('A YAML tag in a part that is read or changed.', 'Remove the tag.'),
  'flow-lines': error(
    'A {...} or [...] over several lines in a part that is to be changed.',
    'Write it in block style.',
  ),
  'complex-key': error('A key that is no plain text.', 'Write it as `key: value`.'),
  template: error('An unfilled template ({{ }}).', 'Render the template first; $VARIABLES may stay.'),
  'unsafe-edit': error('The change cannot be made here without touching something else.', 'Change this part by hand.'),
  'not-overrides': error('The file has nothing of an overrides file.', 'Name the overrides file.'),
  'wrong-type': error('A value is of another type than the key takes.', 'Write it as the property reference says.'),
  // Versions
  'version-1-1': error('A key of version 1.1.', 'Upgrade to 1.2 first: 1.3 cannot be reached from 1.1.'),
  'key-spelling': warning(
    'A top-level key that nothing reads; another has nearly its name.',
    'Write it so, if it is meant.',
  ),
  'nested-key-spelling': warning(
    'A key below the top level that nothing reads; the property reference has nearly its name there.',
    'Write it as the reference does, if it is meant.',
  ),
  'nested-key-misplaced': warning(
    'A key that the property reference has further down.',
    'Move it there, if it is meant.',
  ),
  'newer-version': error('A key of a version after 1.3.', 'This tool reads files of 1.2 and 1.3.'),
  'not-migrated': error('A command that takes a 1.3 file got another.', 'Migrate it first.'),
  'left-over': warning('A key of 1.2 in a file that is one of 1.3 otherwise.', 'Remove it, or let the migration.'),
  'unprintable-value': error('A name, address or path has a character that cannot be seen.', 'Write it without.'),
  fragment: warning(
    'The file has no `org`: it is taken as a part of one, and nothing is added.',
    'Name the whole file.',
  ),
  // Values
  'contradicting-values': error(
    'An old and a new key for the same thing have different values.',
    'Keep the right one.',
  ),
  'missing-key': error('A required key is missing.', 'Add it.'),
  'name-too-long': error('A name of an organization or environment has over 32 characters.', '1.3 takes 32 at most.'),
  'instance-id-missing': error('`instanceID` is missing, or cannot be proposed.', 'Add it, or give --instance-id.'),
  'instance-id-too-long': error('`instanceID` has over 63 characters.', 'Give a shorter one with --instance-id.'),
  'instance-id-characters': warning(
    '`instanceID` has more than letters, digits and hyphens.',
    'Give another with --instance-id.',
  ),
  'missing-project': warning('`gcp.projectID` is missing; the runtime requires it.', 'Add it.'),
  'missing-region': warning(
    '`gcp.region` is missing; 1.3 requires it.',
    'Add it, or let the migration take it from k8sCluster.region or --region.',
  ),
  // Groups
  'group-name': error('A name that no environment group can have.', 'Give another with --group OLD=NEW.'),
  'group-twice': error('Two virtual hosts have, or get, the same name.', 'Give one another name with --group OLD=NEW.'),
  'group-unknown': error('--group names a virtual host that the file does not have.', 'Name one that it has.'),
  'alias-in-two-groups': error(
    'A host name belongs to two virtual hosts.',
    'A host name is of one group: keep it in one.',
  ),
  'host-names-missing': error('A virtual host has no host names.', 'Add its hostAliases.'),
  'environment-undefined': error(
    'A routing rule names an environment that `envs` does not have.',
    'Add it, or drop the rule.',
  ),
  'environment-without-group': error(
    'No routing rule leads to an environment.',
    'Add a rule, or drop the environment.',
  ),
  'environment-twice': error('`envs` lists an environment twice.', 'Keep one.'),
  'base-path-twice': warning(
    'Two environments of one group have the same base path.',
    '1.3 needs distinct ones: change a proxy.',
  ),
  'connect-timeout-lost': warning(
    '`connectTimeout` has no place in 1.3.',
    'Set the timeout in the target of the proxies.',
  ),
  certificates: error(
    'A virtual host has both or neither of sslSecret and sslCertPath with sslKeyPath.',
    'Keep exactly one.',
  ),
  // Components
  'connect-disabled': error(
    '`connectAgent.enabled` is not true; 1.3 always runs Connect.',
    'Agree with --enable-connect.',
  ),
  'connect-account-differs': warning(
    '`connectAgent` has another service account than `mart`.',
    'If that is meant, go on: the plan gives the role of the Connect agent to this account.',
  ),
  'service-account-missing': error(
    'A service account that 1.3 requires cannot be proposed.',
    'Give its path by its flag.',
  ),
  'account-not-derived': warning(
    'The path of a service account could not be derived from that of `mart`.',
    'Give another by its flag.',
  ),
  'mart-secret-unused': warning(
    '`mart.sslSecret` has no use in 1.3, where MART has no ingress.',
    'Remove it by hand once 1.2 is gone.',
  ),
  'multi-region': error(
    'The file is of an installation in several regions.',
    'Not covered: the vendor describes an upgrade per region.',
  ),
  'data-center-named': warning(
    '`cassandra.datacenter` is not the default.',
    'Make sure that there is only one data center.',
  ),
  'cassandra-replicas': error(
    '`cassandra.replicaCount` is no multiple of three.',
    'Production needs three or a multiple.',
  ),
  'cassandra-trial': warning(
    'So few Cassandra replicas are good for trials only.',
    'Production needs three or a multiple.',
  ),
  'dns-policy-lost': warning('`cassandra.dnsPolicy` is gone in 1.3 and is removed.', 'Make sure nothing relies on it.'),
  'seed-host-left': warning(
    '`cassandra.externalSeedHost` is for the time of the upgrade only.',
    'Remove it and apply the datastore.',
  ),
  'image-pinned': error(
    'An image tag pins a component to a version before 1.3.',
    'Remove the tag: 1.3.6 brings its own.',
  ),
  'image-override': warning('An image is overridden.', 'Make sure that it fits 1.3.6, or remove the override.'),
  'image-override-lost': warning(
    'An image override of a component that 1.3 no longer installs.',
    'Move it to where the component is installed now.',
  ),
  'default-key': warning('A published default serves as key.', 'Plan a rotation; changing it now loses data.'),
  'environment-key': warning(
    'KMS and KVM keys of an environment: the reference knows them at the top level only.',
    'Do not change the value: data would be lost.',
  ),
} as const satisfies Record<string, Row>;

export type ProblemCode = keyof typeof rows;
export const PROBLEMS: Readonly<Record<ProblemCode, Row>> = rows;
