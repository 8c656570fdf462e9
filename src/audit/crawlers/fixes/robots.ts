import { FIX_FILES } from '../../../fixes/core/fix-files.ts';
import { slot } from '../../../fixes/core/fix-slots.ts';
import { setHeaders } from '../../../fixes/core/host-headers.ts';
import { alignSignals, mendSignals } from './signal-edits.ts';
import {
  allowAssets,
  allowDiscovery,
  allowSearchBots,
  allowUserFetchers,
  liftBlanket,
  mendSyntax,
  nameCatalog,
  nameSitemap,
  nameTrainingBots,
  repeatRules,
  shortenDelays,
} from './robots-edits.ts';
import { type Recipes, advice, nothingToDo } from '../../../fixes/core/recipe.ts';
import { robotsRecipe } from './robots-recipe.ts';
import { setting } from '../../reach/fixes/reach.ts';

/** robots.txt, and what the site lets crawlers do by other signals. */
export const robotsRecipes: Recipes = {
  'aeo.robots.fetch': setting(setHeaders('/robots.txt', { 'Content-Type': 'text/plain; charset=utf-8' }), {
    how: 'Serve it as a static file, before any rewrite to the application. The file below lets everybody in; with other rules, keep yours.',
    content: 'User-agent: *\nDisallow:\n',
    media_type: 'text/plain',
    expect: 'Status 200 with Content-Type text/plain, or 404.',
    at: '/robots.txt',
  }),
  'aeo.robots.syntax': robotsRecipe({
    edit: mendSyntax,
    how: 'Lines that no parser reads became comments.',
    expect: 'Every line is empty, a comment, or a key, a colon and a value.',
  }),
  'aeo.robots.ai-search-bots': robotsRecipe({
    edit: allowSearchBots,
    how: 'The other rules of their group are repeated, since a crawler reads one group only.',
    expect: 'The search crawlers named in the evidence are allowed the audited address.',
  }),
  'aeo.robots.user-fetchers': robotsRecipe({
    edit: allowUserFetchers,
    expect: 'Claude-User is allowed the audited address.',
  }),
  'aeo.robots.training-choice': robotsRecipe({
    edit: nameTrainingBots,
    how: 'The group writes down what holds for these crawlers today. To keep them out instead, give it "Disallow: /".',
    expect: 'Each training crawler is named by a User-agent line.',
  }),
  'aeo.robots.blanket-block': robotsRecipe({
    edit: liftBlanket,
    how: 'The rule of the whole site is turned; those of single paths stay.',
    expect: 'Under "User-agent: *" stands no "Disallow: /".',
  }),
  'aeo.robots.group-shadowing': robotsRecipe({
    edit: repeatRules,
    expect: 'Each group of an AI agent has the Disallow lines of "User-agent: *".',
  }),
  'aeo.robots.crawl-delay': robotsRecipe({ edit: shortenDelays, expect: 'No Crawl-delay is longer than 10 seconds.' }),
  'aeo.robots.blocks-render-assets': robotsRecipe({
    edit: allowAssets,
    expect: 'The folders of scripts and style sheets have an Allow line.',
  }),
  'aeo.robots.discovery-files-allowed': robotsRecipe({
    edit: allowDiscovery,
    expect: 'Each file that the evidence names has an Allow line.',
  }),
  'aeo.sitemap.robots-ref': robotsRecipe({
    edit: nameSitemap,
    expect: 'A line "Sitemap:" with an absolute address that answers 200.',
  }),
  'mcp.discovery.catalog-advertised': robotsRecipe({
    edit: nameCatalog,
    expect: 'A line "Agentmap:" with the address of the catalogue.',
  }),
  'agent.prefs.content-signal': robotsRecipe({
    edit: mendSignals,
    how: 'What the vocabulary does not have is left out.',
    expect: 'Each Content-Signal line has only these keys and values.',
  }),
  'agent.prefs.coherent': robotsRecipe({
    edit: alignSignals,
    how: 'The signals now say what the rules enforce. If the signal was what you meant, change the rule instead, and bring the headers and meta tags of the evidence into line.',
    effort: 'hours',
    expect: 'No signal allows what a rule forbids.',
  }),
  'agent.prefs.aipref': setting(setHeaders('/*', { 'Content-Usage': 'train-ai=n' }), {
    how: 'The value is a structured-field dictionary: keys of the vocabulary draft, values y or n. Write n or y as you decide.',
    expect: 'Content-Usage is a list of key=y or key=n.',
  }),
  'agent.prefs.rsl': advice({
    file: FIX_FILES.licence,
    action: 'create',
    effort: 'hours',
    content:
      '<?xml version="1.0" encoding="UTF-8"?>\n<rsl xmlns="https://rslstandard.org/rsl">\n  <content url="/">\n    <license>\n      <permits type="usage">search</permits>\n      <prohibits type="usage">ai-train</prohibits>\n    </license>\n  </content>\n</rsl>\n',
    media_type: 'application/rsl+xml',
    how: 'Permit and prohibit as you decide, and let the License line of robots.txt name this address.',
    expect: 'Status 200 with XML whose root is rsl.',
    at: '/license.xml',
  }),
  'agent.prefs.tdmrep': advice({
    file: FIX_FILES.tdmReservation,
    action: 'create',
    effort: 'minutes',
    content: '[\n  { "location": "/*", "tdm-reservation": 0 }\n]\n',
    media_type: 'application/json',
    how: 'Write 1 where rights of text and data mining are reserved, with "tdm-policy" for the address of a policy.',
    expect: 'A JSON array of objects with location and tdm-reservation.',
    at: '/.well-known/tdmrep.json',
  }),
  'agent.prefs.web-bot-auth': advice({
    file: FIX_FILES.signatureKeys,
    action: 'create',
    effort: 'days',
    content: `{\n  "keys": [\n    { "kty": "OKP", "crv": "Ed25519", "x": "${slot('publicKey')}" }\n  ]\n}\n`,
    media_type: 'application/http-message-signatures-directory+json',
    how: 'Only for sites that run a crawler of their own.',
    expect: 'At least one key of type OKP and curve Ed25519.',
    at: '/.well-known/http-message-signatures-directory',
  }),
  'aeo.feed.indexnow': nothingToDo('It needs a key file on the site and a request for each new address.'),
};
