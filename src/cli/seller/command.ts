import { SELLER_FETCH_LIMITS } from '../../seller/limits.ts';
import { readSeller } from '../../seller/reading/read-seller.ts';
import type { SellerReading } from '../../seller/reading/sighting.ts';
import { reportSeller, type SellerReport } from '../../seller/seller-report.ts';
import { createLocalFetch } from '../audit/local-fetch.ts';
import { chooseAddress, parseTypedTarget } from '../audit/typed-target.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { createNotes, writeResult } from '../core/output.ts';
import { refuseUnreadSite } from '../core/unreachable.ts';
import { EXIT } from '../core/usage.ts';
import { type AttemptValues, findAttemptFault } from './attempt-options.ts';
import { renderSeller } from './print-seller.ts';
import { createBuyerFetch } from './send-as-buyer.ts';

type Values = GivenWords<CommandTable['seller']['options']>['values'];

/** Longest body that is sent with `--data`, in characters. */
const MAX_DATA_CHARS = 64 * 1024;

/**
 * `sightline seller <url>`: reads a paid endpoint as a buyer does. It ends with 1 where `--min-score` is not reached, and with
 * 3 where the seller does not answer.
 */
export async function runSellerCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('seller', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const fault = findFault(values);
  if (fault !== undefined) return refuseUsage(fault);
  const target = parseTypedTarget(words[0] ?? '');
  if (!target.ok) return target.failure;
  const chosen = await chooseAddress(target, createNotes(values));
  if (!chosen.ok) return chosen.failure;
  const { url } = chosen;
  const ports = {
    ask: createLocalFetch(url, SELLER_FETCH_LIMITS),
    askAsBuyer: createBuyerFetch(url, { limits: SELLER_FETCH_LIMITS }),
    clock: Date.now,
  };
  const reading = await readSeller(url, ports, { isReadOnly: false, data: values.data });
  const unread = refuseUnread(reading);
  if (unread !== undefined) return unread;
  const tried = values['test-wallet'] === undefined ? undefined : await tryWithWallet(reading, values);
  if (isFailure(tried)) return tried;
  const report = reportSeller(reading, tried);
  const printed = writeResult(await renderSeller(report, values), values);
  return isFailure(printed) ? printed : judgeMinimum(report, values['min-score']);
}

/** A wallet needs viem, which reading does not. */
const tryWithWallet = async (reading: SellerReading, values: AttemptValues) =>
  (await import('./attempts.ts')).tryByWallet(reading, values, process.env);

function findFault({ data, 'min-score': least, ...values }: Values): string | undefined {
  if (data !== undefined && data.length > MAX_DATA_CHARS) return `--data takes at most ${MAX_DATA_CHARS} characters.`;
  if (least !== undefined && !(/^\d{1,3}$/.test(least) && Number(least) <= 100))
    return '--min-score takes a number from 0 to 100.';
  return findAttemptFault(values);
}

/** A seller of which no answer came at all. */
function refuseUnread({ url, sightings }: SellerReading): CommandFailure | undefined {
  const all = Object.values(sightings);
  if (all.some(({ answer }) => answer.ok)) return undefined;
  const [first] = all;
  const reason = first !== undefined && !first.answer.ok ? first.answer.reason : 'connection_failed';
  const tried = all.map(({ method, url: at, answer }) => `${method} ${at}: ${answer.ok ? '' : answer.detail}`);
  return refuseUnreadSite(url.host, reason, tried.slice(0, 3));
}

function judgeMinimum({ score }: SellerReport, least: string | undefined): CommandEnd {
  if (least === undefined || score >= Number(least)) return EXIT.done;
  return refuseCommand('below_minimum', `Below the minimum: ${score} < ${least}.`, EXIT.below);
}
