import type {
  AriaElement,
  ClientInclude,
  FigureFacts,
  FrameFacts,
  ScriptTag,
  Subresource,
  TabPanel,
  VideoFacts,
} from './extras.ts';

/** What the pass collects for the extra facts; lists fill in document order. */
export type ExtrasReading = {
  /** Where the first `h1` or `main` starts in the text stream. */
  preambleEnd: number | undefined;
  noscripts: string[];
  scriptTags: ScriptTag[];
  subresources: Subresource[];
  frames: FrameFacts[];
  videos: VideoFacts[];
  figures: FigureFacts[];
  tabPanels: TabPanel[];
  roles: Map<string, number>;
  aria: AriaElement[];
  includes: ClientInclude[];
  inlineChars: { state: number; dataUri: number; svg: number };
  captchas: Set<string>;
  modelContext: Set<'document' | 'navigator'>;
  openFigures: (FigureFacts | undefined)[];
  openVideo: VideoFacts | undefined;
  openNoscript: { parts: string[]; chars: number } | undefined;
  /** The outermost open `svg`: where its markup starts, and whether the page shows it (not in a template or noscript). */
  openSvg: { from: number; live: boolean } | undefined;
  /** Offsets in the HTML of the tag that is read now. */
  tagStart: number;
  tagEnd: number;
};

export const newExtrasReading = (): ExtrasReading => ({
  preambleEnd: undefined,
  noscripts: [],
  scriptTags: [],
  subresources: [],
  frames: [],
  videos: [],
  figures: [],
  tabPanels: [],
  roles: new Map(),
  aria: [],
  includes: [],
  inlineChars: { state: 0, dataUri: 0, svg: 0 },
  captchas: new Set(),
  modelContext: new Set(),
  openFigures: [],
  openVideo: undefined,
  openNoscript: undefined,
  openSvg: undefined,
  tagStart: 0,
  tagEnd: 0,
});
