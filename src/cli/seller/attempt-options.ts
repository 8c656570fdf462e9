import type { AttemptProtocol } from '../../seller/attempts/payable.ts';

export type AttemptValues = {
  'test-wallet'?: string | undefined;
  'i-own-this'?: boolean | undefined;
  'max-usd'?: string | undefined;
  'other-route'?: string | undefined;
  'pay-by'?: AttemptProtocol | undefined;
  rpc?: string | undefined;
  data?: string | undefined;
};

/** The highest cap of one run, in USD. */
const MAX_CAP_USD = 20;

/** What is wrong with the options of the attempts; undefined where nothing is, or none is given. */
export function findAttemptFault(values: AttemptValues): string | undefined {
  const {
    'test-wallet': wallet,
    'i-own-this': isOwner,
    'max-usd': cap,
    'other-route': other,
    'pay-by': protocol,
  } = values;
  if (wallet === undefined) {
    const alone = [
      isOwner === true ? '--i-own-this' : '',
      cap === undefined ? '' : '--max-usd',
      other === undefined ? '' : '--other-route',
      protocol === undefined ? '' : '--pay-by',
    ];
    const named = alone.find((name) => name !== '');
    return named === undefined ? undefined : `${named} is of the attempts: name --test-wallet too.`;
  }
  if (isOwner !== true) return '--test-wallet pays and replays: add --i-own-this where the seller is yours.';
  if (cap !== undefined && !(Number(cap) > 0 && Number(cap) <= MAX_CAP_USD))
    return `--max-usd takes an amount up to ${MAX_CAP_USD}.`;
  return undefined;
}
