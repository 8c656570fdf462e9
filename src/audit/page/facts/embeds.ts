import type { Opener } from './opener.ts';
import type { FigureFacts } from './extras.ts';
import { type Frame, type Reading, absolute, attribute, hasRoom, isPixel, ownText, place } from './state.ts';

/** Notes what the browser fetches for an element. */
export function noteSubresource(reading: Reading, frame: Frame, url: string): void {
  if (url === '' || url.slice(0, 5) === 'data:' || !hasRoom(reading, 'subresources')) return;
  reading.subresources.push({ tag: frame.name, url, line: frame.line });
}

/** The absolute URL of an attribute, '' when it is absent, empty or no URL. */
const urlOf = (reading: Reading, frame: Frame, name: string): string =>
  attribute(frame, name).trim() === '' ? '' : absolute(reading, attribute(frame, name));

const CAPTCHA_URLS: readonly (readonly [string, RegExp])[] = [
  ['recaptcha', /^https?:\/\/(?:www\.)?(?:google\.com|gstatic\.com|recaptcha\.net)\/recaptcha\//i],
  ['hcaptcha', /^https?:\/\/(?:[a-z-]{1,20}\.)?hcaptcha\.com\//i],
  ['turnstile', /^https?:\/\/challenges\.cloudflare\.com\/turnstile\//i],
];

/** Notes a captcha service by the address of its script or frame. */
export function noteCaptcha(reading: Reading, url: string): void {
  if (url === '') return;
  for (const [service, pattern] of CAPTCHA_URLS) if (pattern.test(url)) reading.captchas.add(service);
}

/** Pages that show nothing but a video, made to stand in a frame. */
const VIDEO_FRAMES =
  /^https?:\/\/(?:(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/|player\.vimeo\.com\/video\/|(?:www\.|geo\.)?dailymotion\.com\/(?:embed|player)|fast\.wistia\.(?:net|com)\/embed\/|(?:www\.)?loom\.com\/embed\/|player\.twitch\.tv\/|player\.bilibili\.com\/|rutube\.ru\/play\/embed\/|(?:iframe|customer-\w{1,40})\.(?:videodelivery\.net|cloudflarestream\.com)\/|players\.brightcove\.net\/|video\.wordpress\.com\/embed\/|videopress\.com\/embed\/)/i;

/** An `iframe` or `frame`: its own content is never shown, so it is read though it is skipped. */
export const frame: Opener = (reading, element) => {
  const src = urlOf(reading, element, 'src');
  noteSubresource(reading, element, src);
  noteCaptcha(reading, src);
  if (VIDEO_FRAMES.test(src) && hasRoom(reading, 'videos'))
    reading.videos.push({ ...place(element), kind: 'embed', src, tracks: 0 });
  if (!hasRoom(reading, 'frames')) return;
  const hidden = isPixel(element) ? ({ hidden: 'zero-size' } as const) : {};
  reading.frames.push({ ...hidden, ...place(element), src, title: attribute(element, 'title').trim() });
};

const loaded =
  (name: string): Opener =>
  (reading, element) =>
    noteSubresource(reading, element, urlOf(reading, element, name));

const video: Opener = (reading, element) => {
  const src = urlOf(reading, element, 'src');
  noteSubresource(reading, element, src);
  const entry = hasRoom(reading, 'videos') ? { ...place(element), kind: 'video' as const, src, tracks: 0 } : undefined;
  if (entry) reading.videos.push(entry);
  reading.openVideo = entry;
  return () => {
    reading.openVideo = undefined;
  };
};

/** A source of video or audio; in a `picture` it has a `srcset`, which only the rendered page chooses from. */
const source: Opener = (reading, element) => {
  const src = urlOf(reading, element, 'src');
  noteSubresource(reading, element, src);
  if (reading.openVideo?.src === '') reading.openVideo.src = src;
};

/** Kinds that tell what is said or shown; without the attribute a track has subtitles (HTML, 4.8.12). */
const TEXT_TRACKS = new Set(['', 'subtitles', 'captions', 'descriptions']);

const track: Opener = (reading, element) => {
  noteSubresource(reading, element, urlOf(reading, element, 'src'));
  const kind = attribute(element, 'kind').trim().toLowerCase();
  if (reading.openVideo && TEXT_TRACKS.has(kind)) reading.openVideo.tracks += 1;
};

const figure: Opener = (reading, element) => {
  const entry: FigureFacts | undefined = hasRoom(reading, 'figures')
    ? { ...place(element), holds: 'other', caption: '' }
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

type Held = Record<'table' | 'media' | 'image', number>;

/** How many tables, media and frames, images and drawings were met so far: the difference tells what an element holds. */
export function countHeld({ elements, images }: Reading): Held {
  const sum = (...names: readonly string[]): number =>
    names.reduce((total, name) => total + (elements.get(name) ?? 0), 0);
  return {
    table: sum('table'),
    media: sum('video', 'audio', 'iframe', 'embed', 'object'),
    image: images.length + sum('picture', 'svg', 'canvas'),
  };
}

const figcaption: Opener = (reading, element) => {
  const open = reading.openFigures.at(-1);
  if (!open) return undefined;
  return () => {
    open.caption = ownText(reading, element);
  };
};

export const embedOpeners: readonly (readonly [string, Opener])[] = [
  ['video', video],
  ['audio', loaded('src')],
  ['source', source],
  ['track', track],
  ['embed', loaded('src')],
  ['object', loaded('data')],
  ['frame', frame],
  ['figure', figure],
  ['figcaption', figcaption],
];
