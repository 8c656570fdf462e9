import { type HttpServer, startHttpServer } from '../../../local/http-server.ts';

/** A site that wants to be read slowly: its crawl is still running when it is cancelled. */
export const startSlowSite = (): Promise<HttpServer> =>
  startHttpServer((request, response) => {
    const isRobots = request.url === '/robots.txt';
    const links = Array.from({ length: 50 }, (_, at) => `<p><a href="/page-${at}">Page ${at}</a></p>`).join('');
    response.setHeader('content-type', isRobots ? 'text/plain' : 'text/html');
    response.end(
      isRobots ? 'User-agent: *\nCrawl-delay: 10' : `<!doctype html><title>Slow</title><main>${links}</main>`,
    );
  });
