/**
 * The script of the sign-in page, as it is served: it asks the browser's wallet (EIP-1193) to sign a message (EIP-4361)
 * and posts the signature. On the local stack the demo buyer signs, where the page has its button. It reads what it needs from the button's data and puts nothing into the page but text.
 */
export const walletScript = `'use strict';
(() => {
  const post = async (path, body, more) => {
    const answer = await window.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      credentials: 'same-origin',
      body: JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) throw new Error(json.detail || json.title || 'The service answered ' + answer.status);
    return json;
  };

  const messageOf = (terms, address, nonce) => [
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

  const offer = (name, isPossible, signIn) => {
    const button = document.getElementById(name + '-button');
    const status = document.getElementById(name + '-status');
    if (!button || !status || !isPossible) return;
    const say = (text) => { status.textContent = text; };
    button.disabled = false;
    say('');
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        const { csrf, returnTo } = button.dataset;
        const { message, signature } = await signIn(button.dataset, say);
        await post('/signin/siwe', { message, signature, csrf });
        window.location.assign(returnTo);
      } catch (error) {
        say('That did not work: ' + (error && error.message ? error.message : 'the wallet refused'));
        button.disabled = false;
      }
    });
  };

  const wallet = window.ethereum;
  offer('wallet', Boolean(wallet), async (terms, say) => {
    say('Waiting for your wallet.');
    const [account] = await wallet.request({ method: 'eth_requestAccounts' });
    if (!account) throw new Error('The wallet named no account');
    const { nonce, address } = await post('/signin/siwe/nonce', { address: account, csrf: terms.csrf });
    const message = messageOf(terms, address, nonce);
    say('Sign the text in your wallet.');
    const signature = await wallet.request({ method: 'personal_sign', params: [hexOf(message), account] });
    return { message, signature };
  });
  offer('demo', true, async ({ token, csrf }, say) => {
    say('The demo buyer signs.');
    const { nonce } = await post('/signin/siwe/nonce', { csrf });
    return post('/local/demo-buyer', { sign_in: { nonce } }, { 'x-demo-token': token });
  });
})();
`;
