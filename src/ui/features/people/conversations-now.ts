/** Conversations and presence as a person may trust them: kept while a core starts, unknown while chat is not connected. */
import { useCallback } from "react";
import type { Snapshot } from "valtio";
import type { Slices } from "../../../shared/protocol/state.ts";
import { useFrozenSlice, useHeld } from "../../state/services.ts";

export function useConversations(): Snapshot<Slices["chat"]["conversations"]> {
  const { conversations, restored } = useFrozenSlice("chat");
  const { status } = useFrozenSlice("session");
  // a core that has just started has not read yet what its predecessor left
  return useHeld(conversations, restored || status === "anonymous");
}

/** Whether somebody is online; null: nobody knows now. */
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
