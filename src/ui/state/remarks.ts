/** What this person calls friends (docs/chat.md#remarks). Screens show it in place of the name; nothing that is sent may contain it. */
import { useMemo } from "react";
import { useFrozenSlice } from "./services.ts";

export function useRemarks(): (userName: string, name: string) => string {
  const { list } = useFrozenSlice("chat").friends;
  return useMemo(() => {
    const remarks = new Map(list.map(({ userName, remark }) => [userName, remark]));
    return (userName: string, name: string) => remarks.get(userName) || name;
  }, [list]);
}
