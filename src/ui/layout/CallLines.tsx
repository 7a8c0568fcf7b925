/** Settings of incoming calls: the device of the ringtone, and do-not-disturb (docs/calls.md#do-not-disturb). */
import { Input, Select, Switch } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { useEffect, useState } from "react";
import { QUIET_CALLS, QUIET_NOTE_MAX, readQuietCalls } from "../../shared/protocol/quiet-calls.ts";
import { tryRingtone } from "../features/call/ringtone.ts";
import { texts, useTexts } from "../i18n/texts.ts";
import { canChooseRingDevice, keepRingDevice, keptRingDevice } from "../state/ring-device.ts";
import { useServices } from "../state/services.ts";
import { usePreference } from "../state/usePreference.ts";
import { Line } from "./SettingsLine.tsx";

const TEXTS = texts({
  device: ["来电铃声设备", "Ringtone device"],
  usual: ["系统默认", "System default"],
  unnamed: ["扬声器 {{n}}", "Speaker {{n}}"],
  quiet: ["来电勿扰", "Do not disturb (calls)"],
  quietHint: [
    "打开后来电不会响铃，对方会看到您已开启勿扰，未接来电会记录",
    "Calls do not ring, callers see that you do not want to be disturbed, and missed calls are recorded",
  ],
  note: ["给来电者的留言", "Note for callers"],
  noteExample: ["例如：开会中，下午三点后回电", "E.g. in a meeting, back after 3 pm"],
});

export function CallLines() {
  return (
    <>
      {canChooseRingDevice() && <DeviceLine />}
      <QuietLine />
    </>
  );
}

function DeviceLine() {
  const text = useTexts(TEXTS);
  const { media } = useServices();
  const [chosen, choose] = useState(keptRingDevice);
  const [found, setFound] = useState<readonly { deviceId: string; label: string }[]>([]);
  useEffect(() => {
    let live = true;
    media.mediaDevices("audiooutput").then(
      (list) =>
        live && setFound(list.filter(({ deviceId }) => !["", "default"].includes(deviceId))),
      () => undefined,
    );
    return () => {
      live = false;
    };
  }, [media]);
  const known = found.some(({ deviceId }) => deviceId === chosen);
  return (
    <Line label={text("device")}>
      {(id) => (
        <Select
          className="settings-choice"
          size="small"
          aria-labelledby={id}
          // A device that is unplugged is kept, and the ringtone comes by the usual one meanwhile.
          value={known ? chosen : ""}
          onChange={(device: string) => {
            keepRingDevice(device);
            choose(device);
            tryRingtone(device);
          }}
          options={[
            { value: "", label: text("usual") },
            ...found.map(({ deviceId, label }, n) => ({
              value: deviceId,
              label: label === "" ? text("unnamed", { n: n + 1 }) : label,
            })),
          ]}
        />
      )}
    </Line>
  );
}

function QuietLine() {
  const text = useTexts(TEXTS);
  const [quiet, write] = usePreference(QUIET_CALLS, readQuietCalls);
  const [note, setNote] = useState<string | null>(null);
  const keepNote = (): void => {
    if (note !== null && note.trim() !== quiet.note) write({ ...quiet, note: note.trim() });
    setNote(null);
  };
  return (
    <>
      <Line label={text("quiet")} hint={text("quietHint")}>
        {(id) => (
          <Switch
            aria-labelledby={id}
            checked={quiet.on}
            onChange={(on) => write({ ...quiet, on })}
          />
        )}
      </Line>
      {quiet.on && (
        <Input
          className="settings-note"
          aria-label={text("note")}
          placeholder={text("noteExample")}
          maxLength={QUIET_NOTE_MAX}
          value={note ?? quiet.note}
          onChange={setNote}
          onBlur={keepNote}
          onPressEnter={keepNote}
        />
      )}
    </>
  );
}
