import { parseSync } from 'oxc-parser';

/** A member of an interface or class of a declaration file, with the comment before it and its text. */
export type Member = { name: string; comment: string; text: string; type: TypeNode | undefined };
export type Declaration = { name: string; members: readonly Member[] };

/** What is read of a type in the syntax tree. */
export type TypeNode = {
  type: string;
  types?: readonly TypeNode[];
  typeName?: { name: string };
  typeArguments?: { params: readonly TypeNode[] } | null;
  elementType?: TypeNode;
  members?: readonly MemberNode[];
};

type MemberNode = {
  type: string;
  start: number;
  end: number;
  key?: { name?: string; value?: string };
  typeAnnotation?: { typeAnnotation: TypeNode } | TypeNode;
};
type Statement = {
  type: string;
  declaration?: Statement | null;
  id?: { name: string };
  body?: { body: readonly (Statement & MemberNode)[] };
};

/** Interfaces and classes of the one namespace of a declaration file of `googleapis`, by name. */
export function declarationsOf(source: string): ReadonlyMap<string, Declaration> {
  const { program, comments } = parseSync('api.d.ts', source);
  const statements = program.body as unknown as readonly Statement[]; // The parser's types name more than is read here.
  const namespace = statements.map(unexported).find(({ type }) => type === 'TSModuleDeclaration');
  const declared = (namespace?.body?.body ?? []).map(unexported).filter(({ type }) => KINDS.includes(type));
  let next = 0;
  return new Map(
    declared.map((declaration) => {
      const members = (declaration.body?.body ?? []).map((member) => {
        let comment = '';
        for (; (comments[next]?.end ?? Infinity) <= member.start; next += 1) comment = comments[next]?.value ?? '';
        return { ...memberOf(member), comment: wordsOf(comment), text: source.slice(member.start, member.end) };
      });
      const name = declaration.id?.name ?? '';
      return [name, { name, members }];
    }),
  );
}

/** Members of a type that is written in place: `{ a?: string }`, or the index signature of a map. */
export const inlineMembers = (type: TypeNode): readonly Member[] =>
  (type.members ?? []).map((member) => ({ ...memberOf(member), comment: '', text: '' }));

const KINDS = ['TSInterfaceDeclaration', 'ClassDeclaration'];

const unexported = (statement: Statement): Statement => statement.declaration ?? statement;

function memberOf(member: MemberNode): { name: string; type: TypeNode | undefined } {
  const annotation = member.typeAnnotation;
  const type = annotation !== undefined && 'typeAnnotation' in annotation ? annotation.typeAnnotation : undefined;
  return { name: member.key?.name ?? member.key?.value ?? '', type };
}

const wordsOf = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.trim().replace(/^\* ?/, ''))
    .join('\n')
    .trim();
