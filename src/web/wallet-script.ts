/**
 * The script of the sign-in page, as it is served: it asks the browser's wallet (EIP-1193) to sign a message (EIP-4361)
 * and posts the signature. It reads what it needs from the button's data and puts nothing into the page but text.
 */
export const walletScript = `'use strict';
(() => {
  const button = document.getElementById('wallet-button');
  const status = document.getElementById('wallet-status');
  const wallet = window.ethereum;
  if (!button || !status || !wallet) return;
  const terms = button.dataset;
  const say = (text) => { status.textContent = text; };

  const post = async (path, body) => {
    const answer = await window.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) throw new Error(json.detail || json.title || 'The service answered ' + answer.status);
    return json;
  };

  const messageOf = (address, nonce) => [
    terms.domain + ' wants you to sign in with your Ethereum account:',
    address,
    '',
    terms.statement,
    '',
    'URI: ' + terms.uri,
    'Version: ' + terms.version,
    'Chain ID: ' + terms.chainId,
    'Nonce: ' + nonce,
    'Issued At: ' + new Date().toISOString(),
  ].join('\\n');

  const hexOf = (text) =>
    '0x' + [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

  const signIn = async () => {
    const [account] = await wallet.request({ method: 'eth_requestAccounts' });
    if (!account) throw new Error('The wallet named no account');
    const { nonce, address } = await post('/signin/siwe/nonce', { address: account, csrf: terms.csrf });
    const message = messageOf(address, nonce);
    say('Sign the text in your wallet.');
    const signature = await wallet.request({ method: 'personal_sign', params: [hexOf(message), account] });
    await post('/signin/siwe', { message, signature, csrf: terms.csrf });
    window.location.assign(terms.returnTo);
  };

  button.disabled = false;
  say('');
  button.addEventListener('click', async () => {
    button.disabled = true;
    say('Waiting for your wallet.');
    try {
      await signIn();
    } catch (error) {
      say('That did not work: ' + (error && error.message ? error.message : 'the wallet refused'));
      button.disabled = false;
    }
  });
})();
`;
