/** Blocks a person after a question, and unblocks; each can be undone from the message that says so. */
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useFrozenSlice } from "../../../state/services.ts";
import { showError, showMessageWithButton } from "../../../state/show-message.ts";
import { FRIEND_TEXTS, useFriendErrors } from "./friend-texts.ts";
import { useConfirm } from "./group-texts.ts";

interface Person {
  readonly userName: string;
  readonly name: string;
}

export function useBlocking() {
  const text = useTexts(FRIEND_TEXTS);
  const worded = useFriendErrors();
  const confirm = useConfirm();
  const { friend } = useCore().commands;
  const set = async ({ userName }: Person, blocked: boolean): Promise<void> => {
    try {
      await (blocked ? friend.block({ userName }) : friend.unblock({ userName }));
    } catch (error) {
      throw worded(error);
    }
  };
  const change = async (person: Person, blocked: boolean): Promise<void> => {
    await set(person, blocked);
    showMessageWithButton(
      "success",
      text(blocked ? "blockedNow" : "unblockedNow", { name: person.name }),
      {
        label: text("undo"),
        run: () => void set(person, !blocked).catch(showError),
      },
    );
  };
  return {
    block: (person: Person): void =>
      confirm(text("block"), text("blockAsk", { name: person.name }), () => change(person, true)),
    /** Shows its own failure. */
    unblock: (person: Person): Promise<void> => change(person, false).catch(showError),
  };
}

/** Whether this person blocks another one. */
export function useIsBlocked(userName: string): boolean {
  return useFrozenSlice("chat").friends.blocked.some((one) => one.userName === userName);
}
