/** How long a step takes, by its id, as a person plans it. Estimates: nothing of them was measured on a cluster. */
export const DURATIONS: Readonly<Record<string, string>> = {
  versions: '15 min',
  backups: '30 min, and the backup of Cassandra',
  connect: '10 min',
  watcher: '10 min',
  groups: '15 min',
  overrides: '30 min, to read the whole diff',
  mesh: '1 to 2 h',
  apigeectl: '10 min',
  init: '20 min',
  datastore: '30 min to hours, with the data',
  components: '1 h, and as long as DNS entries live',
  ring: '30 min',
  'clean-up': '1 h, days later',
};

/** What clients of the proxies notice of a step. */
export const EFFECTS: Readonly<Record<string, string>> = {
  mesh: 'passes the new mesh',
  components: 'moves to 1.3',
  ring: 'stays on 1.3',
  'clean-up': 'stays on 1.3',
};
export const NO_EFFECT = 'stays on 1.2';
