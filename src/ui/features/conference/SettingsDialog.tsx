/** Choice of microphone, camera and speaker and of what changes them, and a list of the keyboard shortcuts of a conference. */
import { Modal } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useTexts } from "../../i18n/texts.ts";
import { HoldChoice } from "../call-parts/HoldChoice.tsx";
import { EffectChoices } from "../effects/EffectChoices.tsx";
import { EFFECT_TEXTS } from "../effects/texts.ts";
import { CameraChoice } from "./CameraChoice.tsx";
import { DeviceSelect } from "./DeviceSelect.tsx";
import { keysOf, SHORTCUTS } from "../call-parts/useShortcuts.ts";
import "./arco.ts";
import "./conference.css";
import "../../i18n/conference-texts.ts";

export function SettingsDialog(props: {
  /** Whether it tells the keyboard shortcuts too. */
  readonly keys: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  useFocusBack(() => null);
  const text = useTexts(EFFECT_TEXTS);
  return (
    <Modal
      visible
      title={props.keys ? t("conference.settings.title") : text("open")}
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <div className="conference-settings">
        <DeviceSelect kind="audioinput" label={t("conference.settings.microphone")} />
        <DeviceSelect kind="videoinput" label={t("conference.settings.camera")} />
        {"setSinkId" in HTMLMediaElement.prototype && (
          <DeviceSelect kind="audiooutput" label={text("speaker")} />
        )}
        <EffectChoices />
        <HoldChoice />
        <CameraChoice />
        {props.keys && (
          <>
            <h3>{t("conference.settings.keys")}</h3>
            <dl>
              {SHORTCUTS.map((key) => (
                <div key={key}>
                  <dt>
                    {keysOf(key).map((one) => (
                      <kbd key={one} translate="no">
                        {one}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{t(`conference.settings.keyList.${key}`)}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </div>
    </Modal>
  );
}
