/** On another member's camera tile: a menu of what the member accepts, and the choice of a point to focus. */
import { Dropdown, Menu } from "@arco-design/web-react";
import { IconVideoCamera } from "@arco-design/web-react/icon";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { pointInPicture } from "../../../shared/domain/picture-point.ts";
import { useTexts } from "../../i18n/texts.ts";
import { CAMERA_TEXTS } from "./camera-texts.ts";
import { cameraChoices, useCameraControl } from "./useCameraControl.ts";
import { nameOf, type Tile } from "./view.ts";
import "./camera-menu.css";

export function CameraMenu({ tile }: { readonly tile: Tile }) {
  const text = useTexts(CAMERA_TEXTS);
  const control = useCameraControl(tile);
  /** The tile over which the person chooses a point; null: nothing is chosen. */
  const [focusing, setFocusing] = useState<Element | null>(null);
  const menu = useRef<HTMLDivElement>(null);
  const choices = cameraChoices(tile);
  const { torch = false, freezeFrame = false, zoom = 1 } = tile.stream ?? {};
  if (choices.length === 0) return null;
  const label = text("menu", { name: nameOf(tile.member) });
  const act = (key: string): void => {
    if (key === "focus") setFocusing(menu.current?.closest(".conference-tile") ?? null);
    else if (key === "capture") control.capture();
    else if (key === "switch") control.next();
    else if (key === "torch") control.torch(!torch);
    else if (key === "freeze") control.freeze(!freezeFrame);
    else control.zoom(key === "in");
  };
  const may = (kind: (typeof choices)[number]): boolean => choices.includes(kind);
  return (
    // The tile itself answers clicks, and React passes on those of the menu.
    <div ref={menu} onClick={(event) => event.stopPropagation()}>
      <Dropdown
        trigger="click"
        position="br"
        droplist={
          <Menu className="conference-camera-menu" onClickMenuItem={act}>
            {may("zoom") ? <Menu.Item key="in">{text("zoomIn")}</Menu.Item> : null}
            {may("zoom") && zoom > 1 ? <Menu.Item key="out">{text("zoomOut")}</Menu.Item> : null}
            {may("torch") ? (
              <Menu.Item key="torch">{text(torch ? "torchOff" : "torchOn")}</Menu.Item>
            ) : null}
            {may("freeze") ? (
              <Menu.Item key="freeze">{text(freezeFrame ? "unfreeze" : "freeze")}</Menu.Item>
            ) : null}
            {may("capture") ? <Menu.Item key="capture">{text("capture")}</Menu.Item> : null}
            {may("focus") ? <Menu.Item key="focus">{text("focus")}</Menu.Item> : null}
            {may("switch") ? <Menu.Item key="switch">{text("switch")}</Menu.Item> : null}
          </Menu>
        }
      >
        <button
          type="button"
          title={label}
          aria-label={label}
          aria-haspopup="menu"
          aria-busy={control.busy}
        >
          <IconVideoCamera />
        </button>
      </Dropdown>
      {focusing !== null &&
        createPortal(<FocusPoint choose={control.focus} end={() => setFocusing(null)} />, focusing)}
    </div>
  );
}

/** Covers the tile until the person has chosen a point of the picture. */
function FocusPoint(props: {
  readonly choose: (x: number, y: number) => void;
  readonly end: () => void;
}) {
  const text = useTexts(CAMERA_TEXTS);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    const video = event.currentTarget.closest(".conference-tile")?.querySelector("video");
    props.end();
    // A click of the keyboard has no place.
    if (event.detail === 0) return props.choose(0.5, 0.5);
    if (video === null || video === undefined) return;
    const place = pointInPicture(
      video.getBoundingClientRect(),
      { width: video.videoWidth, height: video.videoHeight },
      "cover",
      { x: event.clientX, y: event.clientY },
    );
    if (place !== null) props.choose(place.x, place.y);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === "Escape") props.end();
  };
  return (
    <button ref={button} type="button" className="conference-focus" onClick={click} onKeyDown={key}>
      <span>{text("focusHint")}</span>
    </button>
  );
}
