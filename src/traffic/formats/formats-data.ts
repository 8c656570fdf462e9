/** Formats of access logs, by the names of `--format`, and where each is documented. */
export const logFormats = ['combined', 'nginx-json', 'caddy', 'cloudflare', 'cloudfront', 'alb', 'vercel'] as const;
export type LogFormat = (typeof logFormats)[number];

export const formatTitles: Readonly<Record<LogFormat, { title: string; source: string }>> = {
  combined: {
    title: 'common or combined',
    source: 'https://httpd.apache.org/docs/current/logs.html',
  },
  'nginx-json': { title: 'JSON of nginx', source: 'https://nginx.org/en/docs/http/ngx_http_log_module.html' },
  caddy: { title: 'JSON of Caddy', source: 'https://caddyserver.com/docs/logging' },
  cloudflare: {
    title: 'Cloudflare Logpush',
    source: 'https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/',
  },
  cloudfront: {
    title: 'CloudFront standard logs',
    source: 'https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html',
  },
  alb: {
    title: 'Application Load Balancer',
    source: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html',
  },
  vercel: { title: 'Vercel log drain', source: 'https://vercel.com/docs/drains/reference/logs' },
};
