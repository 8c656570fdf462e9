import { isObject } from '../../../lib/json.ts';

/**
 * Whether a value has a type. Pages read a few small answers, so that guards are enough: a library of schemas would be as
 * large as what sells.
 */
type Guard<T> = (value: unknown) => value is T;
type Guards = Readonly<Record<string, Guard<unknown>>>;
type Shaped<Shape extends Guards> = { readonly [Name in keyof Shape]: Shape[Name] extends Guard<infer T> ? T : never };

export const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** For a member that may be absent; null is not absent. */
export const isAbsentOr =
  <T>(isPresent: Guard<T>): Guard<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || isPresent(value);

export const isEither =
  <One, Other>(isOne: Guard<One>, isOther: Guard<Other>): Guard<One | Other> =>
  (value): value is One | Other =>
    isOne(value) || isOther(value);

export const isListOf =
  <T>(isItem: Guard<T>): Guard<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every((item) => isItem(item));

/** An object with these members. It may have others, which nothing has judged. */
export const hasShape =
  <Shape extends Guards>(shape: Shape): Guard<Shaped<Shape>> =>
  (value): value is Shaped<Shape> =>
    isObject(value) && Object.entries(shape).every(([name, isMember]) => isMember(value[name]));
