/**
 * The part of cheerio that the reading view calls. The package is installed with the peers (`bench/package.json`), and types are
 * judged without them.
 */
declare module 'cheerio' {
  export type Cheerio<Node> = {
    readonly length: number;
    attr: (name: string) => string | undefined;
    closest: (selector: string) => Cheerio<Node>;
    contents: () => Cheerio<Node>;
    each: (visit: (index: number, node: Node) => unknown) => Cheerio<Node>;
    first: () => Cheerio<Node>;
    text: () => string;
    toArray: () => Node[];
  };
  export type CheerioAPI = (selector: unknown) => Cheerio<any>;
  export function loadBuffer(bytes: Buffer): CheerioAPI;
}
