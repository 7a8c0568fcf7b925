/** Inside a conference: tiles, controls, members and messages. Every tab shows the state; only the owner tab has the media. */
import { Button, Tooltip } from "@arco-design/web-react";
import { CONFR_ROLE, STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { IconCopy } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SpeakerIcon } from "../../components/call-icons.tsx";
import { showMeetingNumber } from "../../../shared/domain/meeting-number.ts";
import { tell, tellError } from "../../state/tell.ts";
import { useCore, useMediaState, useServices, useSlice } from "../../state/services.ts";
import { CallTimer } from "../call/CallTimer.tsx";
import { Bar, type Panel } from "./Bar.tsx";
import { ChatPanel } from "./ChatPanel.tsx";
import { DevicesHint } from "./DevicesHint.tsx";
import { MembersPanel } from "./MembersPanel.tsx";
import { controlsOf } from "./own-devices.ts";
import { SettingsDialog } from "./SettingsDialog.tsx";
import { type Layout, Stage } from "./Stage.tsx";
import { type ConferenceActions, useConference } from "./useConference.ts";
import { useShortcuts } from "./useShortcuts.ts";

export default function Room() {
  const { t } = useTranslation();
  const core = useCore();
  const { media } = useServices();
  const { autoplayBlocked } = useMediaState();
  const confr = useSlice("conference");
  const commands = useConference();
  const [closedHint, setClosedHint] = useState("");
  // a person who turns on a missing device sees again why it stays off
  const actions: ConferenceActions = {
    ...commands,
    setMuted(audioMuted) {
      setClosedHint("");
      commands.setMuted(audioMuted);
    },
    setVideoOff(videoOff) {
      setClosedHint("");
      commands.setVideoOff(videoOff);
    },
  };
  const [layout, setLayout] = useState<Layout>("grid");
  const [panel, setPanel] = useState<Panel | null>(null);
  const [settings, setSettings] = useState(false);
  const [read, setRead] = useState(0);
  const count = confr.messages.length;
  if (panel === "chat" && read !== count) setRead(count);
  const toggle = (wanted: Panel): void => setPanel((now) => (now === wanted ? null : wanted));
  const mine = confr.owner?.tabId === core.tabId;
  const { self, local, streams } = confr;
  const screen = Object.values(streams).find(
    (stream) => stream.located && stream.type === STREAM_TYPE.screen,
  );
  const { microphone, camera } = controlsOf(local);
  const audience = self?.role === CONFR_ROLE.audience;
  useShortcuts({
    m: () => !audience && !microphone.asking && actions.setMuted(microphone.on),
    v: () => !audience && !camera.asking && actions.setVideoOff(camera.on),
    s: () => {
      if (audience) return;
      if (screen === undefined) actions.share();
      else actions.unshare(screen.id);
    },
    h: () => audience && actions.request("talker"),
    p: () => toggle("members"),
    c: () => toggle("chat"),
    l: () => setLayout((now) => (now === "grid" ? "speaker" : "grid")),
  });
  const copy = (): void => {
    navigator.clipboard
      .writeText(confr.info?.confrId ?? "")
      .then(() => tell("success", t("conference.room.copied")), tellError);
  };
  return (
    <section
      className="confr-room"
      aria-label={confr.info?.name ?? t("conference.title")}
      data-status={confr.status}
      data-owner={mine}
      data-panel={panel !== null}
    >
      <header className="confr-top">
        <strong className="ellipsis">{confr.info?.name}</strong>
        <CallTimer startedAt={confr.startedAt} />
        <Tooltip content={t("conference.room.copyId")}>
          <button type="button" className="confr-id" onClick={copy}>
            <span className="ellipsis">
              <span className="confr-id-label">{t("conference.room.id")} </span>
              {showMeetingNumber(confr.info?.confrId ?? "")}
            </span>
            <IconCopy aria-label={t("conference.room.copyId")} />
          </button>
        </Tooltip>
        <span className="confr-state" role="status">
          {confr.status === "connecting" && t("conference.room.connecting")}
          {confr.status === "reconnecting" && t("conference.room.reconnecting")}
          {confr.status === "leaving" && t("conference.room.leaving")}
          {confr.status === "joined" && confr.mutedByAdmin && t("conference.room.mutedByAdmin")}
          {confr.status === "joined" &&
            !confr.mutedByAdmin &&
            confr.muteAll &&
            t("conference.room.muteAllOn")}
        </span>
      </header>
      <div className="confr-body">
        {mine && <DevicesHint actions={actions} closed={closedHint} onClose={setClosedHint} />}
        {mine ? (
          <Stage layout={layout} />
        ) : (
          <div className="confr-elsewhere">
            <p role="status">
              {t(confr.owner === null ? "conference.room.taking" : "conference.room.elsewhere")}
            </p>
            {confr.owner !== null && (
              <Button
                type="primary"
                size="large"
                loading={actions.busy.has("bring")}
                onClick={actions.bringHere}
              >
                {t("conference.room.bringHere")}
              </Button>
            )}
          </div>
        )}
        {mine && autoplayBlocked && (
          <button
            type="button"
            className="call-sound"
            onClick={() => void media.resumePlayback().catch(() => undefined)}
          >
            <SpeakerIcon />
            {t("conference.room.playSound")}
          </button>
        )}
      </div>
      {panel === "members" && <MembersPanel actions={actions} />}
      {panel === "chat" && <ChatPanel actions={actions} />}
      <Bar
        actions={actions}
        panel={panel}
        onPanel={toggle}
        onLayout={() => setLayout((now) => (now === "grid" ? "speaker" : "grid"))}
        onSettings={() => setSettings(true)}
        unread={Math.max(0, count - read)}
      />
      {settings && <SettingsDialog onClose={() => setSettings(false)} />}
    </section>
  );
}
