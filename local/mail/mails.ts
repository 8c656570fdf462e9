import { Log, LogLevel } from 'miniflare';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { findMailFolder } from '../stack-state.ts';

/** Files of mails that stay; the oldest go. */
const MAX_KEPT_FILES = 400;
const FOLDER_MODE = 0o700;

/** As miniflare says that a mail was sent: who, to whom, and after an empty line its files. */
const SENT = /send_email binding called with MessageBuilder:[^]*?\nSubject: (?<subject>[^\n]*)\n\n(?<files>[^]*)$/;
const FILE = /^(?:Text|HTML): (?<file>.+)$/gm;

/** Faults of miniflare, as always; of its news only mails: their files are copied to where they stay, and named. */
export class MailLog extends Log {
  readonly #folder: string;
  readonly #show: (level: string, message: string) => void;
  #sent = 0;

  constructor(state: string, show: (level: string, message: string) => void) {
    super(LogLevel.ERROR);
    this.#folder = findMailFolder(state);
    this.#show = show;
  }

  override logWithLevel(level: LogLevel, message: string): void {
    const { subject, files } = SENT.exec(message)?.groups ?? {};
    if (subject === undefined || files === undefined) return super.logWithLevel(level, message);
    const kept = this.#keep([...files.matchAll(FILE)].flatMap(({ groups }) => groups?.['file'] ?? []));
    this.#show('info', `a mail was sent, “${subject}”: ${kept.join(' and ')}`);
  }

  #keep(files: readonly string[]): readonly string[] {
    mkdirSync(this.#folder, { recursive: true, mode: FOLDER_MODE });
    this.#sent += 1;
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${this.#sent}`;
    const kept = files.map((file) => {
      const target = join(this.#folder, `${name}${extname(file)}`);
      copyFileSync(file, target);
      return target;
    });
    const old = readdirSync(this.#folder).toSorted().slice(0, -MAX_KEPT_FILES);
    for (const file of old) rmSync(join(this.#folder, file), { force: true });
    return kept;
  }
}
