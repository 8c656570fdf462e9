/** An option of a command, as help, completion, the docs and the parser know it. */
export type OptionRow = {
  type: 'string' | 'boolean';
  /** What follows the option in help, such as `<file>`. */
  value?: string;
  /** The only values it takes. */
  values?: readonly string[];
  /** The letter behind one hyphen. */
  short?: string;
  /** It may be given several times. */
  multiple?: true;
  /** It names a file that the command reads, or one that it writes: none is both. */
  file?: 'read' | 'written';
  description: string;
};

export type OptionRows = Readonly<Record<string, OptionRow>>;

/** A word of a command that is no option. `many`: any number of them may follow. `file`: it may name a file that is read. */
export type ArgumentRow = { name: string; description: string; optional?: true; many?: true; file?: 'read' };

export type ExampleRow = { run: string; does: string };

/** An action of a command that has several, such as `channels list`. */
export type ActionRow = {
  summary: string;
  arguments: readonly ArgumentRow[];
  options: OptionRows;
  /** Takes its own options only; otherwise those of its command as well. */
  alone?: true;
};

/** Where a command is listed, in this order. */
export const groupTitles = {
  audit: 'Audit from this machine, free',
  results: 'Work with results',
  service: 'Use a service',
  operate: 'Operate and test',
  shell: 'Help',
} as const;
export type CommandGroup = keyof typeof groupTitles;

export type CommandRow = {
  group: CommandGroup;
  /** One line. */
  summary: string;
  /** Shown on the first screen. */
  first?: true;
  arguments: readonly ArgumentRow[];
  options: OptionRows;
  examples: readonly ExampleRow[];
  /** Paragraphs below the options. */
  notes?: readonly string[];
  /** What an exit status means here, where it means more than everywhere. */
  exits?: Readonly<Partial<Record<1 | 2 | 3, string>>>;
  actions?: Readonly<Record<string, ActionRow>>;
  /** The command does something without an action too. */
  actionIsOptional?: true;
  /** Reads its own arguments and prints its own help: all words are handed on. */
  ownHelp?: true;
};

/** What every exit status means, for every command. */
export const exitMeanings = {
  0: 'done',
  1: 'the result is below a limit that you set, or a purchase or call was refused',
  2: 'wrong usage, or a file or setting that cannot be used',
  3: 'the site or service could not be reached',
} as const;
