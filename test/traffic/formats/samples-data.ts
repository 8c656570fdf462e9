import type { LogFormat } from '../../../src/traffic/formats/formats-data.ts';

/** One request in each format, in the fields that its vendor documents. */
export const samples: Readonly<Record<LogFormat, string>> = {
  combined:
    '203.0.113.9 - frank [10/Oct/2026:13:55:36 +0000] "GET /docs/a?x=1 HTTP/1.1" 200 512 "https://chatgpt.com/" "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)"',
  'nginx-json':
    '{"time_local":"10/Oct/2026:13:55:36 +0000","remote_addr":"203.0.113.9","host":"www.example.com","request":"GET /docs/a?x=1 HTTP/1.1","status":"200","body_bytes_sent":"512","http_referer":"https://chatgpt.com/","http_user_agent":"Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)"}',
  caddy:
    '{"level":"info","ts":1791640536,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"203.0.113.9","remote_port":"4711","client_ip":"203.0.113.9","proto":"HTTP/2.0","method":"GET","host":"www.example.com","uri":"/docs/a?x=1","headers":{"User-Agent":["Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)"],"Referer":["https://chatgpt.com/"]}},"duration":0.01,"size":512,"status":200,"resp_headers":{}}',
  cloudflare:
    '{"ClientIP":"203.0.113.9","ClientRequestHost":"www.example.com","ClientRequestMethod":"GET","ClientRequestURI":"/docs/a?x=1","ClientRequestReferer":"https://chatgpt.com/","ClientRequestUserAgent":"Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)","EdgeResponseBytes":512,"EdgeResponseStatus":200,"EdgeStartTimestamp":"2026-10-10T13:55:36Z"}',
  cloudfront:
    '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header\n2026-10-10\t13:55:36\tFRA56-P4\t512\t203.0.113.9\tGET\td111111abcdef8.cloudfront.net\t/docs/a\t200\thttps://chatgpt.com/\tMozilla/5.0%20(compatible;%20GPTBot/1.3;%20+https://openai.com/gptbot)\tx=1\t-\tHit\taGVsbG8=\twww.example.com',
  alb: 'https 2026-10-10T13:55:36.000000Z app/web/50dc6c495c0c9188 203.0.113.9:4711 10.0.0.66:8080 0.000 0.001 0.000 200 200 34 512 "GET https://www.example.com:443/docs/a?x=1 HTTP/1.1" "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 - "Root=1-58337262" "www.example.com" "-" 0 2026-10-10T13:55:36.000000Z "forward" "-" "-"',
  vercel:
    '{"id":"1","deploymentId":"dpl_1","source":"static","host":"x.vercel.app","timestamp":1791640536000,"projectId":"p","level":"info","proxy":{"timestamp":1791640536000,"method":"GET","host":"www.example.com","path":"/docs/a?x=1","userAgent":["Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)"],"referer":"https://chatgpt.com/","statusCode":200,"clientIp":"203.0.113.9","responseByteSize":512}}',
};
