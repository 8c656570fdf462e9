import { getTextMember, isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { GROUP_SETTINGS } from './settings-data.ts';

/** Name and description by the vendor's descriptions of these fields; the Directory takes a longer description. */
const MAX_NAME_CHARS = 75;
const MAX_DESCRIPTION_CHARS = 300;

/** What is shown of settings until they are set. */
export const INITIAL_SETTINGS: JsonObject = Object.fromEntries(
  Object.entries(GROUP_SETTINGS).flatMap(([name, setting]) => ('initial' in setting ? [[name, setting.initial]] : [])),
);

/**
 * The settings of a group after a change, as they are stored: `null` is the initial value again, and what is no setting is
 * left out. A group that is archived takes no posts, and the other way round.
 * @param before as stored
 * @param meaning whether what is left out stays, or has its initial value again
 * @throws Refusal 400 for a value that the setting does not have
 */
export function changeSettings(before: JsonObject, sent: JsonObject, meaning: 'patch' | 'replace'): JsonObject {
  const changed = new Map(meaning === 'patch' ? Object.entries(before) : []);
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(GROUP_SETTINGS, name)) continue;
    if (value === null) changed.delete(name);
    else changed.set(name, requireSetting(name, value));
  }
  const after = withPosting(before, Object.fromEntries(changed), sent);
  if (after['replyTo'] === 'REPLY_TO_CUSTOM' && getTextMember(after, 'customReplyTo') === '')
    throw vendorRefusals.required('customReplyTo');
  return after;
}

function requireSetting(name: string, value: unknown): string {
  const setting = GROUP_SETTINGS[name];
  const fits =
    setting !== undefined &&
    isText(value) &&
    ('values' in setting ? setting.values.includes(value) : value.length <= setting.maxChars);
  if (!fits) throw vendorRefusals.invalid(`Invalid Value for: ${name}`);
  return value;
}

function withPosting(before: JsonObject, after: JsonObject, sent: JsonObject): JsonObject {
  const [was, is] = [before, after].map(({ archiveOnly }) => archiveOnly === 'true');
  if (is) return { ...after, whoCanPostMessage: 'NONE_CAN_POST' };
  if (sent['whoCanPostMessage'] === 'NONE_CAN_POST' && !was)
    throw vendorRefusals.invalid('whoCanPostMessage can be NONE_CAN_POST only where archiveOnly is true');
  return was && !isText(sent['whoCanPostMessage']) ? { ...after, whoCanPostMessage: 'ALL_MANAGERS_CAN_POST' } : after;
}

/** Name and description of the group itself, where they are sent. @throws Refusal 400 for one that is too long */
export function readGroupTexts(sent: JsonObject): JsonObject {
  const texts = (['name', 'description'] as const).flatMap((name) => {
    const { [name]: value } = sent;
    return value === undefined ? [] : [[name, isText(value) ? value : ''] as const];
  });
  const found = Object.fromEntries(texts);
  if ((found['name'] ?? '').length > MAX_NAME_CHARS) throw vendorRefusals.invalid('Invalid Value for: name');
  if ((found['description'] ?? '').length > MAX_DESCRIPTION_CHARS)
    throw vendorRefusals.invalid('Invalid Value for: description');
  return found;
}
