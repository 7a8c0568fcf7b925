/** Conversations and presence as they may be shown: a starting core keeps the last conversations, and without chat presence is unknown. */
import { useCallback } from "react";
import type { Snapshot } from "valtio";
import type { Slices } from "../../../../shared/protocol/state.ts";
import { useFrozenSlice, useHeld } from "../../../state/services.ts";

export function useConversations(): Snapshot<Slices["chat"]["conversations"]> {
  const { conversations, restored } = useFrozenSlice("chat");
  const { status } = useFrozenSlice("session");
  // a core that has just started has not read the stored conversations yet
  return useHeld(conversations, restored || status === "anonymous");
}

/** Whether a person is online; null while unknown. */
export function usePresence(): (person: {
  readonly userName: string;
  readonly online: boolean;
}) => boolean | null {
  const { connection, online } = useFrozenSlice("chat");
  return useCallback(
    (person) => (connection === "open" ? (online[person.userName] ?? person.online) : null),
    [connection, online],
  );
}
