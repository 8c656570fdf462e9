/** What goes wrong with one call. "after" has had its effect before. */
export type FaultKind =
  | 'cut before'
  | 'cut after'
  | '404 before'
  | '500 before'
  | '500 after'
  | '503 before'
  | '429 before';
/** Those that may pass, so that the same call is worth another try. */
export const FAULT_KINDS: readonly FaultKind[] = [
  'cut before',
  'cut after',
  '500 before',
  '500 after',
  '503 before',
  '429 before',
];

/** One call as it was received. */
export type ReceivedCall = {
  /** From 1, in the order of arrival. */
  readonly n: number;
  readonly method: string;
  readonly path: string;
  /** It could change something. */
  readonly isWrite: boolean;
};

/** Says what goes wrong with a call; undefined where nothing does. */
export type FaultPlan = (call: ReceivedCall) => FaultKind | undefined;

/** From the n-th call on, so many fail: one is a hiccup, `Infinity` an outage. */
export const failFrom =
  (n: number, kind: FaultKind, times: number): FaultPlan =>
  (call) =>
    call.n >= n && call.n < n + times ? kind : undefined;

/** Fails one call: the first of those that `isMeant` takes. */
export function failOnce(isMeant: (call: ReceivedCall) => boolean, kind: FaultKind): FaultPlan {
  let isLeft = true;
  return (call) => {
    if (!isLeft || !isMeant(call)) return undefined;
    isLeft = false;
    return kind;
  };
}
