import { toHex } from '../../lib/digest.ts';
import { encodeBase64 } from './bytes.ts';
import {
  FINAL_FROM_MICRO_USDC,
  MAX_FURTHER_WAY_BYTES,
  MAX_PAYMENT_REQUIRED_BYTES,
  MICRO_USDC_PER_USD,
} from './constants.ts';
import { BASE, requireEvm } from './networks-data.ts';
import { formatSpendControl, isOverClientCap } from './spend-control.ts';
import { buildProofDomain } from '../rails/transfer/payer-proof.ts';
import { type PricedOffer, buildRequirements } from './terms.ts';

/** The terms on which a plain USDC transfer is taken as payment. */
type TransferTerms = {
  /** Oldest accepted transfer, in seconds. */
  maxAgeS: number;
  /** Confirmations below 1 USD, and what is asked from 1 USD on (rule P25). */
  confirmations: { small: number; large: number | 'safe' };
  /** From this amount (micro-USDC) on, price or transfer, a payer proof is required (rules P6, P9); undefined: never. */
  proofFromMicroUsdc: number | undefined;
  /** From `computePayerProofSalt(BASE_URL)`. */
  proofSalt: string;
};

/**
 * The `direct-transfer` extension of a 402: how to pay by a transfer and present its hash. It is an extension and no
 * entry of `accepts`, because official clients would take such an entry for an authorization and sign it. Short on
 * purpose: clients send extensions back inside the credential. What it means is in the OpenAPI document (`TransferTerms`).
 */
function describeDirectTransfer(offer: PricedOffer, terms: TransferTerms): { info: object; schema: object } {
  const { confirmations, proofFromMicroUsdc } = terms;
  const { id, chainId } = requireEvm(offer.network ?? BASE);
  const final = offer.amountMicroUsdc >= FINAL_FROM_MICRO_USDC;
  const proofRequired = proofFromMicroUsdc !== undefined && offer.amountMicroUsdc >= proofFromMicroUsdc;
  return {
    info: {
      network: id,
      maxAgeSeconds: terms.maxAgeS,
      confirmations: final ? confirmations.large : confirmations.small,
      excess: 'not refunded',
      bareHash: proofRequired ? 'refused' : describeBareHash(proofFromMicroUsdc),
      proofRequired,
      proof: {
        domain: buildProofDomain(terms.proofSalt, chainId),
        capability: offer.name,
      },
    },
    schema: { type: 'object' },
  };
}

/** Who may take a transfer by its hash alone. The amount is what was transferred, not the price. */
const describeBareHash = (proofFromMicroUsdc: number | undefined): string => {
  if (proofFromMicroUsdc === undefined) return 'first presenter';
  return `first presenter; from ${proofFromMicroUsdc / MICRO_USDC_PER_USD} USDC by proof only`;
};

/** A 402: the PAYMENT-REQUIRED header value, the same object as JSON text, and the quote that both carry. */
export type FreshTerms = { header: string; body: string; quote: string };

export type PaymentRequiredTemplate = {
  /**
   * Terms with a new quote. Costs 16 random bytes and the encoding of 33 when no `error` is given; with one, the text
   * is laid out anew.
   * @param error why this 402 is answered, for people and agents; default: that payment is required.
   * @param members more top-level members of the body (not of the header), e.g. `{ code, input_errors }`.
   */
  fresh(error?: string, members?: Readonly<Record<string, unknown>>): FreshTerms;
};

/** Members of `resource` that directories list a service by; the limits are those of x402. */
export type ServiceListing = { serviceName: string; tags: string[]; iconUrl: string };

export type PaymentRequiredOptions = {
  /** Left out where no plain transfer is taken: then the 402 does not offer it. */
  transfer?: TransferTerms;
  /** The `bazaar` extension block of the route, for crawlers. */
  bazaar?: unknown;
  /** What directories show of the service beside the description of the route. */
  listing?: ServiceListing;
  /** The same offer on further networks, in the order in which the 402 lists them. */
  others?: readonly PricedOffer[];
};

/** Where a quote goes. No text before the last of them can hold this: its `"` would be escaped. */
const QUOTE_MARK = '"quote":"';
/** A quote is 128 random bits (rule P1). */
const QUOTE_BYTES = 16;
const encoder = new TextEncoder();

/**
 * Lays out the 402 of an offer once, so that each answer only needs a fresh quote spliced in: the parts of the base64 text
 * between the quotes, one for each way to pay, are kept. For that each part is filled up with JSON whitespace to a multiple
 * of three bytes, and quote and closing `"` are 33 bytes, so that the parts encode on their own.
 * @throws RangeError when the terms are larger than clients can send back (`MAX_PAYMENT_REQUIRED_BYTES`).
 */
export function prepareTemplate(offer: PricedOffer, options: PaymentRequiredOptions): PaymentRequiredTemplate {
  const terms = buildPaymentRequired(offer, options);
  const plain = splitAtQuotes({ ...terms, error: buildDefaultError(offer) });
  const most = computeMostBytes(terms.accepts.length);
  if (plain.bytes > most)
    throw new RangeError(`the payment terms of ${offer.name} are ${plain.bytes} bytes, over ${most}`);
  return {
    fresh(error, members) {
      const layout = error === undefined ? plain : splitAtQuotes({ ...terms, error });
      const terms402 = splice(layout);
      return members === undefined ? terms402 : { ...terms402, body: withMembers(terms402.body, members) };
    },
  };
}

/** Largest PaymentRequired with so many ways to pay, in bytes of JSON. */
const computeMostBytes = (ways: number): number => MAX_PAYMENT_REQUIRED_BYTES + (ways - 1) * MAX_FURTHER_WAY_BYTES;

type Terms = ReturnType<typeof buildPaymentRequired>;

/** What is sold, as x402 describes a resource. */
export const describeResource = ({ url, description }: PricedOffer, listing?: ServiceListing) => ({
  url,
  description,
  mimeType: 'application/json',
  ...listing,
});

function buildPaymentRequired(offer: PricedOffer, { transfer, bazaar, listing, others = [] }: PaymentRequiredOptions) {
  return {
    x402Version: 2,
    error: '',
    resource: describeResource(offer, listing),
    accepts: [offer, ...others].map((one) => buildRequirements(one, one.amountMicroUsdc, '')),
    extensions: {
      ...(bazaar === undefined ? {} : { bazaar }),
      'payment-identifier': PAYMENT_IDENTIFIER,
      ...(transfer === undefined ? {} : { 'direct-transfer': describeDirectTransfer(offer, transfer) }),
    },
  };
}

/** @see https://github.com/x402-foundation/x402/blob/main/specs/extensions/payment_identifier.md */
const PAYMENT_IDENTIFIER = {
  info: { required: false },
  schema: { type: 'object', properties: { id: { type: 'string', pattern: '^[a-zA-Z0-9_-]{16,128}$' } } },
};

const buildDefaultError = ({ amountMicroUsdc }: PricedOffer): string =>
  isOverClientCap(amountMicroUsdc)
    ? `Payment required. x402 clients stop at 1 USD: ${formatSpendControl(amountMicroUsdc)}`
    : 'Payment required';

/** A part of the terms as text and as base64: all but the last end where a quote goes. */
type Part = { text: string; text64: string };
type Layout = { parts: readonly Part[]; bytes: number };

function splitAtQuotes(terms: Terms): Layout {
  const json = JSON.stringify(terms);
  const texts: string[] = [];
  let from = 0;
  for (const _way of terms.accepts) {
    const at = json.indexOf(QUOTE_MARK, from) + QUOTE_MARK.length;
    texts.push(fillUp(json.slice(from, at)));
    from = at + 1; // The closing `"` goes with the quote.
  }
  texts.push(json.slice(from));
  const parts = texts.map((text) => ({ text, text64: encodeBase64(encoder.encode(text)) }));
  const quotes = terms.accepts.length * (2 * QUOTE_BYTES + 1);
  return { parts, bytes: encoder.encode(texts.join('')).byteLength + quotes };
}

/** Fills a part up to a multiple of three bytes, after its first character: whitespace means nothing there. */
function fillUp(text: string): string {
  const length = encoder.encode(text).byteLength;
  return `${text.slice(0, 1)}${' '.repeat((3 - (length % 3)) % 3)}${text.slice(1)}`;
}

function splice({ parts }: Layout): FreshTerms {
  const quote = toHex(crypto.getRandomValues(new Uint8Array(QUOTE_BYTES)));
  const segment = `${quote}"`;
  return {
    header: parts.map(({ text64 }) => text64).join(btoa(segment)),
    body: parts.map(({ text }) => text).join(segment),
    quote,
  };
}

function withMembers(body: string, members: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(members);
  return json === '{}' ? body : `${json.slice(0, -1)},${body.slice(1)}`;
}
