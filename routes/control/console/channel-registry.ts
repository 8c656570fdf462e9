import * as z from 'zod';
import type { ControlEnv } from '../bindings/env.ts';
import type { NothingToShow } from './console-request.ts';
import type { Signal } from '../../../src/web/console/overview.tsx';

/** The webhook Worker, which has channels and dead messages; undefined where there is none. */
export const getConsoleDesk = ({ CONSOLE_DESK }: ControlEnv) => CONSOLE_DESK;

export const NO_DESK: NothingToShow = {
  status: 503,
  title: 'There is no webhook Worker here',
  detail: 'This deployment receives no notifications of a directory: the service CONSOLE_DESK is not bound.',
};

export const NO_REGISTRY_SIGNAL: Signal = {
  mood: 'idle',
  text: 'Not here',
  figure: 'None',
  note: 'There is no webhook Worker here.',
};

/** A field that was left empty was not filled in. */
export const defineOptionalField = <T extends z.ZodType>(schema: T) =>
  z.preprocess((given) => (given === '' ? undefined : given), schema.optional());

/** Ids at the vendor, of channels, and of watches. */
export const ID = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
/** The number of a row, as the webhook Worker gives it. */
export const CURSOR = z.string().regex(/^[1-9]\d{0,14}$/);

/** What was filled in, without the rest. */
export const selectGivenFields = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== undefined)) as {
    [name in keyof T]?: NonNullable<T[name]>;
  };

export const refusePageFilter = (detail: string): NothingToShow => ({
  status: 400,
  title: 'That is no filter of this page',
  detail,
});
