import type { EngineLimits } from './engine-fetch.ts';

const MIB = 1024 * 1024;

/** What a streamed chat may take: a piece of text of a few bytes comes in some 250 bytes of JSON, and thoughts come along. */
export const CHAT_LIMITS: EngineLimits = { maxBytes: 8 * MIB, firstByteMs: 60_000, idleMs: 30_000 };

/** What vectors may take: 64 of them with 4,096 numbers of some 24 characters each. */
export const EMBEDDING_LIMITS: EngineLimits = { maxBytes: 8 * MIB, firstByteMs: 30_000, idleMs: 30_000 };

/** Numbers of a vector. */
export const MAX_DIMENSIONS = 4_096;

/** Longest reply to a chat, in bytes of UTF-8; what is beyond is cut off, and the engine stopped. */
export const MAX_REPLY_BYTES = 32 * 1024;
