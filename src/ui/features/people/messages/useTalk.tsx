/** What the person is doing in the open conversation beside reading: which messages are answered, edited, selected or forwarded. */
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { type Combined, ForwardDialog } from "../choose/ForwardDialog.tsx";
import { GroupReaders } from "../groups/GroupReaders.tsx";
import { type Selection, useSelection } from "./useSelection.ts";
import { ViewersProvider } from "./useViewers.tsx";

export interface Talk extends Selection {
  /** The composer's text answers this message. */
  readonly answering: ChatMessage | null;
  answer(message: ChatMessage): void;
  /** The composer changes this own message. */
  readonly editing: ChatMessage | null;
  edit(message: ChatMessage): void;
  /** The composer writes a new message again. */
  end(): void;
  /** @param combined makes one message of them; null sends them one by one */
  forward(messages: readonly ChatMessage[], combined: Combined | null): void;
  /** Shows who has read a message. */
  readers(message: ChatMessage): void;
  /** Server id of the message to which the address leads. */
  readonly at: string | null;
}

interface Forwarding {
  readonly messages: readonly ChatMessage[];
  readonly combined: Combined | null;
}
const NOTHING = { answering: null, editing: null } as const;
const TalkContext = createContext<Talk | null>(null);

export function useTalk(): Talk {
  const talk = useContext(TalkContext);
  if (talk === null) throw new Error("outside of a conversation");
  return talk;
}

export function TalkProvider(props: { readonly at: string | null; readonly children: ReactNode }) {
  const { at, children } = props;
  const [{ answering, editing }, setDoing] = useState<Pick<Talk, "answering" | "editing">>(NOTHING);
  const [forwarding, setForwarding] = useState<Forwarding | null>(null);
  const selection = useSelection();
  const [asked, setAsked] = useState<ChatMessage | null>(null);
  const groupId = asked === null ? null : groupIdOf(asked.chatId);
  const acts = useMemo(
    () => ({
      answer: (message: ChatMessage) => setDoing({ answering: message, editing: null }),
      edit: (message: ChatMessage) => setDoing({ answering: null, editing: message }),
      end: () => setDoing(NOTHING),
      forward: (messages: readonly ChatMessage[], combined: Combined | null) =>
        setForwarding({ messages, combined }),
      readers: (message: ChatMessage) => setAsked(message),
    }),
    [setDoing, setForwarding, setAsked],
  );
  const talk = useMemo<Talk>(
    () => ({
      ...acts,
      ...selection,
      answering,
      editing,
      at,
    }),
    [acts, selection, answering, editing, at],
  );
  return (
    <TalkContext value={talk}>
      <ViewersProvider>{children}</ViewersProvider>
      {groupId !== null && asked !== null && asked.mid !== null && (
        <GroupReaders groupId={groupId} mid={asked.mid} onClose={() => setAsked(null)} />
      )}
      {forwarding !== null && (
        <ForwardDialog
          {...forwarding}
          onSent={selection.endSelecting}
          onClose={() => setForwarding(null)}
        />
      )}
    </TalkContext>
  );
}
