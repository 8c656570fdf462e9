import type { RenderedLook, RenderedTarget } from '../../../src/audit/rendered/facts/rendered-look.ts';
import { SITE } from './site-fetch.ts';

/** What a browser showed of a page: this HTML after its scripts, and nothing else worth a word. */
export const buildLook = (html: string, more: Partial<RenderedLook> = {}): RenderedLook => ({
  ok: true,
  url: `${SITE}/`,
  html,
  truncated: false,
  settled: true,
  frames: 0,
  shadowRoots: 0,
  targets: [],
  overlays: [],
  tools: [],
  errors: [],
  consoleErrors: [],
  requests: { made: 0, bytes: 0, refused: {} },
  ...more,
});

/** A button of 100 by 40 pixels, named, with nothing near it. */
export const buildTarget = (more: Partial<RenderedTarget> = {}): RenderedTarget => ({
  tag: 'button',
  x: 0,
  y: 0,
  width: 100,
  height: 40,
  inline: false,
  media: false,
  native: false,
  role: 'button',
  name: 'Send',
  ...more,
});
