import { isOpen } from '../../audit/core/fix-order.ts';
import type { CheckResult } from '../../audit/core/scores.ts';
import type { Audited } from '../files/generated-file.ts';
import { recipes } from './all-recipes.ts';
import { formatApache } from './apache-config.ts';
import { createFixContext, type FixContext } from './fix-context.ts';
import { formatNginx } from './nginx-config.ts';
import type { FixTools } from './patched-files.ts';
import type { Recipe } from './recipe.ts';
import { joinServerParts, listSettledParts, type ServerPart } from './server-plan.ts';

/** A file of a server's configuration: where to keep it, its text, and the checks that it is for. */
export type ServerFile = { path: string; content: string; checks: readonly string[] };

/**
 * The settings of all open checks as one configuration for nginx and one for Apache: every address has one block, and
 * every header one line, so that they can be deployed together. Empty where no check asks for a setting.
 */
export function buildServerFiles(audited: Audited, tools: FixTools, ids?: readonly string[]): readonly ServerFile[] {
  const fixing = createFixContext(audited, tools.newRewriter, tools.answers);
  const found = audited.judged.flatMap((one) => {
    const recipe = recipes[one.check.id];
    const wanted = isOpen(one) && (ids === undefined || ids.includes(one.check.id));
    const parts = wanted && recipe ? listSettledParts(listParts(fixing, recipe, one)) : [];
    return parts.length === 0 ? [] : [{ id: one.check.id, parts }];
  });
  const plan = joinServerParts(found.flatMap(({ parts }) => parts));
  const checks = found.map(({ id }) => id);
  const [nginx, apache] = [formatNginx(plan), formatApache(plan)];
  const files = [
    { path: 'nginx/http.conf', head: NGINX_HTTP, body: nginx.http },
    { path: 'nginx/server.conf', head: NGINX_SERVER, body: nginx.server },
    { path: 'apache/outside.conf', head: APACHE_OUTSIDE, body: apache.outside },
    { path: 'apache/vhost.conf', head: APACHE_VHOST, body: apache.inside },
  ];
  return files
    .filter(({ body }) => body !== '')
    .map(({ path, head, body }) => ({ path, content: `${head}\n\n${body}`, checks }));
}

/** A fix of the page has a part in the server only where the server is what fails. */
function listParts(fixing: FixContext, recipe: Recipe, { outcome }: CheckResult): readonly ServerPart[] {
  if (recipe.page && !outcome.evidence.some(({ header }) => header !== undefined)) return [];
  return recipe.server?.(fixing) ?? [];
}

const NGINX_HTTP = `# Include it in the http block (on Debian: a link in /etc/nginx/conf.d), before the server block that uses it.`;
const NGINX_SERVER = `# Include it in the server block of the site: include /etc/nginx/snippets/sightline.conf;
# Then: nginx -t && systemctl reload nginx`;
const APACHE_OUTSIDE = `# Include it beside the virtual host of the site.`;
const APACHE_VHOST = `# Include it in the virtual host of the site. It needs mod_headers, mod_rewrite and mod_setenvif:
# a2enmod headers rewrite setenvif && apachectl -t && systemctl reload apache2`;
