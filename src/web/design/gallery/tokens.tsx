import { TableHead } from '../parts.tsx';
import { type ColourToken, colourTokens, spaceTokens, typeTokens } from './tokens-data.ts';

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

/** Sizes, distances and colours: what every part is made of. */
export const TokenSamples = () => (
  <>
    <section aria-labelledby="type">
      <h2 id="type">Type</h2>
      <ul class="samples">
        {typeTokens.map(([name, use]) => (
          <li>
            <span class={`type-${name}`}>What AI systems see of a site</span>{' '}
            <span class="small">
              <code>--size-{name}</code> {use}
            </span>
          </li>
        ))}
      </ul>
    </section>
    <section aria-labelledby="space">
      <h2 id="space">Spacing</h2>
      <ul class="samples">
        {spaceTokens.map((step) => (
          <li>
            <span class={`space space-${step}`} aria-hidden="true"></span>
            <code>--space-{step}</code>
          </li>
        ))}
      </ul>
    </section>
    <section aria-labelledby="colours">
      <h2 id="colours">Colours</h2>
      <p class="prose">
        Each token has a colour for a light and one for a dark scheme. The contrast is with the ground that it lies on.
      </p>
      <div class="scroll" tabindex={0} role="region" aria-label="Table of colours">
        <table>
          <TableHead columns={['Token', 'Light', { number: 'Contrast' }, 'Dark', { number: 'Contrast' }, 'On']} />
          <tbody>
            {colourTokens.map((token) => (
              <ColourRow token={token} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  </>
);

const ColourRow = ({ token }: { token: ColourToken }) => {
  const ground = colourTokens.find(({ name }) => name === token.on);
  return (
    <tr>
      <th scope="row">
        <code>--{token.name}</code>
      </th>
      <SchemeCells colour={token.light} ground={ground?.light} />
      <SchemeCells colour={token.dark} ground={ground?.dark} />
      <td>{ground === undefined ? '' : <code>--{ground.name}</code>}</td>
    </tr>
  );
};

const SchemeCells = ({ colour, ground }: { colour: string; ground: string | undefined }) => (
  <>
    <td>
      <svg class="swatch" viewBox="0 0 64 24" preserveAspectRatio="none" aria-hidden="true">
        <rect width="64" height="24" fill={colour} />
      </svg>
      <code>{colour}</code>
    </td>
    <td class="number">{ground === undefined ? '' : `${computeContrast(colour, ground).toFixed(1)}:1`}</td>
  </>
);
