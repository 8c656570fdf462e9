import { truncateSentText } from '../../../core/conventions/invalid.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { isText, type Json, type JsonObject, getObjectMember, getTextMember } from '../../../../lib/json.ts';
import { findAdapter, ADMOB_NETWORK, formatAdUnitId, parseAdUnitFragment, refuseMediationField } from '../rows.ts';
import type { LinePlace } from './lines.ts';
import { findAdUnitMapping } from '../mappings/mappings.ts';

/** A format that is no adapter's own: such ads are of either of these. */
const SHOWN_AS: ReadonlyMap<string, readonly string[]> = new Map([['BANNER_INTERSTITIAL', ['BANNER', 'INTERSTITIAL']]]);

type MappingChange = { before: JsonObject; sent: JsonObject; adSourceId: string; field: string; place: LinePlace };

/**
 * The mappings of a line, by whole ad unit ids. Those of ad units that the group targets no longer go by themselves; what
 * stays as it was is not looked up again.
 * @returns undefined where there are none, and for the AdMob Network, whose lines need none
 * @throws Refusal 400 for an ad unit that the group does not target, and for what is no mapping of that ad unit to an
 *   adapter of the line's ad source, for the group's platform and format
 */
export function validateLineMappings(asked: MappingChange, context: Context): JsonObject | undefined {
  const { before, sent, adSourceId, field, place } = asked;
  if (adSourceId === ADMOB_NETWORK) return undefined;
  const { digits } = place.publisher;
  const known = getObjectMember(before, 'adUnitMappings');
  const kept: [string, Json][] = [];
  for (const [fragment, name] of parseMappingsByUnit(getObjectMember(sent, 'adUnitMappings'), field, digits)) {
    const unit = formatAdUnitId(digits, fragment);
    const isKnown = known[unit] === name;
    if (isKnown && !place.targeted.has(fragment)) continue;
    if (!place.targeted.has(fragment))
      throw refuseMediationField(`${field}.adUnitMappings`, `the group does not target ${unit}`);
    if (!isKnown) requireMapping(name, { unit, fragment, adSourceId, field, place }, context);
    kept.push([unit, name]);
  }
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/**
 * Mappings as they were sent, by the fragments of their ad units.
 * @throws Refusal 400 for a key that is no ad unit of this publisher (rule K1), and for one ad unit in two spellings
 */
export function parseMappingsByUnit(sent: JsonObject, field: string, digits: string): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const [key, name] of Object.entries(sent)) {
    const fragment = parseAdUnitFragment(key, digits);
    if (fragment === undefined)
      throw refuseMediationField(
        `${field}.adUnitMappings`,
        `"${truncateSentText(key)}" is no ad unit id of this publisher`,
      );
    if (found.has(fragment)) throw refuseMediationField(`${field}.adUnitMappings`, `${fragment} is given twice`);
    found.set(fragment, name);
  }
  return found;
}

/** A line without mappings of ad units that its group does not target. */
export function withoutUntargetedMappings(line: JsonObject, { publisher, targeted }: LinePlace): JsonObject {
  const mappings = Object.entries(getObjectMember(line, 'adUnitMappings'));
  const kept = mappings.filter(([unit]) => targeted.has(parseAdUnitFragment(unit, publisher.digits) ?? ''));
  if (kept.length === mappings.length) return line;
  const { adUnitMappings: _dropped, ...others } = line;
  return kept.length > 0 ? { ...others, adUnitMappings: Object.fromEntries(kept) } : others;
}

type MappingLookup = { unit: string; fragment: string; adSourceId: string; field: string; place: LinePlace };

function requireMapping(name: Json, wanted: MappingLookup, context: Context): void {
  const { unit, fragment, adSourceId, field, place } = wanted;
  const where = `${field}.adUnitMappings["${unit}"]`;
  const text = isText(name) ? name : '';
  if (!text.startsWith(`${place.publisher.name}/adUnits/${fragment}/adUnitMappings/`))
    throw refuseMediationField(where, `"${truncateSentText(text)}" is not the name of a mapping of this ad unit`);
  const row = findAdUnitMapping(text, context);
  if (row === undefined) throw refuseMediationField(where, `there is no mapping "${truncateSentText(text)}"`);
  const adapter = findAdapter(getTextMember(row.body, 'adapterId'));
  const wrong = (why: string) => refuseMediationField(where, `the adapter of "${truncateSentText(text)}" ${why}`);
  if (adapter?.adSourceId !== adSourceId) throw wrong("is not of the line's ad source");
  if (adapter.platform !== place.platform) throw wrong(`is not for the group's platform, ${place.platform}`);
  const formats = SHOWN_AS.get(place.format) ?? [place.format];
  if (!formats.some((format) => adapter.formats.includes(format)))
    throw wrong(`does not support the group's format, ${place.format}`);
}
