import { allowAgentsAtEdge } from '../../../fixes/core/host-settings.ts';
import { defineAdvice, FIX_FILES, type FixDraft, type Recipes } from '../../../fixes/core/recipe.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import type { CheckResult } from '../../core/scores.ts';
import { aiAgents } from '../facts/ai-agents-data.ts';
import { parityAgents } from '../facts/ai-agents.ts';

/** Instructions for the operator of the edge: a setting, never a line of a file that the provider writes. */
const buildEdgeDraft =
  (expect: string) =>
  ({ read }: FixContext, { outcome }: CheckResult): FixDraft => {
    const provider = read('edge')?.provider;
    const excerpt = outcome.evidence.map((one) => one.excerpt ?? '').find((text) => text !== '');
    const named = aiAgents.find(({ token }) => excerpt?.startsWith(`${token} `) === true)?.userAgent;
    return {
      file: FIX_FILES.server,
      action: 'configure',
      effort: 'hours',
      configure: allowAgentsAtEdge.texts,
      how: `${provider ? provider.setting : 'Find the rule that answers the agents of the evidence otherwise than a browser: in the firewall, the network in front, or the application.'} Exempt agents that are verified by address, not by User-Agent.`,
      expect,
      userAgent: named ?? parityAgents[1].userAgent,
    };
  };

/** Who gets in: settings of providers, and the lines of robots.txt that are the owner's. */
export const edgeRecipes: Recipes = {
  'aeo.reach.edge-policy': defineAdvice(buildEdgeDraft('The status is 200, and the text is that of the page.')),
  'aeo.reach.robots-vs-edge': defineAdvice(
    buildEdgeDraft('The status is 200; or robots.txt forbids the agent in a group of its own.'),
  ),
  'agent.pay.charged-fetchers': defineAdvice(buildEdgeDraft('The status is 200, without a crawler-price.')),
  'aeo.robots.managed-block': defineAdvice({
    file: FIX_FILES.robots,
    action: 'configure',
    effort: 'minutes',
    how: 'The block is written at the edge at every request, so that an edit of it has no effect. In Cloudflare: Security Settings > Bot traffic > Instruct AI bot traffic with robots.txt, or by the interface is_robots_txt_managed and cf_robots_variant of PUT /zones/{zone_id}/bot_management.',
    expect: 'The block is gone, or says what your own lines say.',
    at: '/robots.txt',
  }),
  'aeo.robots.training-token': defineAdvice({
    file: FIX_FILES.robots,
    action: 'configure',
    effort: 'minutes',
    content: 'User-agent: __usage_ai-training\nDisallow: /\n',
    media_type: 'text/plain',
    how: 'Write Allow instead where training is wanted, and bring the signals and headers of the evidence into line.',
    expect: 'The group has a rule, and nothing says the opposite.',
    at: '/robots.txt',
  }),
  'aeo.robots.encoding': defineAdvice({
    file: FIX_FILES.robots,
    action: 'configure',
    effort: 'minutes',
    how: 'The address bar of a browser shows the encoded form when the address is copied.',
    expect: 'Every path is ASCII, and each % is followed by two hexadecimal digits.',
    at: '/robots.txt',
  }),
};
