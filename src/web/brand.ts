import { PRODUCT } from '../lib/product.ts';

/**
 * The name and the words that pages carry. To brand a deployment change the name in `lib/product.ts`, these words, the colours in `styles/tokens.css` and
 * `static/icon.svg`: no page names them on its own.
 */
export const brand = {
  name: PRODUCT,
  /** One line under the name, and in the description of pages without one of their own. */
  tagline: 'What AI systems can see of a website or a brand',
} as const;
