import { computeNextMailDayMs } from './mail-book.ts';
import type { Mail } from './mail.ts';

/** What became of a mail. `code`: that of the platform, or a word of ours. */
export type MailSent =
  | { is: 'sent' }
  | { is: 'again'; code: string; afterMs?: number }
  | { is: 'refused'; code: string; disable: boolean };

/** Sends one mail from the address of the deployment. */
export type SendMailPort = { send: (mail: Mail) => Promise<MailSent> };
/** The same for mails of text alone, too. */
export type PlainMailPort = { send: (mail: Omit<Mail, 'html'> & Partial<Pick<Mail, 'html'>>) => Promise<MailSent> };

/** The part of the platform's `send_email` binding that is used. */
export type SendMailBinding = {
  send: (message: {
    from: { email: string; name: string };
    to: string;
    subject: string;
    text: string;
    html?: string;
    headers: Record<string, string>;
  }) => Promise<unknown>;
};

/** The address itself takes no mail of ours: it bounced, or called one spam. */
const GONE_CODES: readonly string[] = ['E_RECIPIENT_SUPPRESSED'];
/** Of this mail, which no other try makes better. */
const FINAL_CODES =
  /^E_(?:RECIPIENT_NOT_ALLOWED|VALIDATION_ERROR|FIELD_MISSING|TOO_MANY_RECIPIENTS|CONTENT_TOO_LARGE|HEADERS?_\w+)$/;
const DAILY_CODE = 'E_DAILY_LIMIT_EXCEEDED';
/** As the platform writes its codes; what else an error says may quote an address. */
const CODE = /^E_[A-Z_]{1,60}$/;

/**
 * Mail by the platform's `send_email` binding. What the operator can put right, such as a sender that is not verified, is
 * tried again.
 * @see https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
export const createMailPort = (
  binding: SendMailBinding,
  { from, name, now }: { from: string; name: string; now: () => number },
): PlainMailPort => ({
  async send({ headers, ...mail }) {
    try {
      await binding.send({ from: { email: from, name }, ...mail, headers: { ...headers } });
      return { is: 'sent' };
    } catch (error) {
      return classifyMailError(error, now());
    }
  },
});

function classifyMailError(error: unknown, nowMs: number): MailSent {
  const given = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const code = typeof given === 'string' && CODE.test(given) ? given.toLowerCase() : 'mail_failed';
  const upper = code.toUpperCase();
  if (GONE_CODES.includes(upper)) return { is: 'refused', code, disable: true };
  if (FINAL_CODES.test(upper)) return { is: 'refused', code, disable: false };
  return { is: 'again', code, ...(upper === DAILY_CODE && { afterMs: computeNextMailDayMs(nowMs) - nowMs }) };
}
