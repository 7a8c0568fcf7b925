/**
 * The viewers of the open conversation: a large picture, and the messages of a combined one. They belong to the conversation, because a
 * row leaves the page when its message is acknowledged or scrolled away, and what is open must stay.
 */
import { createContext, lazy, type ReactNode, useContext, useMemo, useState } from "react";
import type { ChatCombined } from "../../../../shared/protocol/chat-parts.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { Part } from "../../../components/Part.tsx";
import { retrying } from "../../../state/retrying.ts";

const CombinedViewer = lazy(() => retrying(() => import("./CombinedViewer.tsx")));
const PictureViewer = lazy(() => retrying(() => import("./PictureViewer.tsx")));

interface Picture {
  readonly message: ChatMessage;
  readonly src: string;
}

export interface Viewers {
  openCombined(combined: ChatCombined): void;
  openPicture(message: ChatMessage, src: string): void;
}

const ViewersContext = createContext<Viewers | null>(null);

export function useViewers(): Viewers {
  const viewers = useContext(ViewersContext);
  if (viewers === null) throw new Error("outside of a conversation");
  return viewers;
}

export function ViewersProvider({ children }: { readonly children: ReactNode }) {
  const [combined, setCombined] = useState<ChatCombined | null>(null);
  const [picture, setPicture] = useState<Picture | null>(null);
  const viewers = useMemo<Viewers>(
    () => ({
      openCombined: setCombined,
      openPicture: (message, src) => setPicture({ message, src }),
    }),
    [],
  );
  return (
    <ViewersContext value={viewers}>
      {children}
      <Part onFailed={() => setCombined(null)}>
        {combined !== null && (
          <CombinedViewer combined={combined} onClose={() => setCombined(null)} />
        )}
      </Part>
      <Part onFailed={() => setPicture(null)}>
        {picture !== null && <PictureViewer {...picture} onClose={() => setPicture(null)} />}
      </Part>
    </ViewersContext>
  );
}
