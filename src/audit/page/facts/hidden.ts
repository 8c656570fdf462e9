import type { Attributes, HiddenHow } from './element-facts.ts';

/** A style longer than this is not read to its end. */
const STYLE_CHARS = 1000;

/** Lengths of zero and lengths far to the left or above, as inline styles spell them. */
const STYLES: readonly (readonly [RegExp, HiddenHow])[] = [
  [/(?:^|;)\s*display\s*:\s*none\b/i, 'display-none'],
  [/(?:^|;)\s*visibility\s*:\s*(?:hidden|collapse)\b/i, 'visibility-hidden'],
  [/(?:^|;)\s*font-size\s*:\s*0(?:\.0+)?(?:px|em|rem|pt|%)?\s*(?:;|!|$)/i, 'font-size-0'],
  [/(?:^|;)\s*(?:left|right|top|text-indent|margin-left)\s*:\s*-\d{4,6}(?:px|em|rem|pt|%)?\s*(?:;|!|$)/i, 'off-screen'],
];
// Height alone is no sign: a closed accordion has none either, and opens.
const NO_WIDTH = /(?:^|;)\s*(?:max-)?width\s*:\s*[01](?:\.0+)?(?:px)?\s*(?:;|!|$)/i;
const NO_HEIGHT = /(?:^|;)\s*(?:max-)?height\s*:\s*[01](?:\.0+)?(?:px)?\s*(?:;|!|$)/i;
const COLOUR = /(?:^|;)\s*color\s*:\s*([^;!]{1,60})/i;
const BACKGROUND = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]{1,60})/i;

/** Why the element's own attributes hide it: the `hidden` attribute, an inline style, or `aria-hidden`. Style sheets are not read. */
export function findHiddenReason(attributes: Attributes): HiddenHow | undefined {
  const hidden = attributes['hidden'];
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return 'hidden-attribute';
  const style = attributes['style']?.slice(0, STYLE_CHARS);
  const byStyle = style === undefined ? undefined : findStyleReason(style);
  if (byStyle) return byStyle;
  return attributes['aria-hidden']?.toLowerCase() === 'true' ? 'aria-hidden' : undefined;
}

function findStyleReason(style: string): HiddenHow | undefined {
  const known = STYLES.find(([pattern]) => pattern.test(style));
  if (known) return known[1];
  if (NO_WIDTH.test(style) && NO_HEIGHT.test(style)) return 'zero-size';
  const colour = normaliseColour(COLOUR, style);
  return colour !== '' && colour === normaliseColour(BACKGROUND, style) ? 'same-colour' : undefined;
}

const NAMES: Readonly<Record<string, string>> = { white: 'ffffff', black: '000000', transparent: '00000000' };

/** A colour spelled one way: `#FFF`, `white`, `rgb(255, 255, 255)` and `#ffffff` are one. */
function normaliseColour(property: RegExp, style: string): string {
  const raw = (property.exec(style)?.[1] ?? '').trim().toLowerCase();
  const rgb = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(raw);
  if (rgb)
    return rgb
      .slice(1)
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('');
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/.exec(raw)?.[1];
  if (hex !== undefined) return hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
  return Object.hasOwn(NAMES, raw) ? (NAMES[raw] ?? raw) : raw;
}
