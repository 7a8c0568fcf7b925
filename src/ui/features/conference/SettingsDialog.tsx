/** Choice of microphone and camera, and a list of the keyboard shortcuts. */
import { Modal, Select } from "@arco-design/web-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { tell } from "../../state/tell.ts";
import { useServices } from "../../state/services.ts";
import { SHORTCUTS } from "./useShortcuts.ts";

type Kind = "audioinput" | "videoinput";
interface Found {
  readonly deviceId: string;
  readonly label: string;
  readonly current: boolean;
}

function Devices({ kind, label }: { readonly kind: Kind; readonly label: string }) {
  const { t } = useTranslation();
  const { media } = useServices();
  const [list, setList] = useState<readonly Found[]>([]);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let live = true;
    media.mediaDevices(kind).then(
      (found) => live && setList(found),
      () => live && setList([]),
    );
    return () => {
      live = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a change repeats the request
  }, [media, kind, turn]);
  const choose = (deviceId: string): void => {
    media
      .changeDevice(kind, deviceId)
      .catch(() => tell("error", t("conference.settings.failed")))
      .finally(() => setTurn((n) => n + 1));
  };
  const current = list.find((one) => one.current)?.deviceId;
  return (
    <label>
      {label}
      <Select
        aria-label={label}
        placeholder={t("conference.settings.none")}
        disabled={list.length === 0}
        {...(current === undefined ? {} : { value: current })}
        onChange={choose}
      >
        {list.map((one) => (
          <Select.Option key={one.deviceId} value={one.deviceId}>
            {one.label}
          </Select.Option>
        ))}
      </Select>
    </label>
  );
}

export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      visible
      title={t("conference.settings.title")}
      footer={null}
      onCancel={onClose}
      unmountOnExit
    >
      <div className="confr-settings">
        <Devices kind="audioinput" label={t("conference.settings.microphone")} />
        <Devices kind="videoinput" label={t("conference.settings.camera")} />
        <h3>{t("conference.settings.keys")}</h3>
        <dl>
          {SHORTCUTS.map((key) => (
            <div key={key}>
              <dt>
                <kbd>{key.toUpperCase()}</kbd>
              </dt>
              <dd>{t(`conference.settings.keyList.${key}`)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Modal>
  );
}
