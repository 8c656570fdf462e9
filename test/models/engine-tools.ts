import type { ChatEngine, ChatPiece, EngineMessage } from '../../src/models/port.ts';

export const ASKED: readonly EngineMessage[] = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'What is a shard?' },
];

/** All pieces of a reply. */
export async function piecesOf(
  engine: ChatEngine,
  signal: AbortSignal = AbortSignal.timeout(20_000),
  messages = ASKED,
): Promise<readonly ChatPiece[]> {
  const pieces: ChatPiece[] = [];
  for await (const piece of engine.reply(messages, signal)) pieces.push(piece);
  return pieces;
}

export const textOf = (pieces: readonly ChatPiece[]): string =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
