import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { defineAdvice, FIX_FILES, reportOnly, type Recipes } from '../../../fixes/core/recipe.ts';

const FOR_SELLERS = 'Only for sites that sell to agents.';

/** Protocols that few sites use: how their documents become valid. */
export const youngProtocolRecipes: Recipes = {
  'agent.pay.mpp': defineAdvice({
    file: FIX_FILES.api,
    action: 'configure',
    effort: 'hours',
    how: 'The official package mppx builds the challenge.',
    expect: 'WWW-Authenticate: Payment with id, realm, method, intent and request.',
  }),
  'agent.pay.bazaar-ready': defineAdvice({
    file: FIX_FILES.api,
    action: 'configure',
    effort: 'hours',
    how: 'Answer 402 to a request without a body, too: catalogues ask so.',
    expect: 'The decoded PAYMENT-REQUIRED header has resource.serviceName, resource.tags and extensions.bazaar.',
  }),
  'agent.pay.acp': defineAdvice({
    file: FIX_FILES.api,
    action: 'configure',
    effort: 'hours',
    how: FOR_SELLERS,
    expect: 'A JSON object with protocol, api_base_url, transports and capabilities.services.',
    at: '/.well-known/acp.json',
  }),
  'agent.pay.ucp-live': defineAdvice({
    file: FIX_FILES.api,
    action: 'configure',
    effort: 'hours',
    how: FOR_SELLERS,
    expect: 'Each endpoint of ucp.services is an https address that answers.',
    at: '/.well-known/ucp',
  }),
  'agent.pay.ap2': reportOnly(FOR_SELLERS),
  'agent.a2a.signed-card': defineAdvice({
    file: FIX_FILES.agentCard,
    action: 'replace',
    effort: 'hours',
    how: 'A card without signatures is valid as well: remove the list if you do not sign it.',
    expect: 'Each item of signatures has protected and signature, or there is no list.',
    at: '/.well-known/agent-card.json',
  }),
  'agent.auth.auth-md': defineAdvice({
    file: FIX_FILES.api,
    action: 'configure',
    effort: 'hours',
    content: `# auth.md\n\nAgents may register here: ${formatSlot('about')}\n\n## Discover\n\nRead /.well-known/oauth-protected-resource: it names the authorization server and its endpoints.\n`,
    media_type: 'text/markdown',
    expect: 'A title, and the address of the protected-resource metadata.',
    at: '/auth.md',
  }),
};
