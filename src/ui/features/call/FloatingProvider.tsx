/** Keeps the floating window of this tab and shows the call in it. It closes with the call, and when another tab has the media. */
import { Message } from "@arco-design/web-react";
import { lazy, type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore, useSlice } from "../../state/services.ts";
import { dress, floatingKind, openDocument, openVideo } from "./floating.ts";
import { FloatingContext } from "../call-parts/floating-context.ts";
import { FLOATING_TEXTS } from "../call-parts/floating-texts.ts";
import { Part } from "../../components/Part.tsx";

const FloatingCall = lazy(() => retrying(() => import("./FloatingCall.tsx")));

/** What this tab carries. */
function useCarried(): "call" | "group" | null {
  const { tabId } = useCore();
  const call = useSlice("call");
  const group = useSlice("groupCall");
  const conference = useSlice("conference");
  if (call.status === "chat" && call.owner?.tabId === tabId) return "call";
  return group.status === "inCall" && conference.owner?.tabId === tabId ? "group" : null;
}

export function FloatingProvider({ children }: { readonly children: ReactNode }) {
  const text = useTexts(FLOATING_TEXTS);
  const carried = useCarried();
  const [floating, setFloating] = useState<Window | null>(null);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [kind] = useState(floatingKind);

  /** The window's own event of its end clears the state. */
  const close = useCallback((): void => {
    floating?.close();
    if (video !== null && document.pictureInPictureElement === video) {
      document.exitPictureInPicture().catch(() => undefined);
    }
  }, [floating, video]);
  useEffect(() => {
    if (carried === null) close();
    // The group call's styles come with its code.
    else if (floating !== null) dress(floating);
  }, [carried, close, floating]);

  const open = useCallback(
    async (wanted: HTMLVideoElement | null): Promise<void> => {
      if (kind === "document") setFloating(await openDocument(() => setFloating(null)));
      else if (wanted === null || wanted.videoWidth === 0) Message.info(text("noVideo"));
      else {
        await openVideo(wanted, () => setVideo(null));
        setVideo(wanted);
      }
    },
    [kind, text],
  );
  const value = useMemo(
    () => ({
      kind,
      on: floating !== null || video !== null,
      away: floating !== null,
      close,
      toggle(wanted: HTMLVideoElement | null) {
        if (floating !== null || video !== null) return close();
        open(wanted).catch(() => Message.error(text("refused")));
      },
    }),
    [close, floating, kind, open, text, video],
  );
  return (
    <FloatingContext value={value}>
      {children}
      {floating !== null &&
        carried !== null &&
        createPortal(
          <Part onFailed={close}>
            <FloatingCall carried={carried} />
          </Part>,
          floating.document.body,
        )}
    </FloatingContext>
  );
}
