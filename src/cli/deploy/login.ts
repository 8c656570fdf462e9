import { parseJson, isObject, getTextMember } from '../../lib/json.ts';
import type { PlatformLogin } from '../../deploy/api.ts';
import { type DeployRefusal, isPassingFailure, refuseByWrangler, refuseDeploy } from '../../deploy/refusal.ts';
import { type CloneTools, runCloneWrangler } from './wrangler.ts';

/**
 * The login of wrangler: a token or a key of the environment, or what `wrangler login` stored, which wrangler renews.
 */
export async function readLogin(tools: CloneTools): Promise<{ ok: true; login: PlatformLogin } | DeployRefusal> {
  const { env } = tools;
  const [token, key, email] = [env['CLOUDFLARE_API_TOKEN'], env['CLOUDFLARE_API_KEY'], env['CLOUDFLARE_EMAIL']];
  if (token) return { ok: true, login: { token } };
  if (key && email) return { ok: true, login: { key, email } };
  const { code, output } = await runCloneWrangler({ args: ['auth', 'token', '--json'] }, tools);
  const read = parseJson(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  if (code === 0 && isObject(read)) {
    const [found, ownKey, ownEmail] = [
      getTextMember(read, 'token'),
      getTextMember(read, 'key'),
      getTextMember(read, 'email'),
    ];
    if (found !== '') return { ok: true, login: { token: found } };
    if (ownKey !== '' && ownEmail !== '') return { ok: true, login: { key: ownKey, email: ownEmail } };
  }
  if (code !== 0 && isPassingFailure(output))
    return refuseByWrangler(output, 'renew the login of wrangler', tools.apiBase);
  return refuseDeploy(
    'login_missing',
    'Not signed in to Cloudflare.',
    'Run npx wrangler login, or set CLOUDFLARE_API_TOKEN to a token with the permissions that docs/operate/deploy.md lists.',
  );
}
