import { useEffect, useRef } from "react";
import { useFrozenSlice } from "../../../state/services.ts";

/** Runs when friends came or went, since friends are contacts too; not for the first list. */
export function useFriendChanges(run: () => void): void {
  const { friends } = useFrozenSlice("chat");
  const names =
    friends.state === "loading" ? null : friends.list.map(({ userName }) => userName).join();
  const known = useRef(names);
  useEffect(() => {
    if (names === null || names === known.current) return;
    const first = known.current === null;
    known.current = names;
    if (!first) run();
  }, [names, run]);
}
