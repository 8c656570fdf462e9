import type { Asked } from './read-order.ts';
import type { PurchaseTools } from './tools.ts';

/**
 * Publishes what is sold, when its buyer asked for that in the body: after the sale, never before. A failure takes
 * nothing of the sale back: it is logged, and a repeat of the same request, or the buyer's publish token, does it again.
 * What its buyer took back a repeat does not publish: `tools.publish` leaves that alone.
 */
export async function publishIfAsked(
  tools: Pick<PurchaseTools, 'publish' | 'log'>,
  { input }: Pick<Asked, 'input'>,
  reportId: string,
): Promise<void> {
  if (input['publish'] !== true) return;
  try {
    await tools.publish(reportId);
  } catch (error) {
    tools.log({ event: 'publish_failed', error: error instanceof Error ? error.name : 'unknown' });
  }
}
