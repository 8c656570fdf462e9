import type { ChatEngine } from '../../search/search-object.ts';

/** A message as engines take it. */
export type EngineMessage = Parameters<ChatEngine['reply']>[0][number];
