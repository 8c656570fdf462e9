import { generateRandomHex, isSameText } from '../../lib/digest.ts';
import type { RunStatement } from '../../lib/sqlite.ts';
import { DAY_MS, formatIsoDay } from '../../lib/time.ts';
import type { MailProofs } from '../core/protocol.ts';

/** Mails of one account in a day of UTC, those that confirm an address among them. */
export const MAX_MAILS_PER_DAY = 20;
/** Mails of one account in a day that ask the same address, for so many monitors. */
export const MAX_QUESTIONS_PER_DAY = 3;
/** So long an address that wanted no mail before it was confirmed gets no other confirmation mail from the same account. */
const KEEP_REFUSED_MS = 365 * DAY_MS;
const KEEP_COUNTED_MS = 3 * DAY_MS;
/** Unguessable part of a link in a mail. */
const PROOF_BYTES = 16;

/** When mails of an account may go again: the next day of UTC. */
export const computeNextMailDayMs = (nowMs: number): number => nowMs - (nowMs % DAY_MS) + DAY_MS;

function countMails(run: RunStatement, account: string, nowMs: number): number {
  const [row] = run(
    'SELECT count(*) AS mails FROM alert_mail WHERE account = ? AND day = ?',
    account,
    formatIsoDay(nowMs),
  );
  return Number(row?.['mails']);
}

/** Whether an account may send so many more mails today. */
export const hasMailRoom = (run: RunStatement, account: string, mails: number, nowMs: number): boolean =>
  countMails(run, account, nowMs) + mails <= MAX_MAILS_PER_DAY;

type CountedMail = { account: string; id: string; address: string; kind: string };

/** Counts a mail, once a day however often it is tried. @returns false where the day has no room for it */
export function takeMail(run: RunStatement, { account, id, address, kind }: CountedMail, nowMs: number): boolean {
  const day = formatIsoDay(nowMs);
  const known = run('SELECT 1 FROM alert_mail WHERE account = ? AND day = ? AND delivery = ?', account, day, id);
  if (known.length > 0) return true;
  if (!hasMailRoom(run, account, 1, nowMs)) return false;
  run('DELETE FROM alert_mail WHERE day < ?', formatIsoDay(nowMs - KEEP_COUNTED_MS));
  run('INSERT INTO alert_mail VALUES (?, ?, ?, ?, ?)', account, day, id, address, kind);
  return true;
}

/** A mail was sent: sent again, because its owner asks for it, it is one more of that day. */
export const closeMail = (run: RunStatement, account: string, id: string, attempt: number): unknown =>
  run('UPDATE alert_mail SET delivery = ? WHERE account = ? AND delivery = ?', `${id} ${attempt}`, account, id);

/** Why an address gets no confirmation mail of this account now; undefined where it may. */
export function findConfirmationRefusal(
  run: RunStatement,
  account: string,
  address: string,
  nowMs: number,
): 'address_refused' | 'asked_today' | undefined {
  run('DELETE FROM mail_refused WHERE at_ms < ?', nowMs - KEEP_REFUSED_MS);
  if (run('SELECT 1 FROM mail_refused WHERE account = ? AND address = ?', account, address).length > 0)
    return 'address_refused';
  const [row] = run(
    `SELECT count(*) AS mails FROM alert_mail WHERE account = ? AND day = ? AND address = ? AND kind = 'confirmation'`,
    account,
    formatIsoDay(nowMs),
    address,
  );
  return Number(row?.['mails']) >= MAX_QUESTIONS_PER_DAY ? 'asked_today' : undefined;
}

/** The owner of this address wants no questions of this account. */
export const recordRefusedAddress = (run: RunStatement, account: string, address: string, nowMs: number): unknown =>
  run('INSERT OR REPLACE INTO mail_refused VALUES (?, ?, ?)', account, address, nowMs);

/** Makes what the links in mails to a receiver prove. */
export function makeMailProofs(run: RunStatement, monitorId: string, receiverId: string): void {
  const [confirm, unsubscribe] = [generateRandomHex(PROOF_BYTES), generateRandomHex(PROOF_BYTES)];
  run('INSERT OR IGNORE INTO mail_proof VALUES (?, ?, ?, ?)', receiverId, monitorId, confirm, unsubscribe);
}

export function findMailProofs(run: RunStatement, monitorId: string, receiverId: string): MailProofs | undefined {
  const [row] = run(
    'SELECT confirm, unsubscribe FROM mail_proof WHERE receiver = ? AND monitor = ?',
    receiverId,
    monitorId,
  );
  return row && { confirm: String(row['confirm']), unsubscribe: String(row['unsubscribe']) };
}

/** Whether a link of a mail to this receiver has been followed. */
export function isMailProof(
  run: RunStatement,
  { monitorId, receiverId, proof }: { monitorId: string; receiverId: string; proof: string },
  use: keyof MailProofs,
): boolean {
  const proofs = findMailProofs(run, monitorId, receiverId);
  return proofs !== undefined && isSameText(proofs[use], proof);
}
