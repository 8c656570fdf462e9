import MarkdownIt, { type Token } from 'markdown-it';

/** Only what answers use and what is text; `html: false` leaves tags to `extractVisibleSource`. */
export const markdownParser = new MarkdownIt('zero', {
  html: false,
  linkify: false,
  typographer: false,
  maxNesting: 24,
}).enable([
  'heading',
  'lheading',
  'list',
  'table',
  'code',
  'fence',
  'blockquote',
  'hr',
  'reference',
  'emphasis',
  'strikethrough',
  'link',
  'image',
  'autolink',
  'backticks',
  'escape',
  'entity',
  'newline',
  'balance_pairs',
]);

/**
 * Levels that the label of a link or picture counts for: the parser tries every open bracket within another one as a label of
 * its own, down to `maxNesting`. A picture in a link, with brackets in its text, needs three labels.
 */
const LABEL_LEVELS = 8;
const { parseLinkLabel } = markdownParser.helpers;
markdownParser.helpers.parseLinkLabel = (state, start, disableNested) => {
  state.level += LABEL_LEVELS - 1;
  const end = parseLinkLabel(state, start, disableNested);
  state.level -= LABEL_LEVELS - 1;
  return end;
};

/** Letters that begin markup inside a line, or a new line; a line of a table or list seldom has one of them. */
const INLINE_MARK = /[\n\\`~*_[<&]/u;

const { inline } = markdownParser;
const parseInline = inline.parse.bind(inline);
/** Text without a mark is one token, and needs none of the rules. */
inline.parse = (source, parser, env, tokens) => {
  if (INLINE_MARK.test(source)) parseInline(source, parser, env, tokens);
  else if (source !== '') tokens.push(makeText(source, 0));
};

/** A token as the parser makes it: its own constructor defines eight fields one by one, which costs half of all parsing. */
const makeToken = (type: string, tag: string, nesting: Token['nesting'], level: number): Token =>
  ({
    map: null,
    level,
    children: null,
    content: '',
    markup: '',
    info: '',
    block: false,
    hidden: false,
    type,
    tag,
    attrs: null,
    nesting,
    meta: null,
    // The rules that are enabled call no methods of a token.
  }) as Token;

function makeText(content: string, level: number): Token {
  const token = makeToken('text', '', 0, level);
  token.content = content;
  return token;
}

const { block } = markdownParser;
block.State = class extends block.State {
  override push(type: string, tag: string, nesting: Token['nesting']): Token {
    if (nesting < 0) this.level -= 1;
    const token = makeToken(type, tag, nesting, this.level);
    if (nesting > 0) this.level += 1;
    token.block = true;
    this.tokens.push(token);
    return token;
  }
};

inline.State = class extends inline.State {
  override pushPending(): Token {
    const token = makeText(this.pending, this.pendingLevel);
    this.tokens.push(token);
    this.pending = '';
    return token;
  }

  /** Delimiters are paired within one pair of tags. */
  override push(type: string, tag: string, nesting: Token['nesting']): Token {
    if (this.pending !== '') this.pushPending();
    if (nesting < 0) {
      this.level -= 1;
      this.delimiters = this._prev_delimiters.pop() ?? [];
    }
    const token = makeToken(type, tag, nesting, this.level);
    if (nesting > 0) {
      this.level += 1;
      this._prev_delimiters.push(this.delimiters);
      this.delimiters = [];
    }
    this.pendingLevel = this.level;
    this.tokens.push(token);
    this.tokens_meta.push(nesting > 0 ? { delimiters: this.delimiters } : undefined);
    return token;
  }
};
