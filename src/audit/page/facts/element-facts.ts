/** Landmark nearest around an element; the header and footer of an article or section are not the page's. */
export type Region = 'main' | 'nav' | 'header' | 'footer' | 'aside' | 'none';

/** Why a reader of the rendered page does not see an element. `aria-hidden` is seen, but not by assistive technology. */
export type HiddenHow =
  | 'hidden-attribute'
  | 'display-none'
  | 'visibility-hidden'
  | 'font-size-0'
  | 'zero-size'
  | 'same-colour'
  | 'off-screen'
  | 'aria-hidden';

/**
 * Where an element is: 1-based line, landmark, whether it is in the main content, and why it is hidden (if it is).
 * `block` is the index of its content block, from which `inContent` is set when the page was read.
 */
export type ElementPlace = { line: number; region: Region; inContent: boolean; block: number; hidden?: HiddenHow };

/** A `script` that may run: `src` absolute, '' for an inline one. JSON-LD and other data blocks are not listed. */
export type ScriptTag = { src: string; type: string; async: boolean; defer: boolean; inHead: boolean; line: number };

/**
 * Something the browser fetches and runs or shows by itself: script, stylesheet (`link`), frame, object, image, media,
 * text track, and what an inline `style` imports or takes a font from. `url` is absolute; data: URLs and sources that resolve to nothing are not listed.
 */
export type Subresource = { tag: string; url: string; line: number };

/** An `iframe` or `frame`; `src` absolute, '' when it has none. One of at most 1x1 pixel is hidden as `zero-size`. */
export type FrameFacts = ElementPlace & { src: string; title: string };

/** A `video` element, or a frame of a known video host (`embed`). `tracks` counts subtitles, captions and descriptions. */
export type VideoFacts = ElementPlace & { kind: 'video' | 'embed'; src: string; tracks: number };

/** A `figure`; `holds` a table before media before an image (svg and canvas are images); `caption` the text of its `figcaption` or ''. */
export type FigureFacts = ElementPlace & { holds: 'image' | 'table' | 'media' | 'other'; caption: string };

/** A `[role=tabpanel]`: the characters of its text, hidden ones counted too, and how many images, media, frames, drawings and controls it holds. */
export type TabPanel = ElementPlace & { id: string; chars: number; others: number };

/**
 * An element with a role or an `aria-*` attribute; `attributes` holds the `aria-*` ones only, lower-case names, values
 * cut at `attributeChars`. `role` is lower case as written: it may hold several names, or ''.
 */
export type AriaElement = {
  tag: string;
  role: string;
  attributes: Readonly<Record<string, string>>;
  line: number;
};

/** Content that a reader must fetch anew, e.g. `hx-get` with `hx-trigger="load"`, or a client-side include. */
export type ClientInclude = ElementPlace & { how: string; url: string };

/** The part of the page facts that serves agents more than readers. Lists are bounded like those of `PageFacts`. */
export type PageExtras = {
  /** Characters of `text` before the first `h1` or `main` that is seen, whichever comes first; null when there is neither. */
  preambleChars: number | null;
  /** Characters of text hidden from view (`aria-hidden` not counted: it is seen). Closed `details` are not hidden. */
  hiddenChars: number;
  /** Texts of `noscript` elements. */
  noscripts: readonly string[];
  /** Texts of `s`, `del` and `strike`: what the page says holds no longer. */
  struck: readonly string[];
  scriptTags: readonly ScriptTag[];
  subresources: readonly Subresource[];
  frames: readonly FrameFacts[];
  videos: readonly VideoFacts[];
  figures: readonly FigureFacts[];
  tabPanels: readonly TabPanel[];
  /** How many elements carry each `role`, by its first name. */
  roles: Readonly<Record<string, number>>;
  aria: readonly AriaElement[];
  /** Ids that more than one element has, among those in `ids`. */
  duplicateIds: readonly string[];
  includes: readonly ClientInclude[];
  /** Characters of inline JSON state (not JSON-LD), of data: URIs in attributes and style sheets, and of inline `svg` markup. */
  inlineChars: { state: number; dataUri: number; svg: number };
  /** Captcha services whose script or widget is in the page: `recaptcha`, `hcaptcha`, `turnstile`. */
  captchas: readonly string[];
  /** Inline scripts that name the WebMCP interface: `document.modelContext`, `navigator.modelContext` (removed). */
  modelContext: readonly ('document' | 'navigator')[];
};

/**
 * An element that its class, `itemprop`, `property` (RDFa) or `rel` calls an author or a date of publication. `by` says which of them;
 * `machine` is the value in an attribute (`content`, `datetime`, `title`), '' when there is none.
 */
export type NamedText = ElementPlace & {
  what: 'author' | 'date';
  by: 'class' | 'itemprop' | 'property' | 'rel';
  text: string;
  machine: string;
  /** Its classes and id, lower case, where it is named by one of them. */
  classes: readonly string[];
  /** Inside comments, related stories and the like. */
  aside: boolean;
};

/** Attributes of an element as they are written, by lower-case name. */
export type Attributes = Readonly<Record<string, string>>;
