import type { FigureFacts } from './element-facts.ts';
import {
  buildElementPlace,
  type ElementCollector,
  extractElementText,
  type Frame,
  getAttribute,
  hasListRoom,
  isPixel,
  type PageReadState,
  toAbsolutePageUrl,
} from './state.ts';

/** Notes what the browser fetches for an element. */
export function recordSubresource(reading: PageReadState, frame: Frame, url: string): void {
  if (url === '' || url.slice(0, 5) === 'data:' || !hasListRoom(reading, 'subresources')) return;
  reading.subresources.push({ tag: frame.name, url, line: frame.line });
}

/** The absolute URL of an attribute, '' when it is absent, empty or no URL. */
const resolveAttributeUrl = (reading: PageReadState, frame: Frame, name: string): string =>
  getAttribute(frame, name).trim() === '' ? '' : toAbsolutePageUrl(reading, getAttribute(frame, name));

const CAPTCHA_URLS: readonly (readonly [string, RegExp])[] = [
  ['recaptcha', /^https?:\/\/(?:www\.)?(?:google\.com|gstatic\.com|recaptcha\.net)\/recaptcha\//i],
  ['hcaptcha', /^https?:\/\/(?:[a-z-]{1,20}\.)?hcaptcha\.com\//i],
  ['turnstile', /^https?:\/\/challenges\.cloudflare\.com\/turnstile\//i],
];

/** Notes a captcha service by the address of its script or frame. */
export function recordCaptcha(reading: PageReadState, url: string): void {
  if (url === '') return;
  for (const [service, pattern] of CAPTCHA_URLS) if (pattern.test(url)) reading.captchas.add(service);
}

/** Pages that show nothing but a video, made for embedding in a frame. */
const VIDEO_FRAMES =
  /^https?:\/\/(?:(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/|player\.vimeo\.com\/video\/|(?:www\.|geo\.)?dailymotion\.com\/(?:embed|player)|fast\.wistia\.(?:net|com)\/embed\/|(?:www\.)?loom\.com\/embed\/|player\.twitch\.tv\/|player\.bilibili\.com\/|rutube\.ru\/play\/embed\/|(?:iframe|customer-\w{1,40})\.(?:videodelivery\.net|cloudflarestream\.com)\/|players\.brightcove\.net\/|video\.wordpress\.com\/embed\/|videopress\.com\/embed\/)/i;

/** An `iframe` or `frame`: its own content is never shown, so it is read though it is skipped. */
export const collectFrame: ElementCollector = (reading, element) => {
  const src = resolveAttributeUrl(reading, element, 'src');
  recordSubresource(reading, element, src);
  recordCaptcha(reading, src);
  if (VIDEO_FRAMES.test(src) && hasListRoom(reading, 'videos'))
    reading.videos.push({ ...buildElementPlace(element), kind: 'embed', src, tracks: 0 });
  if (!hasListRoom(reading, 'frames')) return;
  const hidden = isPixel(element) ? ({ hidden: 'zero-size' } as const) : {};
  reading.frames.push({ ...hidden, ...buildElementPlace(element), src, title: getAttribute(element, 'title').trim() });
};

const createLoadCollector =
  (name: string): ElementCollector =>
  (reading, element) =>
    recordSubresource(reading, element, resolveAttributeUrl(reading, element, name));

const collectVideo: ElementCollector = (reading, element) => {
  const src = resolveAttributeUrl(reading, element, 'src');
  recordSubresource(reading, element, src);
  const entry = hasListRoom(reading, 'videos')
    ? { ...buildElementPlace(element), kind: 'video' as const, src, tracks: 0 }
    : undefined;
  if (entry) reading.videos.push(entry);
  reading.openVideo = entry;
  return () => {
    reading.openVideo = undefined;
  };
};

/** A source of video or audio; in a `picture` it has a `srcset`, which only the rendered page chooses from. */
const collectSource: ElementCollector = (reading, element) => {
  const src = resolveAttributeUrl(reading, element, 'src');
  recordSubresource(reading, element, src);
  if (reading.openVideo?.src === '') reading.openVideo.src = src;
};

/** Kinds that tell what is said or shown; without the attribute a track has subtitles (HTML, 4.8.12). */
const TEXT_TRACKS = new Set(['', 'subtitles', 'captions', 'descriptions']);

const track: ElementCollector = (reading, element) => {
  recordSubresource(reading, element, resolveAttributeUrl(reading, element, 'src'));
  const kind = getAttribute(element, 'kind').trim().toLowerCase();
  if (reading.openVideo && TEXT_TRACKS.has(kind)) reading.openVideo.tracks += 1;
};

const collectFigure: ElementCollector = (reading, element) => {
  const entry: FigureFacts | undefined = hasListRoom(reading, 'figures')
    ? { ...buildElementPlace(element), holds: 'other', caption: '' }
    : undefined;
  if (entry) reading.figures.push(entry);
  reading.openFigures.push(entry);
  const before = countHeld(reading);
  return () => {
    reading.openFigures.pop();
    if (!entry) return;
    const after = countHeld(reading);
    const kinds = ['table', 'media', 'image'] as const;
    entry.holds = kinds.find((kind) => after[kind] > before[kind]) ?? 'other';
  };
};

type FigureContents = Record<'table' | 'media' | 'image', number>;

/** Counts the tables, media and frames, images and drawings so far: the difference gives what an element holds. */
export function countHeld({ elements, images }: PageReadState): FigureContents {
  const sum = (...names: readonly string[]): number =>
    names.reduce((total, name) => total + (elements.get(name) ?? 0), 0);
  return {
    table: sum('table'),
    media: sum('video', 'audio', 'iframe', 'embed', 'object'),
    image: images.length + sum('picture', 'svg', 'canvas'),
  };
}

const collectFigcaption: ElementCollector = (reading, element) => {
  const open = reading.openFigures.at(-1);
  if (!open) return undefined;
  return () => {
    open.caption = extractElementText(reading, element);
  };
};

export const embedOpeners: readonly (readonly [string, ElementCollector])[] = [
  ['video', collectVideo],
  ['audio', createLoadCollector('src')],
  ['source', collectSource],
  ['track', track],
  ['embed', createLoadCollector('src')],
  ['object', createLoadCollector('data')],
  ['frame', collectFrame],
  ['figure', collectFigure],
  ['figcaption', collectFigcaption],
];
