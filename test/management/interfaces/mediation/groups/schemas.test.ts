import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { validateTargeting } from '../../../../../src/management/interfaces/mediation/groups/schemas.ts';
import { Refusal } from '../../../../../src/lib/refusal.ts';

const DIGITS = '9876543210987654';
const UNIT = `ca-app-pub-${DIGITS}/1234567890`;
const TARGETING = { platform: 'IOS', format: 'BANNER', adUnitIds: [UNIT], idfaTargeting: 'ALL' };

function refusalOf(sent: JsonObject): string {
  try {
    validateTargeting(sent, DIGITS);
  } catch (error) {
    if (error instanceof Refusal) return `${error.data.status} ${error.data.message}`;
    throw error;
  }
  throw new Error('It was not refused');
}

describe('targeting', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['platform', { platform: 'iOS' }, { platform: 'IOS' }],
    ['platform', { platform: 'ios' }, { platform: 'IOS' }],
    ['format', { format: 'Rewarded_Interstitial' }, { format: 'REWARDED_INTERSTITIAL' }],
    ['ad units', { adUnitIds: ['1234567890', UNIT] }, { adUnitIds: [UNIT] }],
    ['regions', { targetedRegionCodes: ['us', 'US', 'De'] }, { targetedRegionCodes: ['US', 'DE'] }],
    ['regions of digits', { targetedRegionCodes: ['419', '001'] }, { targetedRegionCodes: ['419', '001'] }],
    ['excluded regions', { excludedRegionCodes: ['fr'] }, { excludedRegionCodes: ['FR'] }],
    ['IDFA', { idfaTargeting: 'NOT_AVAILABLE' }, { idfaTargeting: 'NOT_AVAILABLE' }],
    ['IDFA', { idfaTargeting: 'IDFA_TARGETING_UNSPECIFIED' }, { idfaTargeting: 'ALL' }],
    ['fields of lists', { adUnits: ['9999999999'] }, {}],
  ])('is kept in one spelling of %s: %j', (_what, sent, shown) => {
    expect(validateTargeting({ ...TARGETING, ...sent }, DIGITS)).toEqual({ ...TARGETING, ...shown });
  });

  test('needs no ad units', () => {
    expect(validateTargeting({ platform: 'IOS', format: 'NATIVE' }, DIGITS)).toEqual({
      platform: 'IOS',
      format: 'NATIVE',
      idfaTargeting: 'ALL',
    });
  });

  test('says of IDFA on Android what was said, which can only be ALL', () => {
    const android = { platform: 'android', format: 'APP_OPEN' };
    expect(validateTargeting(android, DIGITS)).toEqual({ platform: 'ANDROID', format: 'APP_OPEN' });
    expect(validateTargeting({ ...android, idfaTargeting: 'ALL' }, DIGITS)).toMatchObject({ idfaTargeting: 'ALL' });
    expect(refusalOf({ ...android, idfaTargeting: 'AVAILABLE' })).toContain('there is no IDFA on ANDROID');
  });

  test.each<[string, JsonObject, string]>([
    ['no platform', { platform: '' }, '400 Missing required field: targeting.platform'],
    ['another platform', { platform: 'WINDOWS_PHONE' }, '"WINDOWS_PHONE" is none of ANDROID, IOS'],
    ['a platform of the object prototype', { platform: 'constructor' }, 'is none of ANDROID, IOS'],
    ['no format', { format: '' }, '400 Missing required field: targeting.format'],
    ['another format', { format: 'POPUP' }, 'targeting.format: "POPUP" is none of APP_OPEN, BANNER'],
    ['a fragment of nine digits', { adUnitIds: ['123456789'] }, 'is no ad unit id of this publisher'],
    ['an ad unit with spaces', { adUnitIds: [` ${UNIT}`] }, 'is no ad unit id of this publisher'],
    ['the id of an app', { adUnitIds: [UNIT.replace('/', '~')] }, 'is no ad unit id of this publisher'],
    ['a region of three letters', { targetedRegionCodes: ['USA'] }, '"USA" is no region code of two letters'],
    [
      'a region of two digits',
      { excludedRegionCodes: ['42'] },
      '"42" is no region code of two letters or three digits',
    ],
    ['a region of four digits', { excludedRegionCodes: ['4190'] }, '"4190" is no region code'],
    ['the unknown region', { targetedRegionCodes: ['US', 'zz'] }, '"zz" is no region code'],
    [
      'a region on both sides',
      { targetedRegionCodes: ['US', 'de'], excludedRegionCodes: ['DE'] },
      'DE is also in targeting.targetedRegionCodes',
    ],
    ['251 regions', { targetedRegionCodes: Array.from({ length: 251 }, () => 'US') }, 'it has more than 250 regions'],
    ['an IDFA that there is not', { idfaTargeting: 'SOME' }, '"SOME" is none of ALL, AVAILABLE, NOT_AVAILABLE'],
  ])('is refused with %s', (_what, more, message) => {
    const refused = refusalOf({ ...TARGETING, ...more });
    expect(refused).toMatch(/^400 /);
    expect(refused).toContain(message);
  });

  test('K1: is refused with an ad unit of another publisher', () => {
    const adUnitIds = [UNIT, 'ca-app-pub-1111111111111111/1234567890'];
    expect(refusalOf({ ...TARGETING, adUnitIds })).toContain('is no ad unit id of this publisher');
  });

  test('K9: has at most 1,000 ad units', () => {
    const units = (count: number) => Array.from({ length: count }, (_, at) => String(1_000_000_000 + at));
    expect(validateTargeting({ ...TARGETING, adUnitIds: units(1_000) }, DIGITS)['adUnitIds']).toHaveLength(1_000);
    expect(refusalOf({ ...TARGETING, adUnitIds: units(1_001) })).toContain('a group targets at most 1000 ad units');
  });
});
