import { badRequest, shownText } from '../../core/conventions/invalid.ts';
import type { Context } from '../../core/engine/operation.ts';
import { Refusal } from '../../../lib/refusal.ts';

/** Names in the store. Parents are full names: `accounts/pub-1`, or of what stands below it. */
export const MEDIATION = {
  /** id = `pub-1`: publishers that a call named which was not refused. */
  publishers: 'mediation.publishers',
  /** parent = `accounts/pub-1`, id = `mediationGroupId`. */
  groups: 'mediation.groups',
  /** parent = `accounts/pub-1`, id = the ten digits of the app's id. */
  apps: 'mediation.apps',
  /** parent = `accounts/pub-1`, id = the ad unit's fragment; ref = `appId` (`ca-app-pub-1~2`). */
  adUnits: 'mediation.ad-units',
  /** parent = `accounts/pub-1`, id = digits; s1 = the ad unit's fragment. */
  mappings: 'mediation.ad-unit-mappings',
  /** parent = `accounts/pub-1/mediationGroups/2`, id = digits; s1 = `RUNNING` while it runs. */
  experiments: 'mediation.ab-experiments',
} as const;

/** Limits of a page of every list (the vendor's). */
export const MEDIATION_PAGE = { default: 10_000, max: 20_000 } as const;

/** An AdMob account: `accounts/pub-1` and the digits of it, which its ad units and apps begin with. */
export type Publisher = { name: string; digits: string };

const PUBLISHER = /^accounts\/pub-(\d{1,30})(?:\/|$)/;
const AD_UNIT = /^ca-app-pub-(\d{1,30})\/(\d{10})$/;
const FRAGMENT = /^\d{10}$/;
const ID_BYTES = 8;

/** The publisher whose name this is, or who owns what the name stands for. @throws Refusal 400 for another form */
export function publisherOf(name: string): Publisher {
  const [, digits] = PUBLISHER.exec(name) ?? [];
  if (digits === undefined)
    throw invalidField('name', `"${shownText(name)}" must begin with accounts/pub-[PUBLISHER_DIGITS]`);
  return { name: `accounts/pub-${digits}`, digits };
}

/** The whole id of an ad unit: `ca-app-pub-1/1234567890`. */
export const adUnitIdOf = (digits: string, fragment: string): string => `ca-app-pub-${digits}/${fragment}`;

/**
 * The fragment of an ad unit of this publisher, by its whole id or by the fragment alone (ten digits).
 * @returns undefined for any other text, and for an ad unit of another publisher (rule K1)
 */
export function fragmentOf(adUnit: string, digits: string): string | undefined {
  if (FRAGMENT.test(adUnit)) return adUnit;
  const [, owner, fragment] = AD_UNIT.exec(adUnit) ?? [];
  return owner === digits ? fragment : undefined;
}

/** A new id of so many digits (at most 17), the first of which is no zero. Whether it is taken is for the caller to see. */
export function newDigits({ random }: Context, length: number): string {
  const first = 10n ** BigInt(length - 1);
  return String(first + (BigInt(`0x${random(ID_BYTES)}`) % (9n * first)));
}

/** 400 for a field, with what is wrong with it: `must be ...`. */
export const invalidField = (field: string, why: string): Refusal =>
  new Refusal(badRequest([{ field, description: `Invalid value for ${field}: ${why}.` }]));

/** 429 for more than may be kept. */
export const exhausted = (message: string): Refusal =>
  new Refusal({ status: 429, word: 'RESOURCE_EXHAUSTED', reason: 'quotaExceeded', message });
