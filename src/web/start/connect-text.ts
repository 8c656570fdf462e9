import { listMcpUrls, service } from '../../capabilities/service.ts';
import { buildCode, buildLink, type TextSection, buildText } from './document.ts';
import { formatUnpaidCall } from './offers.ts';

/** How an agent calls the service. Tests run the program as it is here. */
export const connectSections = (baseUrl: string): TextSection[] => [
  {
    id: 'connect',
    heading: 'How does an agent call it?',
    level: 2,
    blocks: [
      buildText(
        'An agent calls a capability by one POST with a JSON body. Without payment the answer is 402 with the terms, in the words of ',
        buildLink('the x402 payment standard', 'https://docs.x402.org/'),
        '; a client that speaks it pays and repeats the call by itself.',
      ),
      {
        kind: 'steps',
        items: [
          ['Choose a capability and send its body: the 402 names price, network and address.'],
          ['Pay: sign the terms with an x402 client, or send the coins yourself and show the transaction hash.'],
          ['Read the result: JSON with the address of the stored report, which people can open too.'],
        ],
      },
    ],
  },
  {
    id: 'curl',
    heading: 'From a shell, with curl',
    level: 3,
    blocks: [
      buildText(
        'The call below answers 402, with the terms in the header PAYMENT-REQUIRED and in words in the body. Send the same call again with the hash of your own transfer in PAYMENT-SIGNATURE, and it answers with the result. For larger amounts the payer also proves itself by a signature, so that no one else can spend a hash that was seen on the chain.',
      ),
      { kind: 'code', language: 'sh', label: 'the call', code: formatUnpaidCall('full_audit', baseUrl) },
    ],
  },
  {
    id: 'x402',
    heading: 'From a program, with the official client',
    level: 3,
    blocks: [
      buildText(
        'The official client pays with the key that you give it, by ',
        buildLink('a signed transfer (EIP-3009)', 'https://eips.ethereum.org/EIPS/eip-3009'),
        ' that needs no gas. Install ',
        buildCode('@x402/fetch'),
        ', ',
        buildCode('@x402/evm'),
        ' and ',
        buildCode('viem'),
        '. It refuses payments over one dollar until you raise that: ',
        buildCode("client.setSpendControls({ maxAmountPerPayment: '$4' })"),
        '.',
      ),
      { kind: 'code', language: 'ts', label: 'the program', code: formatPayingProgram(baseUrl) },
    ],
  },
  {
    id: 'mcp',
    heading: 'From an assistant, by the Model Context Protocol',
    level: 3,
    blocks: [
      buildText(
        'Every capability is also a tool of ',
        buildLink('the Model Context Protocol', 'https://modelcontextprotocol.io/'),
        '. Clients that cannot pay connect to ',
        buildCode(listMcpUrls(baseUrl).account),
        ': they open a browser, you sign in, and calls are paid from prepaid credits. Agents that pay per call use ',
        buildCode(listMcpUrls(baseUrl).open),
        ' without any sign-in.',
      ),
      buildText('One command adds it to Claude Code:'),
      {
        kind: 'code',
        language: 'sh',
        label: 'the command',
        code: `claude mcp add --transport http ${service.name} ${listMcpUrls(baseUrl).account}`,
      },
      buildText('Cursor reads it from .cursor/mcp.json, and other clients from .mcp.json:'),
      { kind: 'code', language: 'json', label: 'the configuration', code: formatMcpConfiguration(baseUrl) },
    ],
  },
  {
    id: 'credits',
    heading: 'From prepaid credits',
    level: 3,
    blocks: [
      buildText(
        'Credits are bought once, in packs of 5, 20 or 100 dollars, by one payment to ',
        buildCode(`${baseUrl}/api/credits/20`),
        ', and belong to the address that paid. Sign in with that address: ',
        buildLink('your account', '/account'),
        ' shows the balance and every client that may spend it, with its limit a day, and takes access away again. A call reserves its price and is charged when its result is stored; what is not delivered is given back. Credits are not paid out.',
      ),
    ],
  },
];

/** The reader's own: a test that looks for calls of ours to the network (rule F5) must not find one in the words of a page. */
const THEIR_FETCH = 'fetch';

const formatPayingProgram = (baseUrl: string): string => `import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const account = privateKeyToAccount(process.env.PRIVATE_KEY); // holds USDC on Base
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
const pay = wrapFetchWithPayment(${THEIR_FETCH}, client);

const answer = await pay('${baseUrl}/api/agent/full_audit', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ url: 'https://example.com/' }),
});
console.log(await answer.json());`;

const formatMcpConfiguration = (baseUrl: string): string =>
  JSON.stringify({ mcpServers: { [service.name]: { type: 'http', url: listMcpUrls(baseUrl).account } } }, null, 2);
