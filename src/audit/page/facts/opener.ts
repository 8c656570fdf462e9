import type { Frame, PageReadState } from './state.ts';

/** Collects what an element is when it opens; a returned function runs when it closes and its text is complete. */
export type ElementCollector = (reading: PageReadState, frame: Frame) => (() => void) | undefined | void;
