/** The controls of a conference. */
import { Button, Modal } from "@arco-design/web-react";
import { CONFERENCE_ROLE, STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import {
  IconApps,
  IconDesktop,
  IconMessage,
  IconSettings,
  IconVoice,
  IconUserGroup,
} from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  CameraIcon,
  CameraOffIcon,
  HandIcon,
  HangupIcon,
  MicIcon,
  MicOffIcon,
} from "../../components/call-icons.tsx";
import { useSlice } from "../../state/services.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { RecordButton } from "./RecordButton.tsx";
import { controlsOf, microphoneLabel } from "../call-parts/own-devices.ts";
import type { ConferenceActions } from "./useConference.ts";
import { handsOf } from "./view.ts";

export type Panel = "members" | "chat";

export function Bar(props: {
  readonly actions: ConferenceActions;
  readonly panel: Panel | null;
  readonly onPanel: (panel: Panel) => void;
  readonly onLayout: () => void;
  readonly onSettings: () => void;
  readonly unread: number;
}) {
  const { actions, panel } = props;
  const { t } = useTranslation();
  const { self, local, streams, asked, requests, members } = useSlice("conference");
  const [leaving, setLeaving] = useState(false);
  const { microphone, camera } = controlsOf(local);
  const audience = self?.role === CONFERENCE_ROLE.audience;
  const admin = self?.role === CONFERENCE_ROLE.admin;
  const raised = self?.hand !== undefined;
  const waiting = Object.keys(requests).length + (admin ? handsOf(members).length : 0);
  const screen = Object.values(streams).find(
    (stream) => stream.located && stream.type === STREAM_TYPE.screen,
  );
  const leave = (): void => {
    if (admin) setLeaving(true);
    else actions.exit(false);
  };
  return (
    <div className="conference-bar" role="toolbar" aria-label={t("conference.bar.label")}>
      {!audience && (
        <>
          <RoundButton
            caption
            tone={microphone.on ? "plain" : "on"}
            label={t(`conference.bar.${microphoneLabel(microphone)}`)}
            busy={actions.busy.has("mute") || microphone.asking}
            disabled={!microphone.usable}
            onClick={() => actions.setMuted(microphone.on)}
          >
            {microphone.on ? <MicIcon /> : <MicOffIcon />}
          </RoundButton>
          <RoundButton
            caption
            tone={camera.on ? "plain" : "on"}
            label={t(camera.on ? "conference.bar.cameraOff" : "conference.bar.cameraOn")}
            busy={actions.busy.has("camera") || camera.asking}
            disabled={!camera.usable}
            onClick={() => actions.setVideoOff(camera.on)}
          >
            {camera.on ? <CameraIcon /> : <CameraOffIcon />}
          </RoundButton>
          <RoundButton
            caption
            tone={screen === undefined ? "plain" : "on"}
            label={t(screen === undefined ? "conference.bar.share" : "conference.bar.stopShare")}
            busy={actions.busy.has("share")}
            onClick={() => (screen === undefined ? actions.share() : actions.unshare(screen.id))}
          >
            <IconDesktop />
          </RoundButton>
        </>
      )}
      {audience && (
        <RoundButton
          caption
          tone={asked === "talker" ? "on" : "plain"}
          label={t(asked === "talker" ? "conference.bar.raised" : "conference.bar.raise")}
          disabled={asked !== null}
          busy={actions.busy.has("request")}
          onClick={() => actions.request("talker")}
        >
          <IconVoice />
        </RoundButton>
      )}
      <RoundButton
        caption
        tone={raised ? "on" : "plain"}
        label={t(raised ? "conference.hands.putDown" : "conference.hands.raise")}
        busy={actions.busy.has("hand")}
        onClick={() => actions.hand(!raised)}
      >
        <HandIcon />
      </RoundButton>
      <RoundButton
        caption
        tone={panel === "members" ? "on" : "plain"}
        label={t("conference.bar.members")}
        onClick={() => props.onPanel("members")}
      >
        <IconUserGroup />
        {waiting > 0 && <span className="conference-dot tnum">{waiting}</span>}
      </RoundButton>
      <RoundButton
        caption
        tone={panel === "chat" ? "on" : "plain"}
        label={t("conference.bar.chat")}
        onClick={() => props.onPanel("chat")}
      >
        <IconMessage />
        {props.unread > 0 && <span className="conference-dot tnum">{props.unread}</span>}
      </RoundButton>
      <RecordButton />
      <RoundButton caption label={t("conference.bar.layout")} onClick={props.onLayout}>
        <IconApps />
      </RoundButton>
      <RoundButton caption label={t("conference.bar.settings")} onClick={props.onSettings}>
        <IconSettings />
      </RoundButton>
      <RoundButton
        caption
        tone="bad"
        label={t("conference.bar.leave")}
        busy={actions.busy.has("exit")}
        onClick={leave}
      >
        <HangupIcon />
      </RoundButton>
      {leaving && (
        <LeaveDialog
          onClose={() => setLeaving(false)}
          onLeave={(forAll) => {
            setLeaving(false);
            actions.exit(forAll);
          }}
        />
      )}
    </div>
  );
}

/** Asks a person who may end the conference whether it goes on without them. */
function LeaveDialog(props: {
  readonly onClose: () => void;
  readonly onLeave: (forAll: boolean) => void;
}) {
  const { t } = useTranslation();
  useFocusBack(() => null);
  return (
    <Modal
      visible
      title={t("conference.bar.leave")}
      onCancel={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>{t("common.cancel")}</Button>
          <Button onClick={() => props.onLeave(false)}>{t("conference.bar.leaveOnly")}</Button>
          <Button type="primary" status="danger" onClick={() => props.onLeave(true)}>
            {t("conference.bar.endAll")}
          </Button>
        </>
      }
    >
      {t("conference.bar.leaveAsk")}
    </Modal>
  );
}
