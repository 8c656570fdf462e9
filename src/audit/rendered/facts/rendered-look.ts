import * as z from 'zod';

/** Bounds of what is kept of a rendered page: it goes into the snapshot, and the page chose all of it. */
export const LOOK_LIMITS = {
  /** Characters of the page's HTML after its scripts ran. */
  htmlChars: 3_000_000,
  /** Nodes that are written out. */
  nodes: 200_000,
  /** Things to click or fill in. */
  targets: 300,
  overlays: 5,
  /** Controls of one overlay. */
  closers: 20,
  tools: 50,
  errors: 20,
  /** Names, descriptions, messages. */
  textChars: 300,
  urlChars: 2_000,
  refusals: 30,
} as const;

const text = z.string().max(LOOK_LIMITS.textChars);
const px = z.number().min(-1e7).max(1e7);
const url = z.string().max(LOOK_LIMITS.urlChars);

/** Something to click or fill in, as the browser laid it out and as the accessibility tree names it. Sizes in CSS pixels. */
const target = z.object({
  tag: text,
  x: px,
  y: px,
  width: px,
  height: px,
  /** A link inside a sentence, whose size its text gives. */
  inline: z.boolean(),
  /** It contains a picture, which the look does not load: its size says nothing. */
  media: z.boolean(),
  /** A control that the browser itself draws in its own size. */
  native: z.boolean(),
  /** Role and name in the accessibility tree; null where the browser did not say. */
  role: text.nullable(),
  name: text.nullable(),
});

/** Something that lies over the page. */
const overlay = z.object({
  selector: text,
  /** Of the window that it covers, 0 to 1. */
  share: z.number().min(0).max(1),
  /** Its part of the text of the page: the frame of an application is no overlay. */
  textShare: z.number().min(0).max(1),
  /** It is, has or is in a dialog. */
  dialog: z.boolean(),
  /** Name of the dialog in the accessibility tree; null where there is no dialog. */
  name: text.nullable(),
  /** Names of its buttons and links. */
  controls: z.array(text.nullable()).max(LOOK_LIMITS.closers),
});

/** A tool that the page registered with the browser. `declarative`: by the attributes of a form. */
const tool = z.object({
  name: text,
  description: text,
  hasSchema: z.boolean(),
  declarative: z.boolean(),
});

/** What a browser showed of a page after its scripts ran. */
const look = z.object({
  ok: z.literal(true),
  /** Where the page was in the end: a script may lead on. */
  url,
  html: z.string().max(LOOK_LIMITS.htmlChars),
  truncated: z.boolean(),
  /** False: the page was still at work when its time was over, and was stopped. */
  settled: z.boolean(),
  frames: z.int().min(0),
  shadowRoots: z.int().min(0),
  targets: z.array(target).max(LOOK_LIMITS.targets),
  overlays: z.array(overlay).max(LOOK_LIMITS.overlays),
  /** null: the browser does not know the interface. */
  tools: z.array(tool).max(LOOK_LIMITS.tools).nullable(),
  /** Exceptions of scripts that nothing caught. */
  errors: z.array(text).max(LOOK_LIMITS.errors),
  /** What scripts wrote to the console as errors. */
  consoleErrors: z.array(text).max(LOOK_LIMITS.errors),
  requests: z.object({
    made: z.int().min(0),
    bytes: z.int().min(0),
    /** What the page asked for and did not get, by reason. */
    refused: z.record(z.string().max(60), z.int().min(1)),
  }),
});

const noLook = z.object({ ok: z.literal(false), reason: z.string().max(60), detail: text });

/** What a snapshot keeps of the look: in snapshots of before, and where no browser was asked for, there is none. */
export const renderedSchema = z.discriminatedUnion('ok', [look, noLook]);

export type RenderedLook = z.infer<typeof look>;
export type RenderedTarget = z.infer<typeof target>;
export type RenderedOverlay = z.infer<typeof overlay>;
export type RenderedTool = z.infer<typeof tool>;

/** Why a browser showed nothing. Stable words, as they appear in reports. */
export type NoLookReason =
  | 'browser_unavailable'
  | 'browser_failed'
  | 'page_crashed'
  | 'page_busy'
  | 'not_shown'
  | 'not_html';
export type Rendered = RenderedLook | { ok: false; reason: NoLookReason; detail: string };

/** Refusals after which a page may lack text that others see; what is refused by its nature is none of them. */
const HARMLESS_REFUSALS = new Set(['service_worker', 'private_target', 'foreign_document', 'scheme_refused']);

/** Whether the page asked for something and did not get it, so that its scripts may have made less of it. */
export const isHindered = ({ requests }: RenderedLook): boolean =>
  Object.keys(requests.refused).some((reason) => !HARMLESS_REFUSALS.has(reason));
