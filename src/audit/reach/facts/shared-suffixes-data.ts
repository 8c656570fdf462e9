/**
 * Names under which a provider gives strangers a subdomain each: two neighbours there are two owners. Chosen by hand from
 * what providers document, not the whole Public Suffix List. As of 2026-11.
 */
export const SHARED_SUFFIXES: ReadonlySet<string> = new Set(
  [
    // Workers, functions and app platforms
    'workers.dev pages.dev vercel.app now.sh netlify.app netlify.com deno.dev deno.net fly.dev onrender.com',
    'render.com railway.app up.railway.app herokuapp.com herokussl.com lovable.app lovable.dev replit.app',
    'replit.dev repl.co bolt.host v0.app base44.app glitch.me surge.sh web.app firebaseapp.com appspot.com',
    'run.app a.run.app cloudfunctions.net withgoogle.com azurewebsites.net azurestaticapps.net',
    'azurecontainerapps.io azure-api.net azurefd.net azureedge.net cloudapp.net cloudapp.azure.com windows.net',
    'amazonaws.com awsapprunner.com amplifyapp.com elasticbeanstalk.com cloudfront.net on.aws',
    'lambda-url.us-east-1.on.aws digitaloceanspaces.com ondigitalocean.app koyeb.app northflank.app code.run',
    'zeabur.app modal.run hf.space beam.cloud streamlit.app gradio.live supabase.co supabase.in convex.cloud',
    'convex.site val.run web.val.run edgeone.app edgecompute.app fastly.net fastlylb.net global.ssl.fastly.net',
    'akamaized.net b-cdn.net platformsh.site upsun.app cyclic.app adaptable.app encr.app genez.io stackblitz.io',
    'webcontainer.io csb.app codesandbox.io gitpod.io github.dev app.github.dev smithery.ai server.smithery.ai',
    'apify.actor',
    // Tunnels and dynamic names
    'ngrok.app ngrok.dev ngrok.io ngrok-free.app ngrok-free.dev trycloudflare.com cfargotunnel.com loca.lt',
    'lhr.life serveo.net ts.net duckdns.org no-ip.org ddns.net dynv6.net nip.io sslip.io',
    // Pages, blogs, shops, documents
    'github.io githubusercontent.com gitlab.io bitbucket.io codeberg.page sourceforge.io readthedocs.io rtfd.io',
    'gitbook.io mintlify.app mintlify.site readme.io notion.site super.site webflow.io framer.app framer.website',
    'framer.ai framer.media wixsite.com wixstudio.com editorx.io weebly.com squarespace.com myshopify.com',
    'shopifypreview.com bigcartel.com mybigcommerce.com ecwid.com carrd.co wordpress.com wpcomstaging.com',
    'wpengine.com kinsta.cloud pantheonsite.io blogspot.com tumblr.com substack.com medium.com ghost.io',
    'bubbleapps.io softr.app glide.page typedream.app durable.co strikingly.com jimdosite.com yolasite.com',
    'webnode.page canva.site my.canva.site neocities.org tilda.ws ucoz.net narod.ru altervista.org',
    '000webhostapp.com infinityfreeapp.com atwebpages.com zendesk.com freshdesk.com atlassian.net force.com',
    'my.salesforce-sites.com hubspotpagebuilder.com hs-sites.com service-now.com sharepoint.com myfreshworks.com',
    'statuspage.io instatus.com helpscoutdocs.com',
    // Registries that sell third-level names below a generic ending
    'uk.com us.com eu.com de.com gb.net uk.net se.net jp.net in.net co.com br.com cn.com eu.org us.org pp.ua',
    'co.ua qzz.io is-a.dev js.org thedev.id my.id web.id biz.id',
  ].flatMap((line) => line.split(' ')),
);
