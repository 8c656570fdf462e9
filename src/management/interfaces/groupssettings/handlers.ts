import { getTextMember, type JsonObject } from '../../../lib/json.ts';
import { getPutMeaning } from '../../core/engine/collection.ts';
import { isSameJson } from '../../core/engine/write.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { buildGroupIndex } from '../directory/groups/rows.ts';
import { validateGroup } from '../directory/groups/schemas.ts';
import { GROUP_SETTINGS_ROWS, requireGroup } from '../directory/rows.ts';
import { changeSettings, INITIAL_SETTINGS, readGroupTexts } from './schemas.ts';

/** The vendor's, and no longer to be set. */
const FIXED = {
  customRolesEnabledForSettingsToBeMerged: 'false',
  maxMessageBytes: 26_214_400,
  messageDisplayFont: 'DEFAULT_FONT',
  whoCanAddReferences: 'NONE',
} as const;

/** Settings of groups. */
export const handlers: Handlers = {
  'groupsSettings.groups.get': (call, context) => showSettings(requireSettingsGroup(call, context), context),
  'groupsSettings.groups.patch': (call, context) => change(call, context, 'patch'),
  'groupsSettings.groups.update': (call, context) => change(call, context, getPutMeaning(context)),
};

const requireSettingsGroup = ({ path }: Call, context: Context): ResourceRow =>
  requireGroup(path['groupUniqueId'] ?? '', context);

const findSettings = ({ id }: ResourceRow, { store }: Context): ResourceRow | undefined =>
  store.get(GROUP_SETTINGS_ROWS, '', id);

function change(call: Call, context: Context, meaning: 'patch' | 'replace'): JsonObject {
  const before = requireSettingsGroup(call, context);
  // A group keeps its name: none is without one.
  const texts = meaning === 'replace' ? { description: '', ...call.body } : call.body;
  const group = renameGroup(before, texts, context);
  const stored = findSettings(group, context);
  const body = changeSettings(stored?.body ?? {}, call.body, meaning);
  const row = { collection: GROUP_SETTINGS_ROWS, parent: '', id: group.id, body };
  if (stored === undefined) context.store.insert(row);
  else if (!isSameJson(stored.body, body)) context.store.put(row);
  return showSettings(group, context);
}

/** Gives the group of the Directory the name and description that are sent. */
function renameGroup(group: ResourceRow, sent: JsonObject, { store }: Context): ResourceRow {
  const body = validateGroup({ ...group.body, ...readGroupTexts(sent) });
  if (isSameJson(group.body, body)) return group;
  const { collection, parent, id } = group;
  return store.put({ collection, parent, id, body, ...buildGroupIndex(body) });
}

function showSettings(group: ResourceRow, context: Context): JsonObject {
  const [email, name, description] = ['email', 'name', 'description'].map((each) => getTextMember(group.body, each));
  return {
    kind: 'groupsSettings#groups',
    email: email ?? '',
    name: name ?? '',
    description: description ?? '',
    ...FIXED,
    ...INITIAL_SETTINGS,
    ...findSettings(group, context)?.body,
  };
}
