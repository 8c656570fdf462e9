import { decodePercentOrKeep } from '../../../lib/percent.ts';

/** Words that name a change of state, as path segments, query keys and their values spell them. */
const VERBS =
  '(?:delete|remove|destroy|log[-_]?out|log[-_]?off|sign[-_]?out|unsubscribe|add[-_]?to[-_]?(?:cart|basket|bag|trolley)|in[-_]den[-_]warenkorb(?:[-_]legen)?|ajouter[-_]au[-_]panier)';
const EXTENSION = '(?:\\.(?:php|aspx?|jsp|do|cgi))?';
const SEGMENT = new RegExp(
  `^(?:${VERBS}|(?:delete|remove)[-_](?:item|account|user|product|post|comment|file|all))${EXTENSION}$`,
  'i',
);
const KEY = new RegExp(`^(?:${VERBS}|(?:delete|remove)[-_](?:item|id|all))$`, 'i');
/** Query keys whose value says what is to be done. */
const ACTION_KEYS = new Set(['action', 'act', 'do', 'op', 'cmd', 'command', '_method', 'task', 'route']);

const CARTS =
  'cart|basket|bag|trolley|shopping[-_]?cart|shopping[-_]?basket|warenkorb|einkaufswagen|panier|carrito|cesta|carrello|winkelwagen|winkelmand|koszyk|carrinho|varukorg|handlekurv|indkøbskurv';
const ADDS =
  'add|add[-_]?(?:item|product|line)|hinzuf(?:ue|ü)gen|ajouter|agregar|a(?:n|ñ)adir|aggiungi|toevoegen|dodaj|adicionar';
const CART = new RegExp(`^(?:${CARTS})${EXTENSION}$`, 'iu');
const ADD = new RegExp(`^(?:${ADDS})${EXTENSION}$`, 'iu');
/** One segment with both: `cart_add.php`, `basket-add`, `addcart`. */
const CART_ADD = new RegExp(`^(?:(?:${CARTS})[-_]?(?:${ADDS})|(?:${ADDS})[-_]?(?:${CARTS}))${EXTENSION}$`, 'iu');
const BUY = new RegExp(`^(?:buy|order|kaufen|bestellen|acheter|comprar|acquista|bestel|kup)${EXTENSION}$`, 'iu');
/** Query keys that say how many of something. */
const QUANTITY = /^(?:qty|quantity|anzahl|menge|quantite|cantidad|quantita|aantal)$/i;
/** What a link says that puts something into a basket. */
const PUTS =
  /\b(?:add|put)\b.{0,30}\b(?:cart|basket|bag|trolley)\b|\bin den (?:warenkorb|einkaufswagen)\b|\bau panier\b|\bal (?:carrito|carrello)\b|\ba la cesta\b|\bin (?:winkelwagen|winkelmand)\b|\bdo koszyka\b|\bao carrinho\b|в корзину/iu;

/** Places where such words are talked about rather than done. */
const TALKS_ABOUT =
  /\/(?:docs?|documentation|reference|api|apis|guides?|help|support|manual|man|learn|tutorials?|blog|news|articles?|wiki|kb|faqs?|glossary|examples?|changelog)(?:\/|$)/i;

/** Longer queries are not read to their end. */
const MAX_PARAMETERS = 50;
const MAX_TEXT_CHARS = 200;

/**
 * The word by which following a link would change something, in lower case; undefined when neither its address nor, beside
 * the address of a basket, its text has one.
 */
export function findStateChangeWord(url: URL, text = ''): string | undefined {
  const parameters = [...url.searchParams].slice(0, MAX_PARAMETERS);
  const segments = TALKS_ABOUT.test(url.pathname) ? [] : url.pathname.split('/').map(decodePercentOrKeep);
  const segment = segments.find((part) => SEGMENT.test(part) || CART_ADD.test(part));
  if (segment !== undefined) return segment.toLowerCase();
  for (const [key, value] of parameters) {
    if (KEY.test(key)) return key.toLowerCase();
    if (ACTION_KEYS.has(key.toLowerCase()) && (KEY.test(value.split('/').at(-1) ?? '') || isCartPath(value.split('/'))))
      return value.toLowerCase();
  }
  return findCartWord(segments, parameters, text.slice(0, MAX_TEXT_CHARS));
}

/** `/cart/add/5`, `checkout/cart/add`: a basket, then what is done to it; or `/add/basket`. */
const isCartPath = (segments: readonly string[]): boolean =>
  segments.some(
    (part, index) =>
      (CART.test(part) && ADD.test(segments[index + 1] ?? '')) ||
      (ADD.test(part) && CART.test(segments[index + 1] ?? '')),
  );

function findCartWord(
  segments: readonly string[],
  parameters: readonly (readonly [string, string])[],
  text: string,
): string | undefined {
  if (isCartPath(segments)) return segments.join('/').toLowerCase().slice(1);
  const cart = segments.find((part) => CART.test(part))?.toLowerCase();
  const adds = parameters.some(
    ([key, value]) => ADD.test(key) || (ACTION_KEYS.has(key.toLowerCase()) && ADD.test(value)),
  );
  if (cart !== undefined && adds) return `${cart}?add`;
  const takes = cart !== undefined || segments.some((part) => BUY.test(part));
  const counted = parameters.some(([key]) => QUANTITY.test(key));
  if (parameters.length > 0 && (takes || counted) && PUTS.test(text)) return cart ?? 'add to basket';
  return undefined;
}
