/** Differences below this are of the network and of rounding, in milliseconds. */
const NOTED_FROM_MS = 60_000;

/** The time of the service, by the difference to the clock of this machine. */
export type ServiceTime = { aheadMs: number };

/**
 * What the service's clock says, from the `Date` header of its answer: a payment is judged by that clock, and the one of
 * this machine may be hours off. Without a header the local clock is all there is.
 */
export function readServiceTime(dateHeader: string | null, localMs: number): ServiceTime {
  const serviceMs = dateHeader === null ? Number.NaN : Date.parse(dateHeader);
  const aheadMs = Number.isNaN(serviceMs) ? 0 : serviceMs - localMs;
  return { aheadMs: Math.abs(aheadMs) < NOTED_FROM_MS ? 0 : aheadMs };
}

/** Unix seconds by the service's clock. */
export const computeServiceNowS = ({ aheadMs }: ServiceTime, localMs: number): number =>
  Math.floor((localMs + aheadMs) / 1000);
