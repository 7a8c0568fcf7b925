/** All members of a group, for their names there, read again after each change of it. */
import { useEffect, useState } from "react";
import type { CoreCommands } from "../../../core-client/contracts.ts";
import { keepTrying } from "../../state/recover.ts";
import { useCore, useCoreState } from "../../state/services.ts";

export type GroupMember = Awaited<ReturnType<CoreCommands["group"]["members"]>>[number];

export function useGroupMembers(
  groupId: string,
  /** Raised by each change; null for a group of which this person is no member. */
  revision: number | null,
) {
  const core = useCore();
  const coreState = useCoreState();
  const [members, setMembers] = useState<readonly GroupMember[] | null>(null);
  useEffect(() => {
    if (coreState.state !== "ready" || revision === null) return;
    let current = true;
    const end = keepTrying(
      () =>
        core.commands.group.members({ groupId }).then((found) => {
          if (!current) return;
          setMembers(found);
        }),
      // the panel says so where the members are listed
      () => undefined,
      () => core.state.session.status === "anonymous",
    );
    return () => {
      current = false;
      end();
    };
  }, [core, groupId, revision, coreState.state]);
  return members;
}
