type Tools = Readonly<Record<string, '1.2' | '1.3.6'>>;

/** The apigeectl that a step needs in APIGEECTL_HOME, by its id. Step 7 exchanges it; the others work with either. */
export const STEP_TOOLS: Tools = {
  backups: '1.2',
  init: '1.3.6',
  datastore: '1.3.6',
  components: '1.3.6',
  ring: '1.3.6',
  'clean-up': '1.3.6',
};

/** The same of an undo: that of step 6 comes after that of step 7. */
export const UNDO_TOOLS: Tools = {
  mesh: '1.2',
  init: '1.3.6',
  datastore: '1.3.6',
  components: '1.3.6',
  ring: '1.3.6',
};
