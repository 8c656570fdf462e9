import type { TabledRail } from './rail-cases.ts';
import * as challenges from './rules/challenges.ts';
import * as messages from './rules/messages.ts';
import * as repeats from './rules/repeats.ts';
import { type Column, doesNotApply } from './rules/rule.ts';
import * as settlement from './rules/settlement.ts';
import * as transfers from './rules/transfers.ts';

/** A rail by which a payer authorises, and a facilitator settles. */
export const authorizationColumn: Column = {
  P1: repeats.endsSecretless,
  P2: repeats.discardsStalled,
  P3: repeats.finishesWhatDied,
  P4: settlement.asksChainAfterRefusal,
  P5: settlement.limitsUnpaid,
  P6: transfers.creditsPayer,
  P7: settlement.keepsOurTerms,
  P8: transfers.takesItsNetwork,
  P9: transfers.restsAfterFailures,
  P10: doesNotApply('its signature is the payment: there is no proof beside it'),
  P11: repeats.keepsIds,
  P12: settlement.keepsNoForgery,
  P13: settlement.answersDoubt,
  P14: transfers.honoursOldPrice,
  P15: repeats.buysAfterFailure,
  P16: settlement.outlivesAuthorization,
  P17: settlement.boundsLife,
  P18: settlement.waitsForSafeBlock,
  P19: doesNotApply('it is in no block when it is presented: its times are judged by our clock (P17)'),
  P20: settlement.sellsNoSettlement,
  P21: repeats.hasOneKey,
  P22: repeats.scopesIdentifier,
  P23: repeats.bindsResource,
  P24: repeats.refusesSecondUnderNonce,
  P25: doesNotApply('it is sold by its settlement, whose receipt is read by P30'),
  P26: repeats.outlivesBuyer,
  P27: transfers.limitsFailures,
  P28: repeats.storesNoBuyer,
  P29: settlement.followsNoRedirect,
  P30: settlement.readsReceipts,
  P31: settlement.failsClosed,
};

/** MPP shows the same authorization, bound to a challenge; what an onlooker lacks is the payer's proof. */
const mppColumn: Column = {
  ...authorizationColumn,
  P1: repeats.givesBareHashNothing,
  P7: challenges.keepsIssuedTerms,
  P10: challenges.bindsRepeatProof,
  P13: (rail) => settlement.answersDoubt(challenges.withoutProof(rail)),
  P16: (rail) => settlement.outlivesAuthorization(challenges.withoutProof(rail)),
  P22: doesNotApply('its credential has no name for the purchase: the header Idempotency-Key gives it one'),
  P23: challenges.bindsRoute,
};

/** A message of Solana: its end is that of its recent block, and no account of ours is one of its addresses. */
const svmColumn: Column = {
  ...authorizationColumn,
  P5: messages.limitsUnpaid,
  P6: messages.creditsNobody,
  P16: messages.outlivesMessage,
  P17: messages.takesRecentBlocks,
  P20: messages.sellsNoCarriedOut,
  P24: doesNotApply('its nonce is the hash of all that is signed: what differs in anything is another payment'),
};

const NO_FACILITATOR = 'no facilitator takes part: the chain itself is read before the sale';

/** The transfer, which was made before it is presented. */
const transferColumn: Column = {
  P1: repeats.givesBareHashNothing,
  P2: repeats.discardsStalled,
  P3: repeats.finishesWhatDied,
  P4: doesNotApply(NO_FACILITATOR),
  P5: doesNotApply('its money has arrived before the work begins: no run of it is unpaid'),
  P6: transfers.creditsPayer,
  P7: settlement.refusesOtherFlow,
  P8: transfers.takesItsNetwork,
  P9: transfers.takesOverUnproven,
  P10: transfers.bindsProof,
  P11: repeats.keepsIds,
  P12: transfers.asksOnceForUnknown,
  P13: transfers.waitsForChain,
  P14: transfers.honoursOldPrice,
  P15: transfers.staysRedeemable,
  P16: transfers.forgetsNoTransfer,
  P17: doesNotApply('it has no end: what was mined stays mined, and its age is judged by P16'),
  P18: doesNotApply('nothing of it is in doubt after the sale: it was mined before'),
  P19: transfers.allowsSkew,
  P20: transfers.tellsLogsApart,
  P21: repeats.hasOneKey,
  P22: doesNotApply('its name is its hash: a payment-identifier beside it is not read'),
  P23: repeats.bindsResource,
  P24: doesNotApply('a log is mined once, and no other can be under its hash and index'),
  P25: transfers.waitsForFinality,
  P26: repeats.outlivesBuyer,
  P27: transfers.limitsFailures,
  P28: repeats.storesNoBuyer,
  P29: doesNotApply(NO_FACILITATOR),
  P30: doesNotApply(NO_FACILITATOR),
  P31: settlement.failsClosed,
};

/** Each rule on each rail. A new rail of authorizations begins with `authorizationColumn`, and says what differs. */
export const columns: Readonly<Record<TabledRail, Column>> = {
  'x402-evm': authorizationColumn,
  'x402-evm on Polygon': authorizationColumn,
  'x402-svm': svmColumn,
  mpp: mppColumn,
  'mpp on Polygon': mppColumn,
  transfer: transferColumn,
};
