import type { Gatherer } from '../gather.ts';

/** Every gatherer by name. Adding one is a file beside this list and a row in it. */
export const gatherers = {} as const satisfies Record<string, Gatherer>;
