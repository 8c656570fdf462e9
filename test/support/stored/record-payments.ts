import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import * as z from 'zod';
import { signTerms } from '../../conformance/support/mcp-client.ts';
import { presentUntilDecided, present, sign } from '../stack/presenting.ts';
import { callOnCredits } from './credit-call.ts';
import { made, type Recording } from './recording.ts';
import { ask } from './stack.ts';

const soldSchema = z.looseObject({
  report_id: z.string(),
  payment: z.looseObject({ transaction: z.string().optional() }),
});
const read = async (answer: Response) => {
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`not sold: ${answer.status} ${text.slice(0, 600)}`);
  return soldSchema.parse(JSON.parse(text));
};

/** An audit by signature that is published, another call by transfer, and a measurement. */
export async function recordSales({ stack, facts, secrets, reads }: Recording): Promise<void> {
  const url = `${stack.sites.good}/`;
  const sale = { capability: 'full_audit', body: { url, publish: true } };
  const credential = await sign(stack, stack.buyer, sale);
  const audit = await read(await presentUntilDecided(stack, sale, credential));
  facts.audit = {
    reportId: audit.report_id,
    transaction: audit.payment.transaction ?? '',
    host: new URL(url).host,
  };
  secrets.sale = { body: sale.body, credential };
  secrets.publishToken = z.string().parse(audit['publish_token']);

  const hash = await stack.chain.transfer(stack.buyer, stack.seller.address, 60_000n);
  const transferBody = { url };
  const moved = await read(await present(stack, { capability: 'check_health', body: transferBody }, hash));
  // What the chain says when it is presented once more is recorded too.
  const again = await present(stack, { capability: 'check_health', body: transferBody }, hash);
  if (again.status !== 409) throw new Error(`sold twice: ${again.status}`);
  facts.transfer = { reportId: moved.report_id, hash };
  secrets.transferBody = transferBody;

  const check = { capability: 'visibility_check', body: { brand: 'Example Desk', niche: 'help desk software' } };
  const signed = await sign(stack, stack.buyer, check);
  secrets.measurement = { body: check.body, credential: signed };
  const answer = await presentUntilDecided(stack, check, signed);
  const measured = await read(answer);
  facts.visibility = { reportId: measured.report_id, runId: z.string().parse(measured['run_id']) };

  for (const [name, id] of [
    ['audit', audit.report_id],
    ['transfer', moved.report_id],
    ['visibility', measured.report_id],
  ] as const) {
    reads.push({ name: `report of the ${name}`, at: 'api', call: `GET /reports/${id}.json` });
    reads.push({ name: `snapshot of the ${name}`, at: 'api', call: `GET /reports/${id}/snapshot` });
  }
  reads.push({ name: 'answers of the run', at: 'api', call: `GET /runs/${facts.visibility.runId}.json` });
}

/** A pack of credits for the buyer, and a call that is paid from it. The buyer is signed in already. */
export async function recordCredits(recording: Recording): Promise<void> {
  const { stack, facts, secrets, tokens } = recording;
  const unpaid = await ask({ at: 'api', call: 'POST /api/credits/5' });
  const terms = decodePaymentRequiredHeader(unpaid.headers.get('payment-required') ?? '');
  const credential = encodePaymentSignatureHeader(await signTerms(stack.buyer, terms));
  const headers = { 'payment-signature': credential };
  await made({ at: 'api', call: 'POST /api/credits/5', headers });
  secrets.creditsCredential = credential;
  secrets.creditCall = { url: `${stack.sites.good}/`, key: 'stored-call' };
  const { reportId, balance } = await callOnCredits(tokens.person ?? '', secrets.creditCall);
  facts.credits = { reportId, balance };
}
