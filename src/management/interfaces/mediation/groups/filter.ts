import type { Context } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { isText } from '../../../../lib/json.ts';
import { type FilterCall, readFilter, wrongFilter } from '../filter-text.ts';
import { linesIn } from './lines.ts';
import { adUnitIdOf, fragmentOf, MEDIATION, type Publisher } from '../rows.ts';
import { objectIn, textIn, textsIn } from '../texts.ts';

/** Apps that one filter may name: each is looked up. */
const MAX_APPS = 100;
/** Ad units of one app. */
const MAX_APP_UNITS = 10_000;

/** What a group has under a field's name; how values are spelled before they are compared. */
type Field = {
  call: FilterCall;
  of: (row: StoredRow) => readonly string[];
  spell?: (value: string, digits: string) => string;
};

const upper = (value: string): string => value.toUpperCase();
const targetingOf = ({ body }: StoredRow) => objectIn(body, 'targeting');
const adUnitsOf = (row: StoredRow): readonly string[] => textsIn(targetingOf(row), 'adUnitIds');

const FIELDS: Readonly<Record<string, Field>> = {
  AD_SOURCE_IDS: { call: 'CONTAINS_ANY', of: sourcesOf },
  AD_UNIT_IDS: { call: 'CONTAINS_ANY', of: adUnitsOf, spell: wholeUnit },
  // Apps are told by their ad units: `unitsOfApps` puts those in the place of the values.
  APP_IDS: { call: 'CONTAINS_ANY', of: adUnitsOf },
  DISPLAY_NAME: { call: 'IN', of: ({ body }) => [textIn(body, 'displayName')] },
  FORMAT: { call: 'IN', of: (row) => [textIn(targetingOf(row), 'format')], spell: upper },
  MEDIATION_GROUP_ID: { call: 'IN', of: ({ id }) => [id] },
  PLATFORM: { call: 'IN', of: (row) => [textIn(targetingOf(row), 'platform')], spell: upper },
  // The seed has NOT_RUNNING among the states of groups: it is that of their experiment.
  STATE: {
    call: 'IN',
    of: ({ body }) => [textIn(body, 'state'), textIn(body, 'mediationAbExperimentState')],
    spell: upper,
  },
  TARGETED_REGION_CODES: {
    call: 'CONTAINS_ANY',
    of: (row) => textsIn(targetingOf(row), 'targetedRegionCodes'),
    spell: upper,
  },
};

const CALLS: ReadonlyMap<string, FilterCall> = new Map(Object.entries(FIELDS).map(([name, { call }]) => [name, call]));

/**
 * What a list's filter lets through: `IN(PLATFORM, "IOS") AND CONTAINS_ANY(AD_UNIT_IDS, "ca-app-pub-1/2")`. There is no OR.
 * @throws Refusal 400 for anything else
 */
export function groupMatcher(filter: unknown, publisher: Publisher, context: Context): (row: StoredRow) => boolean {
  const terms = readFilter(isText(filter) ? filter : '', CALLS).map(({ field, values }) => {
    const { of, spell } = fieldNamed(field);
    const wanted = field === 'APP_IDS' ? unitsOfApps(values, publisher, context) : values;
    return {
      of,
      wanted: new Set(spell === undefined ? wanted : wanted.map((value) => spell(value, publisher.digits))),
    };
  });
  return (row) => terms.every(({ of, wanted }) => of(row).some((value) => wanted.has(value)));
}

/** The field of a name that the reader let through. */
function fieldNamed(name: string): Field {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (field === undefined) throw new Error(`A filter of a field ${name}`);
  return field;
}

function sourcesOf({ body }: StoredRow): readonly string[] {
  const lines = [...linesIn(body).values()].filter((line) => line['state'] !== 'REMOVED');
  return lines.map((line) => textIn(line, 'adSourceId'));
}

function wholeUnit(value: string, digits: string): string {
  const fragment = fragmentOf(value, digits);
  return fragment === undefined ? value : adUnitIdOf(digits, fragment);
}

/** The ad units of the publisher that belong to these apps. Apps of others are not looked up. */
function unitsOfApps(apps: readonly string[], { name, digits }: Publisher, { store }: Context): readonly string[] {
  if (apps.length > MAX_APPS) throw wrongFilter(`it names more than ${MAX_APPS} apps`);
  const own = new Set(apps.filter((app) => app.startsWith(`ca-app-pub-${digits}~`)));
  const rows = [...own].flatMap((app) => store.byRef(MEDIATION.adUnits, app, MAX_APP_UNITS));
  return rows.filter(({ parent }) => parent === name).map(({ body }) => textIn(body, 'adUnitId'));
}
