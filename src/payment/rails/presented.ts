import type { PaymentReason } from '../terms/reasons.ts';
import type { CredentialCarrier } from './rail.ts';
import { carriers } from './rails.ts';

/** A credential as it came, and where it was: nothing of it has been read. */
export type PresentedCredential = { carrier: CredentialCarrier; text: string };

export type FoundPayment =
  | { kind: 'none' }
  | ({ kind: 'credential' } & PresentedCredential)
  | { kind: 'refused'; reason: Extract<PaymentReason, 'invalid_payload' | 'several_payments'>; detail: string };

/** A header of the request by its lower-case name. */
type ReadHeader = (name: string) => string | null | undefined;

/**
 * The one payment that a request brings, in its headers or, by MCP, in `_meta`. A payment that is there twice, in header and
 * `_meta`, is one; two of them are refused before either is looked at, because only one could be used.
 */
export function findPresented(
  readHeader: ReadHeader,
  meta: Readonly<Record<string, unknown>> = {},
  among: readonly CredentialCarrier[] = carriers,
): FoundPayment {
  const found: PresentedCredential[] = [];
  for (const carrier of among) {
    const here = readCarrier(carrier, readHeader, meta);
    if (here.kind === 'refused') return here;
    if (here.kind === 'credential') found.push(here);
  }
  const [first, second] = found;
  if (first === undefined) return { kind: 'none' };
  if (second === undefined) return { kind: 'credential', ...first };
  const detail = `${first.carrier.header} and ${second.carrier.header} bring a payment each: send one of them`;
  return { kind: 'refused', reason: 'several_payments', detail };
}

function readCarrier(
  carrier: CredentialCarrier,
  readHeader: ReadHeader,
  meta: Readonly<Record<string, unknown>>,
): FoundPayment {
  const value = readHeader(carrier.header.toLowerCase()) ?? undefined;
  const header = value === undefined ? undefined : carrier.readHeader(value);
  const given = meta[carrier.metaKey];
  const text = given === undefined ? undefined : carrier.readMeta(given);
  const place = `_meta["${carrier.metaKey}"]`;
  if (given !== undefined && text === undefined) return refuse(`${place} is neither ${carrier.metaForm}`);
  if (header !== undefined && text !== undefined && !carrier.isSame(header, text))
    return refuse(`${carrier.header} and ${place} are two different payments`);
  const presented = header ?? text;
  return presented === undefined ? { kind: 'none' } : { kind: 'credential', carrier, text: presented };
}

const refuse = (detail: string): FoundPayment => ({ kind: 'refused', reason: 'invalid_payload', detail });
