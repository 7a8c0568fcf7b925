/** The present group call: its slice, and what only the core knows of it. Every change goes to the tabs and to the next core. */
import { noGroupCall } from "../../../shared/protocol/initial-state.ts";
import type { GroupCallSlice } from "../../../shared/protocol/state.ts";
import type { Session, Store } from "../contracts.ts";
import type { GroupCallState } from "./contracts.ts";
import type { KeptState } from "../kept-state.ts";
import type { KeptGroupCall } from "./kept.ts";

export function createGroupCallState(deps: {
  readonly store: Pick<Store, "get" | "set" | "flush">;
  readonly session: Pick<Session, "user">;
  readonly keeper: Pick<KeptState<KeptGroupCall>, "save">;
}): GroupCallState & { restore(kept: KeptGroupCall): void } {
  const { store } = deps;
  const nothing = { caller: null, awaitsConfirm: false, rung: {} };
  let own: Pick<KeptGroupCall, "caller" | "awaitsConfirm" | "rung"> = nothing;

  const save = (): void => {
    const slice = store.get("groupCall");
    const accountId = deps.session.user()?.accountId ?? "";
    const now = { version: 1, accountId, slice: { ...slice }, ...own } as const;
    void deps.keeper.save(slice.status === "idle" ? null : now);
  };
  const patch = (part: Partial<GroupCallSlice>): void => {
    for (const [key, value] of Object.entries(part)) {
      store.set(["groupCall", key], value);
    }
    store.flush();
    save();
  };
  return {
    get slice() {
      return store.get("groupCall");
    },
    get caller() {
      return own.caller;
    },
    get awaitsConfirm() {
      return own.awaitsConfirm;
    },
    patch,
    keep({ caller = own.caller, awaitsConfirm = own.awaitsConfirm, rung = own.rung }) {
      own = { caller, awaitsConfirm, rung: { ...rung } };
      save();
    },
    clear() {
      own = nothing;
      patch(noGroupCall());
    },
    restore({ slice, caller, awaitsConfirm, rung }) {
      own = { caller, awaitsConfirm, rung };
      patch(slice);
    },
  };
}
