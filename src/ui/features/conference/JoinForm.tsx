/** Form for joining by number or invitation. */
import { Button, Checkbox, Input } from "@arco-design/web-react";
import type { RefInputType } from "@arco-design/web-react/es/Input/interface";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { useId, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ConferenceActions } from "./useConference.ts";
import {
  conferenceIn,
  isMeetingNumber,
  showMeetingNumber,
} from "../../../shared/domain/meeting-number.ts";

export function JoinForm(props: {
  readonly actions: ConferenceActions;
  readonly initial: string;
  readonly locked: boolean;
  readonly disabled: boolean;
}) {
  const { actions } = props;
  const { t } = useTranslation();
  const field = useRef<RefInputType>(null);
  const wrongId = useId();
  const [id, setId] = useState(showMeetingNumber(props.initial));
  const [password, setPassword] = useState("");
  const [watch, setWatch] = useState(false);
  const [audience, setAudience] = useState(false);
  const [audioMuted, setMuted] = useState(false);
  const [videoOff, setOff] = useState(false);
  const [wrong, setWrong] = useState<"idNeeded" | "idWrong" | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const confrId = conferenceIn(id);
    const what = confrId === "" ? "idNeeded" : "idWrong";
    setWrong(isMeetingNumber(confrId) ? null : what);
    if (!isMeetingNumber(confrId)) {
      field.current?.focus();
      return;
    }
    void actions.join({
      confrId,
      password,
      audioMuted,
      videoOff,
      publish: !audience && !watch,
      ...(audience ? { role: CONFERENCE_ROLE.audience } : {}),
    });
  };
  return (
    <form
      className="panel conference-form"
      onSubmit={submit}
      aria-label={t("conference.lobby.joinById")}
    >
      <h2>{t("conference.lobby.joinById")}</h2>
      <label>
        {t("conference.lobby.id")}
        <Input
          ref={field}
          value={id}
          onChange={(text) => {
            setId(text);
            setWrong(null);
          }}
          {...(wrong === null ? {} : { status: "error" as const })}
          aria-invalid={wrong !== null}
          aria-describedby={wrong === null ? undefined : wrongId}
          maxLength={500}
          placeholder={t("conference.lobby.idExample")}
          autoComplete="off"
        />
      </label>
      {wrong !== null && (
        <p className="conference-error" id={wrongId} role="alert">
          {t(`conference.lobby.${wrong}`)}
        </p>
      )}
      <label>
        {t("conference.lobby.password")}
        <Input.Password
          value={password}
          onChange={setPassword}
          autoFocus={props.locked}
          maxLength={64}
          autoComplete="off"
        />
      </label>
      {props.locked && <p className="conference-hint">{t("conference.lobby.passwordAsk")}</p>}
      <Checkbox checked={audioMuted} disabled={watch || audience} onChange={setMuted}>
        {t("conference.lobby.micOff")}
      </Checkbox>
      <Checkbox checked={videoOff} disabled={watch || audience} onChange={setOff}>
        {t("conference.lobby.cameraOff")}
      </Checkbox>
      <Checkbox checked={watch} disabled={audience} onChange={setWatch}>
        {t("conference.lobby.watchFirst")}
      </Checkbox>
      <Checkbox checked={audience} onChange={setAudience}>
        {t("conference.lobby.asAudience")}
      </Checkbox>
      <Button
        type="primary"
        htmlType="submit"
        disabled={props.disabled}
        loading={actions.busy.has("join")}
      >
        {t("conference.lobby.joinById")}
      </Button>
    </form>
  );
}
