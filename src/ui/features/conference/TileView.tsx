/** One tile: the video, or the avatar of a member without video, with name, microphone and network state. */
import { type ReactNode, useEffect, useRef } from "react";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { IconPushpin } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import { HandIcon, MicOffIcon } from "../../components/call-icons.tsx";
import { SCREEN, SELF } from "../../../rtc-main/index.ts";
import { useServices, useSlice } from "../../state/services.ts";
import { CameraMarks } from "./CameraMarks.tsx";
import { CameraMenu } from "./CameraMenu.tsx";
import { DrawButton } from "./DrawBar.tsx";
import { MarksLayer } from "./MarksLayer.tsx";
import { CaptureButton } from "./CaptureButton.tsx";
import type { Tile } from "./view.ts";
import { ZoomBox } from "./ZoomBox.tsx";

function Picture(props: { readonly id: string; readonly label: string; readonly self: boolean }) {
  const { media } = useServices();
  const { owner } = useSlice("conference");
  const element = useRef<HTMLVideoElement>(null);
  const epoch = owner?.epoch ?? 0;
  useEffect(() => {
    const video = element.current;
    return video === null ? undefined : media.bindStream(props.id, video);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new owner epoch has new streams
  }, [media, props.id, epoch]);
  return (
    <video
      ref={element}
      className="conference-video"
      data-self={props.self}
      aria-label={props.label}
      autoPlay
      muted
      playsInline
    />
  );
}

export function TileView(props: {
  readonly tile: Tile;
  readonly large?: boolean;
  /** A screen is shown in its own size. */
  readonly zoomed?: boolean;
  /** `grid-column` in a grid. */
  readonly place?: string;
  readonly onClick?: () => void;
  /** Lies over the picture. */
  readonly children?: ReactNode;
  /** Keeps the tile large; on the large tile, ends that. */
  readonly pin?: { readonly on: boolean; readonly toggle: () => void };
}) {
  const { member, stream, self, kind } = props.tile;
  const { t } = useTranslation();
  const { local } = useSlice("conference");
  const name = member.nickName === "" ? member.memName : member.nickName;
  const shownName = self ? t("conference.inside.self") : name;
  const title =
    kind === "screen" ? t("conference.inside.screenOf", { name: shownName }) : shownName;
  const pinText = t(props.pin?.on === true ? "conference.stage.unpin" : "conference.stage.pin", {
    name: title,
  });
  const own = self && kind === "camera";
  const videoOn = own
    ? local.publishing && local.camera === "on" && !local.videoOff
    : stream !== null && stream.hasVideo && stream.voff === 0;
  const muted = own
    ? local.audioMuted || local.microphone !== "on" || !local.publishing
    : stream === null || stream.aoff === 1 || !stream.hasAudio;
  const connection =
    stream === null || own ? "" : t(`conference.inside.connection.${stream.connection}`);
  return (
    <figure
      className="conference-tile"
      data-kind={kind}
      data-member={member.memName}
      data-stream={stream?.id ?? ""}
      data-talking={stream?.talking === true && !muted}
      data-large={props.large === true}
      style={props.place === undefined ? undefined : { gridColumn: props.place }}
      onClick={props.onClick}
    >
      {videoOn && (
        <ZoomBox on={props.zoomed === true && kind === "screen"} label={title}>
          <div className="conference-picture">
            <Picture
              id={own ? SELF : self ? SCREEN : (stream?.id ?? "")}
              self={own}
              label={t("conference.inside.videoOf", { name: title })}
            />
            {stream !== null && <MarksLayer streamId={stream.id} mirrored={own} name={title} />}
          </div>
        </ZoomBox>
      )}
      {!videoOn && (
        <div className="conference-face">
          <Avatar name={name} person={member.memName} size={props.large === true ? 112 : 64} />
        </div>
      )}
      {props.children}
      <figcaption>
        {muted && kind === "camera" && (
          <span className="conference-muted" title={t("conference.inside.muted")}>
            <MicOffIcon />
            <span className="visually-hidden">{t("conference.inside.muted")}</span>
          </span>
        )}
        <span className="ellipsis" translate={self ? undefined : "no"}>
          {title}
        </span>
        {member.role === CONFERENCE_ROLE.admin && (
          <span className="conference-role">{t("conference.members.roles.7")}</span>
        )}
      </figcaption>
      {stream !== null && (
        <span
          className="conference-quality"
          data-quality={stream.quality}
          title={t(`conference.inside.quality.${stream.quality}`)}
          role="img"
          aria-label={t(`conference.inside.quality.${stream.quality}`)}
        >
          <i />
          <i />
          <i />
        </span>
      )}
      {videoOn && stream !== null && kind === "camera" && connection === "" && (
        <CameraMarks state={stream} own={own} />
      )}
      <div className="conference-tile-tools">
        {videoOn && <CameraMenu tile={props.tile} />}
        {videoOn && stream !== null && props.pin !== undefined && (
          <DrawButton streamId={stream.id} name={title} />
        )}
        {videoOn && <CaptureButton name={title} />}
        {props.pin !== undefined && (
          <button
            type="button"
            className="conference-pin"
            aria-pressed={props.pin.on}
            title={pinText}
            aria-label={pinText}
            onClick={(event) => {
              event.stopPropagation();
              props.pin?.toggle();
            }}
          >
            <IconPushpin />
          </button>
        )}
      </div>
      {member.hand !== undefined && kind === "camera" && (
        <span className="conference-tile-hand" title={t("conference.hands.up")}>
          <HandIcon />
          <span className="visually-hidden">{t("conference.hands.up")}</span>
        </span>
      )}
      {connection !== "" && (
        <span className="conference-connection" role="status">
          {connection}
        </span>
      )}
    </figure>
  );
}
