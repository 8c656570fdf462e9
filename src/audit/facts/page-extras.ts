import type { Place } from './page.ts';

/** A `script` that may run: `src` absolute, '' for an inline one. JSON-LD and other data blocks are not listed. */
export type ScriptTag = { src: string; type: string; async: boolean; defer: boolean; inHead: boolean; line: number };

/** Something the browser fetches and runs or shows by itself: script, stylesheet, frame, object, image or media. */
export type Subresource = { tag: string; url: string; line: number };

export type FrameFacts = Place & { src: string; title: string };

/** A `video` element, or a frame of a known video host (`embed`). `tracks` counts `track` elements of text. */
export type VideoFacts = Place & { kind: 'video' | 'embed'; src: string; tracks: number };

/** A `figure`; `holds` what it mainly shows, `caption` the text of its `figcaption` or ''. */
export type FigureFacts = Place & { holds: 'image' | 'table' | 'media' | 'other'; caption: string };

/** A `[role=tabpanel]` and the characters of its text, hidden ones counted too. */
export type TabPanel = Place & { id: string; chars: number };

/** An element with a role or an `aria-*` attribute; `attributes` holds those only, lower-case names. */
export type AriaElement = {
  tag: string;
  role: string;
  attributes: Readonly<Record<string, string>>;
  line: number;
};

/** Content that a reader must fetch anew, e.g. `hx-get` with `hx-trigger="load"`, or a client-side include. */
export type ClientInclude = Place & { how: string; url: string };

/** The part of the page facts that serves agents more than readers. Lists are bounded like those of `PageFacts`. */
export type PageExtras = {
  /** Characters of visible text before the first `h1` or `main`, whichever comes first; null when there is neither. */
  preambleChars: number | null;
  /** Characters of text hidden from view (`aria-hidden` not counted: it is seen). Closed `details` are not hidden. */
  hiddenChars: number;
  /** Texts of `noscript` elements. */
  noscripts: readonly string[];
  scriptTags: readonly ScriptTag[];
  subresources: readonly Subresource[];
  frames: readonly FrameFacts[];
  videos: readonly VideoFacts[];
  figures: readonly FigureFacts[];
  tabPanels: readonly TabPanel[];
  /** How many elements carry each `role`. */
  roles: Readonly<Record<string, number>>;
  aria: readonly AriaElement[];
  /** Ids that more than one element has. */
  duplicateIds: readonly string[];
  includes: readonly ClientInclude[];
  /** Characters of inline JSON state (not JSON-LD), of data: URIs in attributes and of inline `svg` markup. */
  inlineChars: { state: number; dataUri: number; svg: number };
  /** Captcha services whose script or widget stands in the page: `recaptcha`, `hcaptcha`, `turnstile`. */
  captchas: readonly string[];
  /** Inline scripts that name the WebMCP interface: `document.modelContext`, `navigator.modelContext` (deprecated). */
  modelContext: readonly ('document' | 'navigator')[];
};
