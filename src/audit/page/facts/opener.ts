import type { Frame, Reading } from './state.ts';

/** Collects what an element is when it opens; a returned function runs when it closes and its text is complete. */
export type Opener = (reading: Reading, frame: Frame) => (() => void) | undefined | void;
