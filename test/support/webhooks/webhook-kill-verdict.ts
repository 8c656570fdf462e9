import type { Signed } from '../stack/signed-receiver.ts';
import type { UserState } from '../management/small-directory.ts';

/** What is known after a run of kills. */
export type Evidence = {
  /** Numbers of messages that were answered 200. */
  acknowledged: ReadonlySet<number>;
  /** What `/messages` says, by number. */
  kept: ReadonlyMap<number, string>;
  /** Users that a message was acknowledged for after a change, as the directory has them now. */
  changed: ReadonlyMap<string, UserState>;
  /** What the receiver of signed webhooks took, in order. */
  told: readonly Signed[];
};

/** What is wrong, each list empty when nothing is. */
export type Verdict = {
  /** Acknowledged, and not there. */
  lost: readonly number[];
  /** There, and not worked. */
  notWorked: readonly number[];
  /** Ids of effects that came with two contents. */
  twoContents: readonly string[];
  /** `<user> <state>` that was told under two ids: an effect that was doubled. */
  doubled: readonly string[];
  /** Users whose last effect is not what the directory has. */
  stale: readonly string[];
};

/** Judges a run. A change gives its user a state that it never had before, so one state is one effect. */
export function verdictOf({ acknowledged, kept, changed, told }: Evidence): Verdict {
  const texts = new Map<string, Set<string>>();
  const ids = new Map<string, Set<string>>();
  const last = new Map<string, Signed>();
  for (const signed of told) {
    const { user_id: user = '', stamp = 0 } = signed.body.data;
    addTo(texts, signed.id, signed.text);
    addTo(ids, `${user} ${toldState(signed)}`, signed.id);
    if (stamp >= (last.get(user)?.body.data.stamp ?? 0)) last.set(user, signed);
  }
  const several = (sets: Map<string, Set<string>>) => [...sets].flatMap(([key, set]) => (set.size > 1 ? [key] : []));
  return {
    lost: [...acknowledged].filter((number) => !kept.has(number)),
    notWorked: [...kept].flatMap(([number, state]) => (state === 'worked' ? [] : [number])),
    twoContents: several(texts),
    doubled: several(ids),
    stale: [...changed].flatMap(([user, state]) => {
      const effect = last.get(user);
      return effect !== undefined && toldState(effect) === stateText(state) ? [] : [user];
    }),
  };
}

const addTo = (sets: Map<string, Set<string>>, key: string, text: string): void =>
  void sets.set(key, (sets.get(key) ?? new Set()).add(text));

const toldState = ({ body }: Signed): string => `${body.type} ${body.data.org_unit_path ?? ''}`;

function stateText(state: UserState): string {
  if (state === null) return 'user.gone ';
  return `user.${state.suspended ? 'suspended' : 'active'} ${state.orgUnitPath}`;
}
