import { shownText } from '../../../core/conventions/invalid.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { adUnitIdOf, fragmentOf, invalidField, objectIn, textIn, textsIn } from '../rows.ts';

/** Ad units that a group may target. */
export const MAX_AD_UNITS = 1_000;
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
/** Stands for no region that is known. */
const UNKNOWN_REGION = 'ZZ';

/**
 * What a group targets, in canonical spelling: words in capitals (the seed writes `iOS`), whole ad unit ids, each once.
 * On iOS `idfaTargeting` is ALL unless said otherwise.
 * @param digits of the publisher, whose own all ad units must be (rule K1)
 * @throws Refusal 400
 */
export function judgedTargeting(sent: JsonObject, digits: string): JsonObject {
  const platform = wordIn(sent, 'platform', PLATFORMS);
  const adUnitIds = adUnitsIn(sent, digits);
  const targeted = regionsIn(sent, 'targetedRegionCodes');
  const excluded = regionsIn(sent, 'excludedRegionCodes');
  const both = targeted.find((code) => excluded.includes(code));
  if (both !== undefined)
    throw invalidField('targeting.excludedRegionCodes', `${both} is also in targeting.targetedRegionCodes`);
  const idfaTargeting = idfaIn(sent, platform);
  return {
    platform,
    format: wordIn(sent, 'format', FORMATS),
    ...(adUnitIds.length > 0 && { adUnitIds }),
    ...(targeted.length > 0 && { targetedRegionCodes: targeted }),
    ...(excluded.length > 0 && { excludedRegionCodes: excluded }),
    ...(idfaTargeting !== '' && { idfaTargeting }),
  };
}

/** Fragments of the ad units that a stored group targets, in order. */
export function targetedFragments(group: JsonObject): readonly string[] {
  return textsIn(objectIn(group, 'targeting'), 'adUnitIds').map((adUnit) => adUnit.slice(adUnit.indexOf('/') + 1));
}

function wordIn(sent: JsonObject, name: string, words: readonly string[]): string {
  const text = textIn(sent, name);
  if (text === '') throw refuse.required(`targeting.${name}`);
  const word = text.toUpperCase();
  if (!words.includes(word))
    throw invalidField(`targeting.${name}`, `"${shownText(text)}" is none of ${words.join(', ')}`);
  return word;
}

function adUnitsIn(sent: JsonObject, digits: string): string[] {
  const field = 'targeting.adUnitIds';
  const texts = textsIn(sent, 'adUnitIds');
  const fragments = new Set<string>();
  for (const text of texts) {
    const fragment = fragmentOf(text, digits);
    if (fragment === undefined)
      throw invalidField(
        field,
        `"${shownText(text)}" is no ad unit id of this publisher, ca-app-pub-${digits}/[10 DIGITS]`,
      );
    fragments.add(fragment);
    if (fragments.size > MAX_AD_UNITS) throw invalidField(field, `a group targets at most ${MAX_AD_UNITS} ad units`);
  }
  return [...fragments].map((fragment) => adUnitIdOf(digits, fragment));
}

function regionsIn(sent: JsonObject, name: string): string[] {
  const field = `targeting.${name}`;
  const codes = textsIn(sent, name);
  if (codes.length > MAX_REGIONS) throw invalidField(field, `it has more than ${MAX_REGIONS} regions`);
  const strange = codes.find((code) => !REGION.test(code) || code.toUpperCase() === UNKNOWN_REGION);
  if (strange !== undefined)
    throw invalidField(field, `"${shownText(strange)}" is no region code of two letters or three digits`);
  return [...new Set(codes.map((code) => code.toUpperCase()))];
}

/** '' where nothing is said: IDFA is a matter of iOS. */
function idfaIn(sent: JsonObject, platform: string): string {
  const field = 'targeting.idfaTargeting';
  const text = textIn(sent, 'idfaTargeting');
  const isIos = platform === 'IOS';
  if (text === '' || text === UNSPECIFIED) return isIos ? 'ALL' : '';
  if (!IDFA_TARGETINGS.includes(text))
    throw invalidField(field, `"${shownText(text)}" is none of ${IDFA_TARGETINGS.join(', ')}`);
  if (!isIos && text !== 'ALL') throw invalidField(field, 'there is no IDFA on ANDROID');
  return text;
}
