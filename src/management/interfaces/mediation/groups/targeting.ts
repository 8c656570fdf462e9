import { getObjectMember, getTextMember } from '../../../../lib/json.ts';
import { truncateSentText } from '../../../core/conventions/invalid.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { formatAdUnitId, parseAdUnitFragment, refuseMediationField, getTextList } from '../rows.ts';

/** Ad units that a group may target. */
export const MAX_TARGETED_AD_UNITS = 1_000;
/** Region codes of one list: there are some 250 regions (CLDR). */
export const MAX_REGIONS = 250;

const PLATFORMS = ['ANDROID', 'IOS'] as const;
const FORMATS = [
  'APP_OPEN',
  'BANNER',
  'BANNER_INTERSTITIAL',
  'INTERSTITIAL',
  'NATIVE',
  'REWARDED',
  'REWARDED_INTERSTITIAL',
] as const;
const IDFA_TARGETINGS = ['ALL', 'AVAILABLE', 'NOT_AVAILABLE'];
const UNSPECIFIED = 'IDFA_TARGETING_UNSPECIFIED';
/** A Unicode region code: of a country, or the three digits of a part of the world (`419`). */
const REGION = /^(?:[A-Za-z]{2}|\d{3})$/;
/** The code for an unknown region. */
const UNKNOWN_REGION = 'ZZ';

/**
 * What a group targets, in canonical spelling: words in capitals (the seed writes `iOS`), whole ad unit ids, each once.
 * On iOS `idfaTargeting` is ALL unless said otherwise.
 * @param digits of the publisher, whose own all ad units must be (rule K1)
 * @throws Refusal 400
 */
export function validateTargeting(sent: JsonObject, digits: string): JsonObject {
  const platform = requireWord(sent, 'platform', PLATFORMS);
  const adUnitIds = requireAdUnits(sent, digits);
  const targeted = requireRegions(sent, 'targetedRegionCodes');
  const excluded = requireRegions(sent, 'excludedRegionCodes');
  const both = targeted.find((code) => excluded.includes(code));
  if (both !== undefined)
    throw refuseMediationField('targeting.excludedRegionCodes', `${both} is also in targeting.targetedRegionCodes`);
  const idfaTargeting = parseIdfaTargeting(sent, platform);
  return {
    platform,
    format: requireWord(sent, 'format', FORMATS),
    ...(adUnitIds.length > 0 && { adUnitIds }),
    ...(targeted.length > 0 && { targetedRegionCodes: targeted }),
    ...(excluded.length > 0 && { excludedRegionCodes: excluded }),
    ...(idfaTargeting !== '' && { idfaTargeting }),
  };
}

/** Fragments of the ad units that a stored group targets, in order. */
export function listTargetedFragments(group: JsonObject): readonly string[] {
  return getTextList(getObjectMember(group, 'targeting'), 'adUnitIds').map((adUnit) =>
    adUnit.slice(adUnit.indexOf('/') + 1),
  );
}

function requireWord(sent: JsonObject, name: string, words: readonly string[]): string {
  const text = getTextMember(sent, name);
  if (text === '') throw vendorRefusals.required(`targeting.${name}`);
  const word = text.toUpperCase();
  if (!words.includes(word))
    throw refuseMediationField(`targeting.${name}`, `"${truncateSentText(text)}" is none of ${words.join(', ')}`);
  return word;
}

function requireAdUnits(sent: JsonObject, digits: string): string[] {
  const field = 'targeting.adUnitIds';
  const texts = getTextList(sent, 'adUnitIds');
  const fragments = new Set<string>();
  for (const text of texts) {
    const fragment = parseAdUnitFragment(text, digits);
    if (fragment === undefined)
      throw refuseMediationField(
        field,
        `"${truncateSentText(text)}" is no ad unit id of this publisher, ca-app-pub-${digits}/[10 DIGITS]`,
      );
    fragments.add(fragment);
    if (fragments.size > MAX_TARGETED_AD_UNITS)
      throw refuseMediationField(field, `a group targets at most ${MAX_TARGETED_AD_UNITS} ad units`);
  }
  return [...fragments].map((fragment) => formatAdUnitId(digits, fragment));
}

function requireRegions(sent: JsonObject, name: string): string[] {
  const field = `targeting.${name}`;
  const codes = getTextList(sent, name);
  if (codes.length > MAX_REGIONS) throw refuseMediationField(field, `it has more than ${MAX_REGIONS} regions`);
  const strange = codes.find((code) => !REGION.test(code) || code.toUpperCase() === UNKNOWN_REGION);
  if (strange !== undefined)
    throw refuseMediationField(
      field,
      `"${truncateSentText(strange)}" is no region code of two letters or three digits`,
    );
  return [...new Set(codes.map((code) => code.toUpperCase()))];
}

/** '' where nothing is said: IDFA is a matter of iOS. */
function parseIdfaTargeting(sent: JsonObject, platform: string): string {
  const field = 'targeting.idfaTargeting';
  const text = getTextMember(sent, 'idfaTargeting');
  const isIos = platform === 'IOS';
  if (text === '' || text === UNSPECIFIED) return isIos ? 'ALL' : '';
  if (!IDFA_TARGETINGS.includes(text))
    throw refuseMediationField(field, `"${truncateSentText(text)}" is none of ${IDFA_TARGETINGS.join(', ')}`);
  if (!isIos && text !== 'ALL') throw refuseMediationField(field, 'there is no IDFA on ANDROID');
  return text;
}
