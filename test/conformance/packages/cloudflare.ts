export { default as Cloudflare } from 'cloudflare';
