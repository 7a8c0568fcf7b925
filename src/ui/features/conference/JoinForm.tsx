/** Form for joining by number or invitation. */
import { Button, Checkbox, Input } from "@arco-design/web-react";
import { CONFR_ROLE } from "../../../shared/domain/conference-types.ts";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ConferenceActions } from "./useConference.ts";
import { conferenceIn, showMeetingNumber } from "../../../shared/domain/meeting-number.ts";

export function JoinForm(props: {
  readonly actions: ConferenceActions;
  readonly initial: string;
  readonly locked: boolean;
  readonly disabled: boolean;
}) {
  const { actions } = props;
  const { t } = useTranslation();
  const [id, setId] = useState(showMeetingNumber(props.initial));
  const [password, setPassword] = useState("");
  const [watch, setWatch] = useState(false);
  const [audience, setAudience] = useState(false);
  const [audioMuted, setMuted] = useState(false);
  const [videoOff, setOff] = useState(false);
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const confrId = conferenceIn(id);
    setMissing(confrId === "");
    if (confrId === "") return;
    void actions.join({
      confrId,
      password,
      audioMuted,
      videoOff,
      publish: !audience && !watch,
      ...(audience ? { role: CONFR_ROLE.audience } : {}),
    });
  };
  return (
    <form
      className="panel confr-form"
      onSubmit={submit}
      aria-label={t("conference.lobby.joinById")}
    >
      <h2>{t("conference.lobby.joinById")}</h2>
      <label>
        {t("conference.lobby.id")}
        <Input
          value={id}
          onChange={setId}
          aria-invalid={missing}
          maxLength={500}
          placeholder={t("conference.lobby.idExample")}
          autoComplete="off"
        />
      </label>
      {missing && <p className="confr-error">{t("conference.lobby.idNeeded")}</p>}
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
      {props.locked && <p className="confr-hint">{t("conference.lobby.passwordAsk")}</p>}
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
