/** The part of an element that patches use; the platform's class and the Node polyfill both fit. */
export type RewriterElement = {
  tagName: string;
  readonly attributes: Iterable<string[]>;
  getAttribute: (name: string) => string | null;
  setAttribute: (name: string, value: string) => unknown;
  removeAttribute: (name: string) => unknown;
  prepend: (content: string, options?: { html?: boolean }) => unknown;
  append: (content: string, options?: { html?: boolean }) => unknown;
  before: (content: string, options?: { html?: boolean }) => unknown;
  after: (content: string, options?: { html?: boolean }) => unknown;
  setInnerContent: (content: string, options?: { html?: boolean }) => unknown;
  remove: () => unknown;
};

export type Rewriter = {
  on: (selector: string, handlers: { element?: (element: RewriterElement) => void }) => Rewriter;
  transform: (response: Response) => Response;
};

/**
 * Makes an HTMLRewriter: native in a Worker, the `htmlrewriter` polyfill (the same lol-html, in WebAssembly) in Node.
 * Both give the same bytes. A page with 16,384 open elements stops it: `transform(...).text()` rejects then.
 */
export type NewRewriter = () => Rewriter;
