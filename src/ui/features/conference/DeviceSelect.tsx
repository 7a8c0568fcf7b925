/** Choice of one device: microphone, camera or speaker. */
import { Select } from "@arco-design/web-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { AppError } from "../../../shared/errors.ts";
import { useServices } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import "./arco.ts";
import "../../i18n/conference-texts.ts";

type Kind = "audioinput" | "videoinput" | "audiooutput";
interface Found {
  readonly deviceId: string;
  readonly label: string;
  readonly current: boolean;
}

export function DeviceSelect({ kind, label }: { readonly kind: Kind; readonly label: string }) {
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
      .catch((error: unknown) => {
        // An error of microphone or camera names the device and the way out.
        if (AppError.from(error).details?.["cause"] !== undefined) showError(error);
        else showMessage("error", t("conference.settings.failed"));
      })
      .finally(() => setTurn((n) => n + 1));
  };
  const current = list.find((one) => one.current)?.deviceId;
  return (
    // A label element would pass a click on to the list a second time, which closes it.
    <div className="conference-choice">
      <span aria-hidden="true">{label}</span>
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
    </div>
  );
}
