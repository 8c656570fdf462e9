import type { BuyingWords, PurchaseWords } from './buying-words.ts';

const purchase: PurchaseWords = {
  wait: (seconds) => (seconds === 1 ? '1 second' : `${seconds} seconds`),
  minutes: (minutes) => `${minutes} minutes`,
  restored: {
    bare: 'A purchase of this browser has not ended: its transfer may have been used for it. Ask again, or prove that the transfer is yours.',
    other: 'A purchase of this browser has not ended. Ask again: it is the same payment, nothing is paid twice.',
  },
  nothing: {
    signed: 'nothing was charged',
    transfer: 'your transfer was not used',
    credits: 'no credits were taken',
  },
  notBought: (nothing, detail) => `Not bought, ${nothing}: ${detail}`,
  code: (code) => `Code: ${code}.`,
  tryAgainIn: (wait) => `Try again in ${wait}.`,
  notKnown: {
    signed: 'It is not known whether you were charged.',
    transfer: 'It is not known whether your transfer was used.',
    credits: 'It is not known whether credits were taken.',
  },
  again: (wait) => (wait === undefined ? 'Ask again' : `Ask again in ${wait}`),
  againBare: ', or prove that the transfer is yours.',
  againSafe: ': nothing is paid twice.',
  heldSigned: (said) =>
    `${said}. This does not say whether an earlier sending was charged. Ask again later, and check your account before you pay again.`,
  heldCredits: (said) =>
    `${said}. This does not say whether an earlier sending took credits. Ask again: the same purchase is never debited twice.`,
  heldProof: (said) =>
    `${said}. This does not say whether your transfer was used before. A new payer proof can get its result.`,
  usedByThis: (code) =>
    `This transfer was used, probably by this very order, whose answer was lost (${code}). A new payer proof gets its result.`,
  usedBefore: (code) =>
    `This transfer was used before (${code}). If this very order used it, a payer proof gets its result.`,
  giveUp: 'Giving up only forgets it here: what was charged stays charged.',
  proofByWallet:
    'A payer proof is a signature of the account that made the transfer, for this same order; it moves no money.',
  proofByPasting:
    'A payer proof is a signature of the account that made the transfer, for this same order; it moves no money. “Prove that the transfer is mine” shows the message to sign.',
  proofByCommand: (command) => `By command line, with the key that made the transfer: ${command}`,
  givenUp: 'Given up: this browser does not ask for it any more. Check your account before you pay again.',
  givenUpTransfer: (hash) =>
    `Given up: this browser does not ask for it any more. Keep the hash ${hash}: a payer proof may still get its result.`,
  profile: (profile) =>
    `You chose the kind of site (${profile}): a report that is bought so can never be published, and gets no badge. To be able to publish it, choose “Find out by evidence” first.`,
  codes: () => ({}),
};

const NOTHING = 'Nothing was signed and nothing was paid.';

export const englishWords: BuyingWords = {
  language: 'en',
  purchase,
  otherCapability: 'The page sells something else than this. Load it again.',
  noAddress: 'Enter the address of the site first, such as example.com.',
  fault: 'Something went wrong in the page. If you had signed, ask again with the same payment.',
  askingTerms: 'Asking for the terms.',
  badTerms: 'The terms of the service cannot be read. Nothing was signed. Load the page again.',
  termsDiffer: (differs) =>
    `The service asks for something else than this page shows: ${differs}. Nothing was signed. Load the page again.`,
  networkClosed: (name) =>
    `Nothing can be paid on ${name} now. Nothing was signed. Choose another network, or try again later.`,
  answered: (status) => `The service answered ${status}.`,
  nothingPaid: (said) => `${said} Nothing was paid.`,
  unreachable: 'The service cannot be reached. Nothing was paid; try again.',
  sent: 'The payment was sent. The work takes up to two minutes. You may leave this page and come back to it.',
  keptFor: {
    tab: 'This browser keeps the purchase for this tab only: do not close it before the report opens.',
    page: 'This browser keeps nothing, so leave this page open until the report opens.',
  },
  waiting: (sent, most) => `Asking again with the same payment (${sent} of ${most})`,
  inSeconds: (waiting, left) => `${waiting} in ${left} s.`,
  lost: {
    connection: 'The connection to the service was lost.',
    answer: 'The answer ended before the result.',
    result: 'The result cannot be read.',
    account: 'You are not signed in to the account that pays. Sign in, and ask again.',
  },
  bought: 'Bought. The report opens.',
  clock: (minutes, isBehind) =>
    `The clock of this machine is ${minutes} minutes ${isBehind ? 'behind' : 'ahead'}. The payment uses the time of the service.`,
  otherTab:
    'Another tab of this browser is buying exactly this. Nothing was signed here. Wait for it, or pay a second time for a second result.',
  otherTabEnded: 'The other tab has ended without a result. You can buy here.',
  otherTabSold: 'The other tab has bought it. Nothing was paid here.',
  walletAccount: 'Your wallet asks for your account.',
  walletSign: 'Sign the payment in your wallet.',
  walletProve: 'Sign in your wallet that you made the transfer. This moves no money.',
  walletSwitch: (network, wanted) =>
    `Your wallet is on ${network}. The payment is made on ${wanted}: switch, and go on. ${NOTHING}`,
  walletSwitching: (wanted) => `Your wallet asks whether it may switch to ${wanted}.`,
  switchTo: (wanted) => `Switch to ${wanted}`,
  walletLooks: {
    one: 'Your wallet shows payee and amount before you sign.',
    many: 'Choose a wallet. It shows payee and amount before you sign.',
    none: 'No wallet was found in this browser. Pay in another of the ways below.',
  },
  walletUnnamed: 'A wallet without a name',
  checking: 'Checking the signature in this page.',
  refusals: {
    refused: () => `You refused in your wallet. ${NOTHING} You can try again.`,
    no_account: () => `Your wallet named no account. ${NOTHING} Unlock it, and try again.`,
    still_elsewhere: (_refusal, { name }) =>
      `Your wallet said that it switched to ${name}, and did not. ${NOTHING} Switch there by hand.`,
    unknown_network: (_refusal, { name, chainId }) =>
      `Your wallet does not take in ${name} (chain id ${chainId}). Add that network to it. ${NOTHING}`,
    already_asking: () => 'Your wallet is still asking you something. Open it, answer, and try again.',
    no_signature: () => `Your wallet gave no signature. ${NOTHING} Try again, or use another wallet.`,
    foreign_signature: (_refusal, { name }) =>
      `What your wallet signed is not this payment on ${name} by this account: it may have changed its network or account meanwhile. The signature was not sent and nothing was paid. Choose ${name} and one account in the wallet, and try again.`,
    not_checked: () =>
      'The signature could not be checked in this page, so it was not sent. Nothing was paid; try again.',
    stopped: () => 'You stopped waiting for your wallet. What it signs now is not used. Nothing was paid.',
    failed: ({ said }) =>
      `Your wallet could not do it: ${said === undefined || said === '' ? 'no reason given' : said}. ${NOTHING}`,
  },
  network: (chainId) => (Number.isSafeInteger(chainId) ? `the network ${chainId}` : 'another network'),
  demoRefused: (said) => `The demo buyer does not pay: ${said}. Nothing was paid.`,
  creditsBalance: (balance) => `Your balance is ${balance}.`,
  creditsTooSmall: (balance, price) => `Your balance is ${balance}, and this costs ${price}. Top up in your account.`,
  creditsUnread: 'Your balance cannot be read now. Load the page again in a minute.',
  creditsEnded: 'You are not signed in. Sign in to pay from your credits.',
  hashFaults: {
    empty: () => 'Paste the hash of your transaction, or its address in an explorer.',
    address: () => 'That is the address of an account. The hash of a transaction has 64 hexadecimal digits.',
    length: (digits) => `That has ${digits} hexadecimal digits; the hash of a transaction has 64.`,
    other_network: () => 'That explorer shows another network. The transfer must be on Base.',
    no_hash: () => 'There is no transaction hash in it: 0x and 64 hexadecimal digits.',
  },
  hashGood: 'This is a transaction hash.',
  conditions: (final, hours) =>
    `${final}; at most ${hours} hours old. Your proof makes sure that no one else can use it.`,
  confirmations: (count) => (count === 1 ? '1 confirmation' : `${count} confirmations`),
  finalBlock: 'a final block',
  noTransfers: 'Transfers are not taken.',
  noWalletToProve: 'No wallet was found in this browser: paste a signature that you make elsewhere.',
  messageUntil: (time) =>
    `Sign this message (EIP-712, eth_signTypedData_v4) with the account that made the transfer, before ${time}.`,
  messageNeedsHash: 'Enter the hash in step 2 first: the message is about it.',
  signatureFault: 'That is no signature: it has 0x and at least 130 hexadecimal digits.',
  signedBy: (account) => `Signed by ${account}. The transfer must be from this account.`,
  signatureOpen: 'A signature of a contract wallet: the service checks it.',
  proofStale: 'The message is too old, or the order has changed since. Show it again, and sign it again.',
  stillKept: (said) => `${said} The earlier purchase is still here.`,
};
