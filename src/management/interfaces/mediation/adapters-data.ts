/**
 * Ad sources with their adapters, as a publisher's lists show them. Ids of ad sources: those of the AdMob Network,
 * Meta, AppLovin, Unity, Liftoff, Mintegral, InMobi, Pangle (bidding), ironSource (waterfall), DT Exchange, Chartboost,
 * Tapjoy, maio, myTarget, nend, i-mobile and custom events are in public code that reads AdMob's reports (seen
 * 2026-11); `remembered` marks those that are from memory. Labels of settings: the networks' own set-up pages, from
 * memory. Ids of the adapters and settings of custom events are the vendor's (its sample code
 * googleads/googleads-admob-api-samples, `eap/xflow_appscript_add_on/constants.js`); all others are ours: the vendor
 * shows them only to accounts with limited access.
 */

/** A setting that a mapping gives for the adapter's network. */
export type SettingRow = { label: string; optional?: true };

export type AdSourceRow = {
  id: string;
  title: string;
  /** How its price comes about: `LIVE` of bidding sources, `MANUAL` of the others. */
  kind: 'network' | 'bidding' | 'waterfall';
  formats: readonly string[];
  settings: readonly SettingRow[];
  /** Id of its adapter for Android; the next number is that for iOS. */
  adapter: number;
  /** Id of the first setting of its adapter for Android; the others follow, then those for iOS. Without it ids are ours. */
  firstSetting?: number;
  remembered?: true;
};

const FULL_SCREEN = ['INTERSTITIAL', 'REWARDED'] as const;
const COMMON = ['BANNER', ...FULL_SCREEN] as const;
const WITH_NATIVE = [...COMMON, 'NATIVE'] as const;
const REWARDING = [...COMMON, 'REWARDED_INTERSTITIAL'] as const;
const NATIVE_REWARDING = [...WITH_NATIVE, 'REWARDED_INTERSTITIAL'] as const;
const ALL = [...NATIVE_REWARDING, 'APP_OPEN'] as const;

const settings = (...labels: readonly string[]): readonly SettingRow[] => labels.map((label) => ({ label }));

const AD_UNIT: readonly SettingRow[] = [{ label: 'Ad Unit ID', optional: true }];
const APPLOVIN: readonly SettingRow[] = [{ label: 'SDK Key' }, { label: 'Zone ID', optional: true }];
const META = settings('Placement ID');
const UNITY = settings('Game ID', 'Placement ID');
const LIFTOFF = settings('Application ID', 'Placement Reference ID');
const MINTEGRAL = settings('App Key', 'App ID', 'Placement ID', 'Ad Unit ID');
const INMOBI = settings('Account ID', 'Placement ID');
const PANGLE = settings('App ID', 'Placement ID');
const IRONSOURCE = settings('App Key', 'Instance ID');
const CUSTOM_EVENT = [...settings('Label', 'Class Name'), { label: 'Parameter', optional: true }] as const;
const DT_EXCHANGE = settings('Application ID', 'Ad Spot ID');

export const AD_SOURCES: readonly AdSourceRow[] = [
  source('5450213213286189855', 'AdMob Network', 'network', ALL, AD_UNIT, 101),
  source('1215381445328257950', 'AdMob Network Waterfall', 'waterfall', ALL, AD_UNIT, 103),
  source('1328079684332308356', 'AppLovin (bidding)', 'bidding', ALL, APPLOVIN, 105),
  source('1063618907739174004', 'AppLovin', 'waterfall', ALL, APPLOVIN, 107),
  source('11198165126854996598', 'Meta Audience Network (bidding)', 'bidding', NATIVE_REWARDING, META, 109),
  source('10568273599589928883', 'Meta Audience Network', 'waterfall', WITH_NATIVE, META, 111),
  source('7069338991535737586', 'Unity Ads (bidding)', 'bidding', REWARDING, UNITY, 113),
  source('4970775877303683148', 'Unity Ads', 'waterfall', REWARDING, UNITY, 115),
  source('4692500501762622185', 'Liftoff Monetize (bidding)', 'bidding', ALL, LIFTOFF, 117),
  source('1953547073528090325', 'Liftoff Monetize', 'waterfall', ALL, LIFTOFF, 119),
  source('6250601289653372374', 'Mintegral (bidding)', 'bidding', ALL, MINTEGRAL, 121),
  source('1357746574408896200', 'Mintegral', 'waterfall', ALL, MINTEGRAL, 123),
  source('6325663098072678541', 'InMobi (bidding)', 'bidding', WITH_NATIVE, INMOBI, 125),
  source('7681903010231960328', 'InMobi', 'waterfall', WITH_NATIVE, INMOBI, 127),
  source('3525379893916449117', 'Pangle (bidding)', 'bidding', ALL, PANGLE, 129),
  { ...source('4069896914521993236', 'Pangle', 'waterfall', ALL, PANGLE, 131), remembered: true },
  {
    ...source('1643326773739866623', 'ironSource Ads (bidding)', 'bidding', COMMON, IRONSOURCE, 133),
    remembered: true,
  },
  source('6925240245545091930', 'ironSource Ads', 'waterfall', COMMON, IRONSOURCE, 135),
  source('2179455223494392917', 'DT Exchange', 'waterfall', COMMON, DT_EXCHANGE, 137),
  source(
    '2873236629771172317',
    'Chartboost',
    'waterfall',
    COMMON,
    settings('App ID', 'App Signature', 'Ad Location'),
    139,
  ),
  source('7295217276740746030', 'Tapjoy', 'waterfall', FULL_SCREEN, settings('SDK Key', 'Placement Name'), 141),
  source('7505118203095108657', 'maio', 'waterfall', FULL_SCREEN, settings('Media ID', 'Zone ID'), 143),
  source('8450873672465271579', 'myTarget', 'waterfall', WITH_NATIVE, settings('Slot ID'), 145),
  source('9383070032774777750', 'nend', 'waterfall', WITH_NATIVE, settings('API Key', 'Spot ID'), 147),
  source(
    '5208827440166355534',
    'i-mobile',
    'waterfall',
    WITH_NATIVE,
    settings('Publisher ID', 'Media ID', 'Spot ID'),
    149,
  ),
  { ...source('18351550913290782395', 'Custom Event', 'waterfall', ALL, CUSTOM_EVENT, 12), firstSetting: 13 },
];

/** Mobile platforms that every ad source has an adapter for, in the order of their ids. */
export const PLATFORMS = ['ANDROID', 'IOS'] as const;

function source(
  id: string,
  title: string,
  kind: AdSourceRow['kind'],
  formats: readonly string[],
  of: readonly SettingRow[],
  adapter: number,
): AdSourceRow {
  return { id, title, kind, formats, settings: of, adapter };
}
