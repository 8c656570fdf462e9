/** Share of a channel in linear light (WCAG 2.2, relative luminance). */
const toLinear = (channel: number): number =>
  channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

const WEIGHTS = [0.2126, 0.7152, 0.0722] as const;

/** @param colour `#rrggbb` */
function computeLuminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return channels.reduce((sum, channel, place) => sum + toLinear(channel) * (WEIGHTS[place] ?? 0), 0);
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, contrast ratio). */
export function computeContrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [computeLuminance(one), computeLuminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
