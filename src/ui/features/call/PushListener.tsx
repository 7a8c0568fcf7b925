/** Keeps the subscription of this browser, and takes clicks on its notifications (docs/calls.md#web-push). */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { hasPush } from "../../../core-client/service-worker.ts";
import { takesInputAlong } from "../../../shared/domain/guard.ts";
import { pushClickSchema, pushPath } from "../../../shared/protocol/push.ts";
import { currentLanguage } from "../../i18n/index.ts";
import { renewPush, takeWish, turnPushOff } from "../../state/push.ts";
import { useAccount, useCore, useSlice } from "../../state/services.ts";
import { useGroupCall } from "../group-call/useGroupCall.ts";
import { ringOf } from "./rings.ts";
import { useCallActions } from "./useCallActions.ts";

/** Shows nothing. It is loaded apart, because the first page needs none of it. */
export default function PushListener(): null {
  usePushUpkeep();
  usePushClicks();
  return null;
}

function usePushUpkeep(): void {
  const core = useCore();
  const account = useAccount();
  const { left, status } = useSlice("session");
  useTranslation();
  const language = currentLanguage();
  useEffect(() => {
    // A browser without its push service, or a server that is down: the next login tries again.
    if (account !== null) renewPush(core, account, language).catch(() => undefined);
  }, [core, account, language]);
  const loggedOut = status === "anonymous" && takesInputAlong(left);
  useEffect(() => {
    if (loggedOut && hasPush()) turnPushOff(null).catch(() => undefined);
  }, [loggedOut]);
}

/** A click on a button of a notification answers or refuses the ring that it names, once that rings here. */
function usePushClicks(): void {
  const navigate = useNavigate();
  const ring = ringOf(useSlice("call"), useSlice("groupCall"));
  const two = useCallActions();
  const group = useGroupCall();
  const [wanted, setWanted] = useState<{ callId: string; answer: boolean } | null>(null);
  const done = useRef<string | null>(null);
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return;
    void takeWish().then((callId) => {
      if (callId !== null) setWanted({ callId, answer: true });
    });
    const hear = ({ data }: MessageEvent<unknown>): void => {
      const click = pushClickSchema.safeParse(data);
      if (!click.success) return;
      const { callId, answer, refuse, from } = click.data;
      if (answer || refuse) setWanted({ callId, answer });
      else void navigate(pushPath(from));
    };
    navigator.serviceWorker.addEventListener("message", hear);
    return () => navigator.serviceWorker.removeEventListener("message", hear);
  }, [navigate]);
  const kind = ring !== null && ring.callId === wanted?.callId ? ring.kind : null;
  useEffect(() => {
    if (wanted === null || kind === null || done.current === wanted.callId) return;
    // Once: after a failure the person decides.
    done.current = wanted.callId;
    const actions = kind === "call" ? two : group;
    if (wanted.answer) actions.answer();
    else actions.refuse();
  }, [kind, wanted, two, group]);
}
